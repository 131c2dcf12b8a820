import { sentenceOf } from '../core/errors.ts';
import { SurfaceError } from '../core/ports/surface-adapter.ts';
import type { CardRef, RequestRecord } from '../core/request.ts';
import { isForgotten } from '../prompt/card-view.ts';
import { seenOn } from '../prompt/seen-on.ts';
import { drawableCard, type GatewayDependencies, type Redraw } from './dependencies.ts';
import { keepLatest } from './latest.ts';
import { Work } from './work.ts';

/**
 * A delivery is normally confirmed within milliseconds; waiting this long before drawing "recorded, waiting for the
 * agent" saves an edit a click, and people see one change instead of two.
 */
const CONFIRMATION_GRACE_MS = 400;

/** An edit without an answer may still arrive, and undo the ones after it; what the record says is then drawn once more. */
const LATE_EDIT_MS = 6_000;

/** Pause after a failed try, doubled up to the limit. */
const RETRY_MS = { first: 500, most: 10_000 } as const;

/** A progress line that cannot be drawn is left as it was; the end is drawn however long it takes. */
const MOST_PROGRESS_TRIES = 4;

export interface Settler {
  /** Something about this request changed: bring its cards up to date. May be called as often as one likes. */
  look(requestId: string): void;
  /** A click's own way to redraw its card, tried before the platform's rate-limited one. */
  offerRedraw(requestId: string, redraw: Redraw | undefined): void;
  /** What the card of an ended request offers has changed: draws it once more. */
  redraw(requestId: string): void;
  /** Somebody allowed an open step that takes several: draws how far it has come, unless it is decided by then. */
  progressed(requestId: string): void;
  drain(graceMs: number): Promise<void>;
}

/** Brings every card of a decided or ended request to what its record says, and keeps trying until it is there. */
export function createSettler(
  deps: GatewayDependencies & {
    /** Whether it is for this gateway to settle it, where there are several. */
    isOurs?: (record: RequestRecord) => boolean;
  },
): Settler {
  const { store, adapters, clock, log } = deps;
  const isShared = deps.gatewayId !== undefined;
  const work = new Work(clock, log);
  const drawn = new Map<string, RequestRecord['status']>();
  const redraws = new Map<string, Redraw>();
  const waiting = new Set<string>();
  /** Cards of which an edit had no answer. */
  const doubtful = new Set<string>();

  const draw = async (record: RequestRecord, ref: CardRef): Promise<void> => {
    const adapter = adapters.find((candidate) => candidate.platform === ref.platform);
    if (adapter === undefined) throw new Error(`no adapter for ${ref.platform}`);
    // The store keeps who, what and when of old requests longer than their texts.
    if (isForgotten(record.view)) return adapter.retire(ref, record.outcome ?? { kind: 'indeterminate' });
    const card = seenOn(ref.platform, await drawableCard(record, deps));
    const redraw = redraws.get(record.requestId);
    if (redraw !== undefined && (await redraw(ref, card))) return;
    await adapter.update(ref, card);
  };

  /** Draws what the record says, and journals an end that is drawn: else the next run would draw another one over it. */
  const attempt = async (requestId: string, ref: CardRef, failures: number): Promise<number | undefined> => {
    const key = nameOf(requestId, ref);
    const record = await store.read(requestId);
    if (record?.status !== 'claimed' && record?.status !== 'ended') return undefined;
    if (record.status === 'claimed' && drawn.get(key) === 'claimed') return undefined;
    try {
      if (drawn.get(key) !== record.status) await draw(record, ref);
      drawn.set(key, record.status);
      keepLatest(drawn);
      if (record.status === 'claimed') {
        if (isShared) await store.rest(requestId, 'claimed');
        return 0;
      }
      redraws.delete(requestId);
      await store.recordSettled(requestId, ref);
      if (doubtful.delete(key)) drawAgainLater(requestId, ref);
      return undefined;
    } catch (error) {
      log.warn({ requestId, channel: ref.channel, failures, reason: sentenceOf(error) }, 'a card could not be settled');
      if (error instanceof SurfaceError && error.ambiguous) doubtful.add(key);
      if (error instanceof SurfaceError && error.permanent) {
        // Nothing will ever be drawn on it: no gateway need try again.
        if (isShared) await store.rest(requestId, record.status);
        return undefined;
      }
      const backOff = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** failures);
      return error instanceof SurfaceError ? (error.retryAfterMs ?? backOff) : backOff;
    }
  };

  const drawAgain = (requestId: string, ref: CardRef) => {
    const key = nameOf(requestId, ref);
    work.enqueue(laneOf(requestId, ref), `again ${key}`, async () => {
      const record = await store.read(requestId);
      if (record?.status === 'ended') await draw(record, ref);
      return undefined;
    });
  };

  const drawAgainLater = (requestId: string, ref: CardRef) => {
    clock.after(LATE_EDIT_MS, () => drawAgain(requestId, ref));
  };

  const look = (requestId: string): void =>
    work.start(requestId, async () => {
      const record = await store.read(requestId);
      if (record === undefined || record.status === 'queued' || record.status === 'open') return;
      if (deps.isOurs?.(record) === false) return;
      const graceLeft =
        record.status === 'claimed' ? (record.verdict?.at ?? 0) + CONFIRMATION_GRACE_MS - clock.now() : 0;
      if (graceLeft > 0) {
        if (waiting.has(requestId)) return;
        waiting.add(requestId);
        clock.after(graceLeft, () => {
          waiting.delete(requestId);
          look(requestId);
        });
        return;
      }
      for (const ref of record.cards) {
        const key = nameOf(requestId, ref);
        if (drawn.get(key) === record.status) continue;
        work.enqueue(laneOf(requestId, ref), key, (failures) => attempt(requestId, ref, failures));
      }
    });

  /** A failed one is tried again outside the lane: the end of the request, which comes next there, must not wait for it. */
  const progressed = (requestId: string, tries = 0): void =>
    work.start(`progress ${requestId}`, async () => {
      const { ballot, cards = [] } = (await store.read(requestId)) ?? {};
      for (const ref of cards) {
        const key = `progress ${ballot?.revision} ${tries} ${nameOf(requestId, ref)}`;
        work.enqueue(laneOf(requestId, ref), key, async () => {
          const record = await store.read(requestId);
          if (record?.status !== 'open') return undefined;
          try {
            await draw(record, ref);
          } catch (error) {
            const again = tries < MOST_PROGRESS_TRIES && !(error instanceof SurfaceError && error.permanent);
            log.warn({ requestId, channel: ref.channel, again, reason: sentenceOf(error) }, 'votes were not drawn');
            if (again) clock.after(RETRY_MS.first * 2 ** tries, () => progressed(requestId, tries + 1));
          }
          return undefined;
        });
      }
    });

  return {
    look,
    offerRedraw(requestId, redraw) {
      if (redraw !== undefined) redraws.set(requestId, redraw);
    },
    redraw(requestId) {
      work.start(`again ${requestId}`, async () => {
        const record = await store.read(requestId);
        for (const ref of record?.cards ?? []) drawAgain(requestId, ref);
      });
    },
    progressed,
    drain: (graceMs) => work.drain(graceMs),
  };
}

/** A card whose pointer became known has more to be drawn than before. */
function nameOf(requestId: string, ref: CardRef): string {
  return [laneOf(requestId, ref), ref.pointer ?? ''].join(' ');
}

/** One card is drawn one thing after another, whether its pointer is known or not: an older drawing never comes last. */
function laneOf(requestId: string, { platform, channel, message }: CardRef): string {
  return [requestId, platform, channel, message].join(' ');
}
