import { sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { SurfaceAdapter } from '../core/ports/surface-adapter.ts';
import type { OpenCard } from '../store/open-cards.ts';

/** What settling takes of an adapter: no connection for clicks. */
type Settling = Pick<SurfaceAdapter, 'platform' | 'findCard' | 'retire'>;

/**
 * Settles the cards of runs that were killed: their agent is gone, so they end as `owner_lost`. Only the holder of the
 * token's lock may call it. Returns the cards it could not settle, for the next run; once `leaving` is aborted it waits
 * for no answer any more, since the cards of the run that is ending go first.
 */
export async function settleAbandoned(
  abandoned: readonly OpenCard[],
  adapters: readonly Settling[],
  log: Logger,
  leaving: AbortSignal,
): Promise<OpenCard[]> {
  const left: OpenCard[] = [];
  const aborted = rejectedBy(leaving);
  for (const one of abandoned) {
    try {
      leaving.throwIfAborted();
      const found = await Promise.race([settle(one, adapters), aborted]);
      log.info({ requestId: one.requestId, found }, 'a card of an earlier run was settled');
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

/** Resolves to whether there was a card. */
async function settle(one: OpenCard, adapters: readonly Settling[]): Promise<boolean> {
  const adapter = adapters.find((candidate) => candidate.platform === one.place.platform);
  if (adapter === undefined) throw new Error(`nothing here speaks to ${one.place.platform}`);
  const card = one.card ?? (await adapter.findCard(one.place, undefined, one.requestId));
  if (card !== undefined) await adapter.retire(card, { kind: 'owner_lost' });
  return card !== undefined;
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  const rejected = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Nobody may be waiting when it is aborted.
  rejected.catch(() => undefined);
  return rejected;
}
