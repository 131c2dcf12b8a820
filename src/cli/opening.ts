import { setTimeout as delay } from 'node:timers/promises';
import { type Owner, type OwnerOptions, openOwner } from './owner.ts';
import type { Signals } from './signals.ts';
import type { StrayFailures } from './stray-failures.ts';

/** How long handraise outlives its agent, or a signal, to settle its cards, in ms (product.md "Command line"). */
export const OUTLIVES_MS = 3_000;

/**
 * Opens the owner, or returns the signal that came before it was open; then nothing of it is left. Throws what
 * `openOwner` throws, and what failed astray meanwhile.
 */
export async function openUnlessStopped(
  options: OwnerOptions,
  signals: Signals,
  stray: StrayFailures,
): Promise<Owner | NodeJS.Signals> {
  const opening = openOwner(options);
  const first = await Promise.race([signals.first, stray.first, opening]);
  if (typeof first !== 'string') {
    stray.logTo(first.log);
    return first;
  }
  const closing = opening.then((owner) => owner.stop(OUTLIVES_MS));
  await endsWithin(OUTLIVES_MS, closing);
  return first;
}

/** Whether `work` ends in time. A failure to stop counts as an end: it must not hide how the command itself went. */
export async function endsWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, delay(ms, false, { ref: false })]);
}
