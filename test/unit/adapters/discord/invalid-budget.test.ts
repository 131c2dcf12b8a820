import { expect, test } from 'vitest';
import { InvalidBudget } from '../../../../adapters/discord/invalid-budget.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';

test('after 5,000 refusals in ten minutes no call is made until they are over; other answers do not count', () => {
  const clock = createFakeClock();
  const budget = new InvalidBudget(clock);
  for (let count = 0; count < 20_000; count += 1) budget.count([200, 400, 404, 500][count % 4] ?? 200);
  expect(() => budget.check()).not.toThrow();
  for (let count = 0; count < 5_000; count += 1) budget.count([401, 403, 429][count % 3] ?? 401);
  clock.advance(4 * 60_000);
  expect(() => budget.check()).toThrow(
    expect.objectContaining({ platformCode: 'too_many_refusals', retryAfterMs: 6 * 60_000, permanent: false }),
  );
  clock.advance(6 * 60_000);
  expect(() => budget.check()).not.toThrow();
  budget.count(403);
  expect(() => budget.check()).not.toThrow();
});
