import type { SurfaceAdapter, SurfaceHost } from '../../core/ports/surface-adapter.ts';
import type { CardRef } from '../../core/request.ts';

/** An adapter that says what passes through it, and otherwise changes nothing. */
export interface WatchedAdapter {
  readonly adapter: SurfaceAdapter;
  /** The gateway's side, from its start on. */
  readonly host: Promise<SurfaceHost>;
  /** The first card that was posted or found. */
  readonly posted: Promise<CardRef>;
  /** A card was drawn as ended. */
  readonly settled: Promise<undefined>;
  /** Everything that is in channels because of it. A thread without a card names its parent twice. */
  readonly left: ReadonlySet<CardRef>;
}

export function watchAdapter(inner: SurfaceAdapter): WatchedAdapter {
  const host = oneTime<SurfaceHost>();
  const posted = oneTime<CardRef>();
  const settled = oneTime<undefined>();
  const left = new Set<CardRef>();
  const isThere = (ref: CardRef) => {
    left.add(ref);
    posted.happen(ref);
    return ref;
  };
  const adapter: SurfaceAdapter = {
    platform: inner.platform,
    get workspaceId() {
      return inner.workspaceId;
    },
    start(to) {
      host.happen(to);
      return inner.start(to);
    },
    stop: (graceMs) => inner.stop(graceMs),
    health: () => inner.health(),
    checkPlace: (place) => inner.checkPlace(place),
    async openThread(place, session) {
      // A bot may not delete a thread on Discord, and cards can be in the channel itself.
      if (inner.platform === 'discord') return place.channel;
      const thread = await inner.openThread(place, session);
      left.add({ ...place, workspaceId: inner.workspaceId, message: thread, thread });
      return thread;
    },
    post: async (place, thread, card) => isThere(await inner.post(place, thread, card)),
    async findCard(place, thread, requestId) {
      const found = await inner.findCard(place, thread, requestId);
      return found && isThere(found);
    },
    async announce(ref, card) {
      const announced = await inner.announce(ref, card);
      left.delete(ref);
      return isThere(announced);
    },
    groupsOf: (userId, groups, fresh) => inner.groupsOf(userId, groups, fresh),
    whoIs: (actor) => inner.whoIs(actor),
    findThread: (place, sessionId) => inner.findThread(place, sessionId),
    async update(ref, card) {
      await inner.update(ref, card);
      if (card.state.phase === 'ended') settled.happen(undefined);
    },
    retire: (ref, outcome) => inner.retire(ref, outcome),
  };
  return { adapter, host: host.first, posted: posted.first, settled: settled.first, left };
}

/** Something that is waited for, and counts the first time only. */
function oneTime<T>(): { readonly first: Promise<T>; happen(value: T): void } {
  let happen: (value: T) => void = () => undefined;
  const first = new Promise<T>((resolve) => {
    happen = resolve;
  });
  return { first, happen: (value) => happen(value) };
}
