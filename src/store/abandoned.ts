import type { ClosingOutcome } from '../core/lifecycle.ts';
import { OVERDUE_AFTER_MS, QUEUE_FACTOR, type RequestRecord } from '../core/request.ts';

/** How a sweeper ends this request now, or undefined while that is its owner's to do. Pure. */
export function endOfAbandoned(
  { status, queueDeadline, deadline = queueDeadline, waitMs }: RequestRecord,
  facts: { readonly now: number; readonly ownerIsLost: boolean },
): ClosingOutcome | undefined {
  if (status === 'ended') return undefined;
  if (facts.ownerIsLost) return { kind: 'owner_lost' };
  if (facts.now < deadline + OVERDUE_AFTER_MS) return undefined;
  if (status === 'claimed') return { kind: 'indeterminate' };
  const shown = status === 'open';
  return { kind: 'timed_out', shown, waitedMs: shown ? waitMs : QUEUE_FACTOR * waitMs };
}
