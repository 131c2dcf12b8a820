import { sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { SurfaceAdapter } from '../core/ports/surface-adapter.ts';
import type { OpenCard } from '../store/open-cards.ts';

/**
 * Settles the cards of runs that were killed: their agent is gone, so they end as `owner_lost`. Only the holder of the
 * token's lock may call it. Returns the cards it could not settle, for the next run.
 */
export async function settleAbandoned(
  abandoned: readonly OpenCard[],
  adapters: readonly SurfaceAdapter[],
  log: Logger,
): Promise<OpenCard[]> {
  const left: OpenCard[] = [];
  for (const one of abandoned) {
    const adapter = adapters.find((candidate) => candidate.platform === one.place.platform);
    try {
      if (adapter === undefined) throw new Error(`nothing here speaks to ${one.place.platform}`);
      const card = one.card ?? (await adapter.findCard(one.place, undefined, one.requestId));
      if (card !== undefined) await adapter.retire(card, { kind: 'owner_lost' });
      log.info({ requestId: one.requestId, found: card !== undefined }, 'a card of an earlier run was settled');
    } catch (error) {
      log.warn(
        { requestId: one.requestId, reason: sentenceOf(error) },
        'a card of an earlier run could not be settled',
      );
      left.push(one);
    }
  }
  return left;
}
