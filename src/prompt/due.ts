import type { ClosingOutcome } from '../core/lifecycle.ts';
import { QUEUE_FACTOR, type RequestRecord } from '../core/request.ts';

/** A request nobody decided yet. */
export type Verdictless = RequestRecord & { readonly status: 'queued' | 'open' };

/** A request that got no card anywhere within this time of opening ends as undeliverable (product.md "Outcomes"). */
const UNDELIVERABLE_AFTER_MS = 20_000;

/** What its owner has to do with an undecided request now, or when to look again. Pure. */
export function whatIsDue(
  record: Verdictless,
  facts: {
    readonly now: number;
    readonly withdrawn: boolean;
    /** The request whose grant is why it is withdrawn. */
    readonly coveredBy?: string | undefined;
    readonly surfaces: number;
  },
): { readonly outcome: ClosingOutcome; readonly inMs?: never } | { readonly outcome?: never; readonly inMs: number } {
  const { coveredBy } = facts;
  if (facts.withdrawn) return { outcome: { kind: 'cancelled', ...(coveredBy === undefined ? {} : { coveredBy }) } };
  if (record.status === 'queued') {
    return facts.now >= record.queueDeadline
      ? { outcome: { kind: 'timed_out', shown: false, waitedMs: QUEUE_FACTOR * record.waitMs } }
      : { inMs: record.queueDeadline - facts.now };
  }
  const { shownAt = record.createdAt, deadline = record.queueDeadline } = record;
  if (record.cards.length === 0) {
    const refusals = record.postFailures.filter((failure) => failure.permanent);
    const reason = (refusals.at(-1) ?? record.postFailures.at(-1))?.reason;
    const lastTry = Math.min(shownAt + UNDELIVERABLE_AFTER_MS, deadline);
    if (refusals.length < facts.surfaces && facts.now < lastTry) return { inMs: lastTry - facts.now };
    return { outcome: { kind: 'undeliverable', reason: reason ?? 'no card could be posted in time' } };
  }
  if (facts.now >= deadline) return { outcome: { kind: 'timed_out', shown: true, waitedMs: record.waitMs } };
  return { inMs: deadline - facts.now };
}
