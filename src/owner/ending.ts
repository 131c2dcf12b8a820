import { setTimeout as delay } from 'node:timers/promises';

/** How long handraise outlives its agent, a signal or its host’s word to settle its cards, in ms (product.md "Command line"). */
export const OUTLIVES_MS = 3_000;

/** Whether `work` ends in time. A failure to stop counts as an end: it must not hide how the work itself went. */
export async function endsWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, delay(ms, false, { ref: false })]);
}
