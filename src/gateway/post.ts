import { sentenceOf } from '../core/errors.ts';
import { type Place, type SurfaceAdapter, SurfaceError } from '../core/ports/surface-adapter.ts';
import type { CardRef, RequestRecord } from '../core/request.ts';
import { drawableCard, type GatewayDependencies } from './dependencies.ts';
import { keepLatest } from './latest.ts';
import { Work } from './work.ts';

/** First pause after a failed post that may be tried again; doubles up to the limit. */
const RETRY_MS = { first: 500, most: 5_000 } as const;

/**
 * How long the other gateways leave a post to the one whose turn it is: longer than a call to a platform may take
 * (2.5 s), and short enough that the next one posts well before a request counts as undeliverable (20 s).
 */
const TURN_MS = 6_000;

export interface Poster {
  /** Something about this request changed: post what is missing. Cheap, and may be called as often as one likes. */
  look(requestId: string): void;
  /** From the list of work that gateways share: posts what is missing, finds posts that got lost, rests what is done. */
  tidy(requestId: string): void;
  /** Resolves when nothing is being posted any more, at the latest after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

/**
 * Puts each open request on every place of its route: at most one card a place, one post at a time a place, in the order
 * the requests opened. An unknown result is looked up before it is repeated.
 */
export function createPoster(deps: GatewayDependencies & { onCard: (requestId: string) => void }): Poster {
  const { store, adapters, clock, log, route } = deps;
  const work = new Work(clock, log);
  /** Session and place → the thread its cards are in. */
  const threads = new Map<string, string>();
  const posts = new AtMostOnce();
  const lease = deps.gatewayId === undefined ? undefined : { holder: deps.gatewayId, forMs: TURN_MS };
  /** Cards that are in the channel while the store could not record them yet. */
  const unrecorded = new Map<string, CardRef>();
  /** Posts that are being made at this moment: nobody can tell yet whether there is something to find. */
  const underWay = new Set<string>();

  /** Whether this gateway may post now, or only look first; undefined: neither, it is another one's turn. */
  const takeTurn = async (requestId: string, place: Place, key: string): Promise<'post' | 'look' | undefined> => {
    const turn = await store.recordPosting(requestId, place, lease);
    if (turn.turn !== 'yours') return undefined;
    if (turn.lookFirst) posts.doubt(key);
    return turn.lookFirst ? 'look' : 'post';
  };

  /** Undefined: another gateway is beginning it. */
  const threadFor = async (
    adapter: SurfaceAdapter,
    place: Place,
    record: RequestRecord,
  ): Promise<string | undefined> => {
    const { session } = record;
    const key = JSON.stringify([session.sessionId, place.platform, place.channel]);
    const known = threads.get(key);
    if (known !== undefined) return known;
    if (lease !== undefined) {
      const turn = await store.recordThreadPosting(session.sessionId, place, lease);
      if (turn.turn !== 'yours') {
        if (turn.turn === 'posted' && turn.thread !== undefined) threads.set(key, turn.thread);
        return threads.get(key);
      }
      if (turn.lookFirst) posts.doubt(key);
    }
    const thread = await posts.do(
      key,
      () => adapter.openThread(place, session),
      () => adapter.findThread(place, session.sessionId),
    );
    threads.set(key, thread);
    keepLatest(threads);
    if (lease !== undefined) await store.recordThread(session.sessionId, place, thread);
    return thread;
  };

  const find = (adapter: SurfaceAdapter, place: Place, requestId: string) =>
    adapter.findCard(place, undefined, requestId);

  /** Undefined: it is another gateway's turn. */
  const postOnce = async (adapter: SurfaceAdapter, place: Place, record: RequestRecord, key: string) => {
    const { requestId } = record;
    if ((await takeTurn(requestId, place, key)) === undefined) return undefined;
    const thread = await threadFor(adapter, place, record);
    if (thread === undefined) return undefined;
    return posts.do(
      key,
      async () => {
        // What was done since may have taken longer than the turn; one that passed on meanwhile is not ours any more.
        if (lease !== undefined && (await takeTurn(requestId, place, key)) !== 'post') return undefined;
        const current = await store.read(requestId);
        if (current?.status === 'open') return adapter.post(place, thread, await drawableCard(current, deps));
        // Withdrawn or decided elsewhere meanwhile: nothing is posted that nobody may press.
        if (!posts.isUnsure(key)) await store.giveUpPost(requestId, place);
        return undefined;
      },
      async () => {
        const found = await find(adapter, place, requestId);
        // Whoever posted it may have come no further.
        return found && adapter.announce(found, await drawableCard(record, deps));
      },
    );
  };

  /** Returns the pause before the next try, or undefined when there is nothing more to do here. */
  const attempt = async (
    requestId: string,
    place: Place,
    failures: number,
    inLane = true,
  ): Promise<number | undefined> => {
    const adapter = adapters.find((candidate) => candidate.platform === place.platform);
    const record = await store.read(requestId);
    const key = keyOf(requestId, place);
    const isOpen = record?.status === 'open';
    /** Something may hang in the channel that the record does not know: it has to be found even after the end. */
    const isAstray = unrecorded.has(key) || posts.isUnsure(key);
    // A click on it may have told the record of the card before we could, and without its pointer.
    const isKnown = record !== undefined && hasCard(record, place) && !unrecorded.has(key);
    if (adapter === undefined || record === undefined || isKnown || !(isOpen || isAstray)) return undefined;
    if (!isOpen && inLane) {
      // Nobody waits for this card any more, and the next one waits behind it.
      work.enqueue(`find ${key}`, `find ${key}`, (tries) => attempt(requestId, place, tries, false));
      return undefined;
    }
    underWay.add(key);
    try {
      const card =
        unrecorded.get(key) ??
        (isOpen ? await postOnce(adapter, place, record, key) : await find(adapter, place, requestId));
      if (card === undefined) return undefined;
      unrecorded.set(key, card);
      const recorded = await store.recordCard(requestId, card);
      if (recorded.code !== 'done') return RETRY_MS.first;
      unrecorded.delete(key);
      deps.onCard(requestId);
      return undefined;
    } catch (error) {
      const isRefused = error instanceof SurfaceError && error.permanent;
      // What may hang in the channel stays to be found: refused for good counts only where nothing can be there.
      const permanent = isRefused && !posts.isUnsure(key) && !unrecorded.has(key);
      log.warn({ requestId, place, permanent, reason: sentenceOf(error) }, 'a card could not be posted');
      if (isOpen) await store.recordPostFailure(requestId, { ...place, reason: sentenceOf(error), permanent });
      // Once its request ended, a card that may not be looked for is left to the next run: its journal entry is open.
      if (permanent || (isRefused && !isOpen)) return undefined;
      const backOff = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** failures);
      return error instanceof SurfaceError ? (error.retryAfterMs ?? backOff) : backOff;
    } finally {
      underWay.delete(key);
    }
  };

