import type { RequestRecord } from '../core/request.ts';

/**
 * The request of a session that may open now, or undefined: while one is open or decided but not confirmed, the others
 * wait. `unfinished` are the session's own, in order of creation. One whose time in the queue is over is passed by,
 * since its owner is about to end it and a card would flash up for nothing. Proposals are no part of the line.
 */
export function nextToShow(unfinished: Iterable<RequestRecord>, now: number): RequestRecord | undefined {
  let first: RequestRecord | undefined;
  for (const record of unfinished) {
    if (record.status === 'ended' || record.kind === 'proposal') continue;
    if (record.status !== 'queued') return undefined;
    if (first === undefined && record.queueDeadline > now) first = record;
  }
  return first;
}

/** What a new request with this pending id replaces: whatever of its session still carries the same one. */
export function carriersOf(
  pendingId: string | undefined,
  unfinished: readonly RequestRecord[],
): readonly RequestRecord[] {
  return pendingId === undefined ? [] : unfinished.filter((record) => record.pendingId === pendingId);
}
