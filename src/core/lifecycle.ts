import { endedBy, type Outcome, outcomeOfSheet } from './outcomes.ts';
import { isOffered } from './picks.ts';
import type { CardRef, NewRequest, PostFailure, RequestRecord, Status, Verdict, Vote } from './request.ts';
import { QUEUE_FACTOR } from './request.ts';
import type { StoreRefusal } from './store-codes.ts';

/** Everything that can happen to a request. The owner shows, closes and confirms; the gateway claims. */
export type LifecycleEvent =
  | { readonly type: 'show'; readonly at: number }
  /** Somebody allowed a step that takes several people. `cast`: the votes that stand besides. */
  | { readonly type: 'vote'; readonly vote: Vote; readonly cast: readonly Vote[]; readonly at: number }
  | { readonly type: 'claim'; readonly verdict: Verdict }
  /** Something that is no verdict on this request stands where its verdict belongs: nobody can claim it any more. */
  | { readonly type: 'spoil' }
  /** The agent received the verdict. */
  | { readonly type: 'confirm'; readonly at: number }
  | { readonly type: 'close'; readonly outcome: ClosingOutcome; readonly at: number };

/** Outcomes an owner may close with; answers and refusals come only from a claim that was confirmed. */
export type ClosingOutcome = Extract<
  Outcome,
  { kind: 'timed_out' | 'cancelled' | 'superseded' | 'owner_lost' | 'undeliverable' | 'indeterminate' }
>;

/** The whole lifecycle: for each status, the events it takes and where they lead. Nothing else moves a request. */
export const LIFECYCLE: Readonly<Record<Status, Readonly<Partial<Record<LifecycleEvent['type'], Status>>>>> = {
  queued: { show: 'open', spoil: 'claimed', close: 'ended' },
  open: { vote: 'open', claim: 'claimed', spoil: 'claimed', close: 'ended' },
  claimed: { confirm: 'ended', close: 'ended' },
  ended: {},
};

/** Once a verdict is recorded, the owner may only say that its delivery is not confirmed, or that it is gone itself. */
const CLOSES_A_CLAIM: ReadonlySet<ClosingOutcome['kind']> = new Set(['indeterminate', 'owner_lost']);

export type Transition =
  | { readonly ok: true; readonly record: RequestRecord }
  | { readonly ok: false; readonly refusal: StoreRefusal };

/** A request as it is stored first: in its session's line. `show` opens it. */
export function newRecord(request: NewRequest, now: number): RequestRecord {
  return {
    ...request,
    status: 'queued',
    createdAt: now,
    queueDeadline: now + QUEUE_FACTOR * request.waitMs,
    cards: [],
    postFailures: [],
  };
}

/** The one function that moves a request. Pure: returns the next record, or why the event changes nothing. */
export function transition(record: RequestRecord, event: LifecycleEvent): Transition {
  const next = LIFECYCLE[record.status][event.type];
  if (next === undefined) return refuse(refusalOf(record, event.type));
  switch (event.type) {
    case 'show':
      return move({ ...record, status: next, shownAt: event.at, deadline: event.at + record.waitMs });
    case 'vote': {
      const { vote, cast, at } = event;
      if (isPastDeadline(record, at)) return refuse('deadline_passed');
      if (!isOffered(record, vote.decision)) return refuse('option_not_offered');
      const revision = (record.ballot?.revision ?? 0) + 1;
      return move({ ...record, status: next, ballot: { revision, cast: [...cast, vote] } });
    }
    case 'claim':
      if (isPastDeadline(record, event.verdict.at)) return refuse('deadline_passed');
      if (!isOffered(record, event.verdict.decision)) return refuse('option_not_offered');
      return move({ ...record, status: next, verdict: event.verdict });
    case 'spoil':
      return move({ ...record, status: next });
    case 'confirm':
      return move(ended(record, outcomeOfVerdict(record), event.at));
    case 'close':
      if (record.status === 'claimed' && !CLOSES_A_CLAIM.has(event.outcome.kind))
        return refuse('resolution_in_progress');
      return move(ended(record, event.outcome, event.at));
  }
}

/** Why a claim at this moment would change nothing, so that nobody fills in a form in vain; the claim judges again. */
export function refusalToClaim(record: RequestRecord, now: number): StoreRefusal | undefined {
  if (LIFECYCLE[record.status].claim === undefined) return refusalOf(record, 'claim');
  return isPastDeadline(record, now) ? 'deadline_passed' : undefined;
}

/**
 * Adds what the gateway learnt about a card. Not a move: the status stays. A card that was first known by a click on it
 * gets its pointer later, from whoever posted both.
 */
export function withCard(record: RequestRecord, card: CardRef): RequestRecord {
  const isSame = (other: CardRef) => other.channel === card.channel && other.message === card.message;
  const known = record.cards.find(isSame);
  if (known === undefined) return { ...record, cards: [...record.cards, card] };
  if (card.pointer === undefined || known.pointer !== undefined) return record;
  return { ...record, cards: record.cards.map((other) => (other === known ? card : other)) };
}

/** Replaces what was known about the same surface, so that the list holds one failure a surface. */
export function withPostFailure(record: RequestRecord, failure: PostFailure): RequestRecord {
  const others = record.postFailures.filter(
    (known) => known.channel !== failure.channel || known.platform !== failure.platform,
  );
  return { ...record, postFailures: [...others, failure] };
}

/** The outcome a recorded verdict leads to once it is confirmed. */
export function outcomeOfVerdict(record: RequestRecord): Outcome {
  const decision = record.verdict?.decision;
  if (decision === undefined) return { kind: 'indeterminate' };
  return decision.kind === 'answers' ? outcomeOfSheet(decision.sheet) : decision;
}

function ended(record: RequestRecord, outcome: Outcome, at: number): RequestRecord {
  return { ...record, status: 'ended', outcome, by: endedBy(outcome.kind), endedAt: at };
}

function isPastDeadline(record: RequestRecord, now: number): boolean {
  return record.deadline === undefined || now >= record.deadline;
}

function refusalOf(record: RequestRecord, event: LifecycleEvent['type']): StoreRefusal {
  const decides = event === 'claim' || event === 'vote';
  if (decides && record.status === 'queued') return 'not_shown';
  if (decides && record.status === 'claimed') return 'resolution_in_progress';
  if (record.status !== 'ended') return 'not_allowed';
  switch (record.outcome?.kind) {
    case 'timed_out':
      return 'deadline_passed';
    case 'indeterminate':
    case 'owner_lost':
      return 'delivery_failed';
    case 'cancelled':
    case 'superseded':
    case 'undeliverable':
      return 'stale';
    default:
      return 'already_resolved';
  }
}

function move(record: RequestRecord): Transition {
  return { ok: true, record };
}

function refuse(refusal: StoreRefusal): Transition {
  return { ok: false, refusal };
}
