import { QUEUE_FACTOR } from '../../core/request.ts';
import { KEEP_ENDED_MS } from '../ended-records.ts';

/** The longest wait that the configuration takes (product.md "Questions"). */
export const LONGEST_WAIT_MS = 24 * 3_600_000;

/** Time between an answer and its confirmation, on top of all waits, in which a record must not vanish. */
export const SLACK_MS = 3_600_000;

/** How long a request stays in Redis: through its queue and its wait, and then as a replay barrier. */
export function keepMsOf(waitMs: number): number {
  return (QUEUE_FACTOR + 1) * waitMs + KEEP_ENDED_MS + SLACK_MS;
}
