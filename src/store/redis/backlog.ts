import * as z from 'zod';

/** What is left to do for the gateways of a Redis. Of the longest waiting requests only, so that counting stays cheap. */
export interface Backlog {
  /** Open requests that have no card anywhere: nobody can see them. */
  readonly withoutCard: number;
  /** Cards of ended requests that do not show it yet. */
  readonly unsettledCards: number;
  /** Milliseconds since the oldest row of the audit that is not sealed was written; 0 when all are. */
  readonly unsealedForMs: number;
}

const counted = z.tuple([z.int(), z.int(), z.int()]);

/** What `count-work-0.lua` returned. */
export function backlogOf(reply: unknown): Backlog {
  const [withoutCard, unsettledCards, unsealedForMs] = counted.parse(reply);
  return { withoutCard, unsettledCards, unsealedForMs };
}