  /** Of an ended request without a card there: whether a post of it, here or of a gateway that is gone, hangs there after all. */
  const findLost = async (requestId: string, place: Place, failures: number): Promise<number | undefined> => {
    const key = keyOf(requestId, place);
    // What is being posted stays on the list: it is looked for once it is known what became of it.
    if (underWay.has(key) || (await takeTurn(requestId, place, key)) === undefined) return undefined;
    const pauseMs = await attempt(requestId, place, failures, false);
    if (pauseMs !== undefined) return pauseMs;
    const record = await store.read(requestId);
    if (record !== undefined && !hasCard(record, place)) await store.giveUpPost(requestId, place);
    return undefined;
  };

  const post = (requestId: string, places: readonly Place[]) => {
    for (const place of places) {
      const name = `${place.platform} ${place.channel}`;
      work.enqueue(name, `post ${requestId} ${name}`, (failures) => attempt(requestId, place, failures));
    }
  };

  const missing = (record: RequestRecord) =>
    (route(record.session)?.places ?? []).filter((place) => !hasCard(record, place));

  return {
    look(requestId) {
      work.start(`look ${requestId}`, async () => {
        const record = await store.read(requestId);
        if (record?.status === 'open') post(requestId, missing(record));
      });
    },
    tidy(requestId) {
      work.start(`tidy ${requestId}`, async () => {
        const record = await store.read(requestId);
        if (record === undefined) return store.rest(requestId, 'ended');
        const places = missing(record);
        if (record.status === 'open' && places.length > 0) return post(requestId, places);
        // Without a route it is for another gateway, whose configuration knows the session.
        if (record.status === 'open' && record.cards.length > 0) return store.rest(requestId, 'open');
        if (record.status !== 'ended') return;
        if (places.length === 0) return record.cards.length === 0 ? store.rest(requestId, 'ended') : undefined;
        for (const place of places) {
          const key = `lost ${keyOf(requestId, place)}`;
          work.enqueue(key, key, (failures) => findLost(requestId, place, failures));
        }
      });
    },
    drain(graceMs) {
      // Requests have ended by now: a post that waits for its next try sees that and gives up, or finds its stray card.
      work.hurry();
      return work.drain(graceMs);
    },
  };
}

/**
 * Does things that must not be done twice. After an attempt of which nobody can tell whether it worked, every later
 * attempt under the same key looks first.
 */
class AtMostOnce {
  readonly #unsure = new Set<string>();

  isUnsure(key: string): boolean {
    return this.#unsure.has(key);
  }

  /** Somebody else may have done it. */
  doubt(key: string): void {
    this.#unsure.add(key);
  }

  /** An `act` that resolves to undefined did nothing. */
  async do<T>(key: string, act: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
    const found = this.#unsure.has(key) ? await find() : undefined;
    try {
      const done = found ?? (await act());
      if (done !== undefined) this.#unsure.delete(key);
      return done;
    } catch (error) {
      if (!(error instanceof SurfaceError) || !error.ambiguous) throw error;
      this.#unsure.add(key);
      throw error;
    }
  }
}

function keyOf(requestId: string, { platform, channel }: Place): string {
  return JSON.stringify([requestId, platform, channel]);
}

function hasCard(record: RequestRecord, place: Pick<CardRef, 'platform' | 'channel'>): boolean {
  return record.cards.some((card) => card.platform === place.platform && card.channel === place.channel);
}
