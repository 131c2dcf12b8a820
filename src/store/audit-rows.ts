import { type Actor, kindOf, sourceOf } from '../core/actor.ts';
import { outcomeOfVerdict } from '../core/lifecycle.ts';
import type { Outcome } from '../core/outcomes.ts';
import { picksOf } from '../core/picks.ts';
import type { AuditRow } from '../core/ports/audit-sink.ts';
import type { CastVote } from '../core/ports/request-store.ts';
import type { CardRef, NewRequest, PostFailure, RequestRecord, Vote } from '../core/request.ts';

/** The rows of a move: what the audit has to say about `next`, which came out of `event`. */
export function rowsOf(event: 'asked' | 'shown' | 'claimed' | 'delivered' | 'ended', next: RequestRecord, at: number) {
  const { verdict } = next;
  const choice = verdict === undefined ? {} : { ...by(verdict.actor), interactionId: verdict.interactionId };
  switch (event) {
    case 'asked':
      return { ...row(event, next, at), ...stepOf(next) };
    case 'shown':
      return row(event, next, at);
    case 'claimed':
      return {
        ...row(event, next, at),
        ...choice,
        outcome: outcomeOfVerdict(next).kind,
        ...(verdict === undefined ? {} : { picks: picksOf(next, verdict.decision) }),
      };
    case 'delivered':
    case 'ended':
      return {
        ...row(event, next, at),
        // What was not believed does not say who chose.
        ...(faultOf(next.outcome) ?? choice),
        ...(next.outcome === undefined ? {} : { outcome: next.outcome.kind }),
      };
  }
}

/** What a proposal is about, as a row says it: by its digest, never by its text. */
export function stepOf(request: NewRequest): Pick<AuditRow, 'proposal'> {
  if (request.kind !== 'proposal') return {};
  const { tool, effect, digest } = request.view.proposal;
  return { proposal: { tool, effect, digest } };
}

export function cardPosted(record: RequestRecord, card: CardRef, at: number): AuditRow {
  return { ...row('card_posted', record, at), channel: card.channel, message: card.message };
}

export function cardFailed(record: RequestRecord, failure: PostFailure, at: number): AuditRow {
  return { ...row('card_failed', record, at), channel: failure.channel, reason: failure.reason };
}

/** The record may be gone or never have been: a forged id is audited, too. */
export function cardSettled(requestId: string, record: RequestRecord | undefined, card: CardRef, at: number): AuditRow {
  return {
    ...(record === undefined ? { at, event: 'card_settled', requestId } : row('card_settled', record, at)),
    channel: card.channel,
    message: card.message,
  };
}

/** How long a platform may bring one click again, ms: Discord by a RESUME, as long as an interaction lives (platforms.md 2b). */
export const REFUSAL_REMEMBERED_MS = 15 * 60_000;

export function clickRefused(
  requestId: string,
  record: RequestRecord | undefined,
  click: { claim: { actor: Actor; interactionId: string }; reason: string; picks?: readonly string[] },
  at: number,
): AuditRow {
  return {
    ...(record === undefined ? { at, event: 'click_refused', requestId } : row('click_refused', record, at)),
    ...by(click.claim.actor),
    interactionId: click.claim.interactionId,
    ...(click.picks === undefined ? {} : { picks: click.picks }),
    reason: click.reason,
  };
}

/** The rows of a vote: those that count no more, then the new one. */
export function rowsOfVote(record: RequestRecord, { vote, kept, struck, needed }: CastVote, at: number): AuditRow[] {
  const of = ({ actor, interactionId, decision }: Vote) => ({
    ...by(actor),
    interactionId,
    picks: picksOf(record, decision),
  });
  return [
    ...struck.map((one): AuditRow => ({ ...row('vote_struck', record, at), ...of(one.vote), reason: one.reason })),
    { ...row('voted', record, at), ...of(vote), votes: { cast: kept.length + 1, needed } },
  ];
}

/** Why a recorded verdict was not believed, or a permission not used, as a member of the row. */
export function faultOf(outcome: Outcome | undefined): Pick<AuditRow, 'reason'> | undefined {
  const reason = outcome?.kind === 'indeterminate' ? (outcome.reason ?? outcome.withheld) : undefined;
  return reason === undefined ? undefined : { reason };
}

function row(event: AuditRow['event'], record: RequestRecord, at: number): AuditRow {
  const { requestId, pendingId, session, ownerId } = record;
  const pending = pendingId === undefined ? {} : { pendingId };
  return { at, event, requestId, ...pending, sessionId: session.sessionId, ownerId };
}

/** Who, and through what. */
export function by(actor: Actor): Pick<AuditRow, 'source' | 'actor'> {
  const { platform, workspaceId, userId, standing } = actor;
  return { source: sourceOf(actor), actor: { kind: kindOf(actor), platform, workspaceId, userId, standing } };
}
