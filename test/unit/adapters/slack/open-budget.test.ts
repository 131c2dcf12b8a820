import { expect, test } from 'vitest';
import { OpenBudget } from '../../../../adapters/slack/open-budget.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';

/** When each of `count` calls was let through, in milliseconds. */
async function times(count: number, hold?: (budget: OpenBudget) => void): Promise<number[]> {
  const clock = createFakeClock();
  const started = clock.now();
  const budget = new OpenBudget(clock, () => 0);
  hold?.(budget);
  const went: number[] = [];
  const { signal } = new AbortController();
  for (let call = 0; call < count; call += 1) void budget.take(signal).then(() => went.push(clock.now() - started));
  await clock.walk(600_000);
  return went;
}

test('keeps calls a second apart', async () => {
  expect(await times(4)).toEqual([0, 1_000, 2_000, 3_000]);
});

test('slows down after a dozen', async () => {
  const went = await times(20);
  expect(went).toHaveLength(20);
  const last = went.slice(-5);
  expect(last.map((at, index) => at - (last[index - 1] ?? at - 10_000))).toEqual([
    10_000, 10_000, 10_000, 10_000, 10_000,
  ]);
});

test('calls nobody before Slack allows it', async () => {
  expect(await times(2, (budget) => budget.holdFor(30_000))).toEqual([30_000, 31_000]);
});

test('lets everybody go when it is over', async () => {
  const budget = new OpenBudget(createFakeClock(), () => 0);
  const over = new AbortController();
  budget.holdFor(30_000);
  const taken = budget.take(over.signal);
  over.abort();
  await expect(taken).resolves.toBeUndefined();
});
