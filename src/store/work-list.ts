import type { CardRef, RequestRecord, Status } from '../core/request.ts';

/** Ids given out at once. */
const MOST_AT_ONCE = 1_000;

/** Requests that may have something for a gateway to do, the longest waiting first. */
export class WorkList {
  /** Id → its cards that already show its end. */
  readonly #waiting = new Map<string, Set<string>>();

  /** Takes note of a change. `isUnsure`: a post of it got lost, so that a card may hang somewhere. */
  changed(before: RequestRecord | undefined, record: RequestRecord, isUnsure: boolean): void {
    const { requestId, status, cards } = record;
    if (before?.status === status) {
      // A card that came late offers what is no longer to be had.
      if (cards !== before.cards && (status === 'claimed' || status === 'ended')) this.#add(requestId);
    } else if (status === 'open' || status === 'claimed' || cards.length > 0 || isUnsure) {
      this.#add(requestId);
    } else {
      this.#waiting.delete(requestId);
    }
  }

  settled(record: RequestRecord, card: CardRef, isUnsure: boolean): void {
    this.#waiting.get(record.requestId)?.add(nameOf(card));
    this.restWhenSettled(record, isUnsure);
  }

  /** Takes an ended request off once all its cards show the end and no post of it is in doubt. */
  restWhenSettled({ requestId, status, cards }: RequestRecord, isUnsure: boolean): void {
    const settled = this.#waiting.get(requestId);
    if (settled === undefined || status !== 'ended' || isUnsure) return;
    if (cards.every((one) => settled.has(nameOf(one)))) this.#waiting.delete(requestId);
  }

  rest(requestId: string, seen: Status, now: Status | undefined): void {
    if (now === undefined || now === seen) this.#waiting.delete(requestId);
  }

  list(): string[] {
    return [...this.#waiting.keys()].slice(0, MOST_AT_ONCE);
  }

  #add(requestId: string): void {
    const settled = this.#waiting.get(requestId) ?? new Set();
    this.#waiting.delete(requestId);
    this.#waiting.set(requestId, settled);
  }
}

function nameOf({ channel, message }: CardRef): string {
  return `${channel} ${message}`;
}
