import { endsWithin, OUTLIVES_MS } from '../owner/ending.ts';
import { type Owner, type OwnerOptions, openOwner } from '../owner/owner.ts';
import type { Signals } from './signals.ts';
import type { StrayFailures } from './stray-failures.ts';

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
