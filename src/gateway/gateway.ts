import { sentenceOf } from '../core/errors.ts';
import type { Unsubscribe } from '../core/ports/request-store.ts';
import { createDecider, type Decider } from './decide.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { createPoster } from './post.ts';
import { createSettler } from './settle.ts';
import { createSharing, type Sharing } from './sharing.ts';
import { startingOf } from './starting.ts';

export interface Gateway {
  /** Judges what comes by another way than an adapter. */
  readonly decider: Decider;
  /** What the card of an ended proposal offers has changed (`LaterActions`). */
  redraw(requestId: string): void;
  /** Connects the adapters and takes up every unfinished request. Rejects, with all of it stopped, if one cannot start. */
  start(): Promise<void>;
  /** Settles what is left (at most `graceMs`), then disconnects. */
  stop(graceMs: number): Promise<void>;
}

/** Posting queue poll: a lost wake-up costs at most this long (architecture.md invariant 1). */
const POLL_MS = 1_000;

/** Hosts the adapters: puts open requests on cards, takes clicks, redraws cards as their requests move on. */
export function createGateway(deps: GatewayDependencies): Gateway {
  const { store, adapters, clock, log } = deps;
  const sharing = deps.gatewayId === undefined ? undefined : createSharing();
  const settler = createSettler({ ...deps, ...(sharing === undefined ? {} : { isOurs: sharing.isOurs }) });
  const onCard = (requestId: string) => {
    sharing?.posted(requestId);
    settler.look(requestId);
  };
  const poster = createPoster({ ...deps, onCard });
  const decider = createDecider({
    ...deps,
    onCard,
    onVoted: (requestId) => settler.progressed(requestId),
    onClaimed(requestId, redraw) {
      settler.offerRedraw(requestId, redraw);
      sharing?.claimed(requestId);
      // The wake-up may have come before it was known whose claim it was.
      if (sharing !== undefined) settler.look(requestId);
    },
  });
  const surfaces = startingOf(adapters, { patient: deps.gatewayId !== undefined, clock, log });
  let unsubscribe: Unsubscribe = () => undefined;
  let cancelPoll: () => void = () => undefined;
  let isStopped = false;

  const lookAtUnfinished = async () => {
    for (const record of await store.listUnfinished()) {
      poster.look(record.requestId);
      settler.look(record.requestId);
    }
  };

  const lookAtWork = async (shared: Sharing) => {
    const ids = await store.listWork();
    for (const requestId of ids) poster.tidy(requestId);
    for (const requestId of shared.adopt(ids)) settler.look(requestId);
  };

  const attempt = async (step: () => Promise<unknown>, failed: string) => {
    try {
      await step();
    } catch (error) {
      log.error({ error: sentenceOf(error) }, `${failed}; trying again`);
    }
  };

  const lookAtAll = async () => {
    // What hinders the one is no reason to leave out the other.
    if (sharing !== undefined) await attempt(() => store.sweep(), 'requests that nobody ends could not be ended');
    await attempt(
      () => (sharing === undefined ? lookAtUnfinished() : lookAtWork(sharing)),
      'the open requests could not be listed',
    );
    if (!isStopped) cancelPoll = clock.after(POLL_MS, () => void lookAtAll());
  };

  return {
    decider,
    redraw: (requestId) => settler.redraw(requestId),
    async start() {
      unsubscribe = await store.watchRequests((requestId) => {
        poster.look(requestId);
        settler.look(requestId);
      });
      try {
        await surfaces.start(decider);
      } catch (error) {
        unsubscribe();
        throw error;
      }
      await lookAtAll();
    },
    async stop(graceMs) {
      isStopped = true;
      cancelPoll();
      // What comes from now on is for the other gateways, or for the next one.
      if (sharing !== undefined) unsubscribe();
      const until = clock.now() + graceMs;
      // One after the other: a post that was on its way leaves a card for the settler, which works all the while.
      await poster.drain(graceMs);
      await settler.drain(Math.max(0, until - clock.now()));
      unsubscribe();
      await surfaces.stop(graceMs);
    },
  };
}
