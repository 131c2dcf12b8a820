import { expect, it } from 'vitest';
import { batchOf, question } from '../../../support/requests.ts';
import { openStage } from './stage.ts';

const READ_MS = 300;

it('counts from the arrival of a click, also where the content of a form had to be read before it', async () => {
  const acknowledged: number[] = [];
  const stage = await openStage({ onAcknowledged: (ms) => acknowledged.push(ms) });
  const { thread } = await stage.post(batchOf(question('Which database?', ['Postgres', 'SQLite'])));
  let open: () => void = () => undefined;
  stage.host.gate = new Promise((resolve) => {
    open = resolve;
  });
  const { settled } = stage.discord.user(stage.ana).click({ channel: thread, label: 'Other…' });
  // The reading has begun, so that the click has arrived.
  await expect.poll(() => stage.host.touches, { timeout: 20_000, interval: 10 }).toHaveLength(1);
  setTimeout(open, READ_MS);
  expect(await settled).toMatchObject({ kind: 'acked', type: 9 });
  await expect.poll(() => acknowledged, { timeout: 20_000 }).toHaveLength(1);
  // A timer may be a millisecond early.
  expect(acknowledged[0]).toBeGreaterThan(READ_MS - 10);
});
