import type { Actor, Platform } from './actor.ts';
import type { EndedBy, Outcome } from './outcomes.ts';
import type { Proposal, Scope } from './proposals/contract.ts';
import type { AnswerSheet } from './questions/answers.ts';
import type { QuestionBatch } from './questions/contract.ts';
import type { SubAgent } from './sub-agent.ts';
import type { VerdictSignature } from './verdict-signature.ts';

/**
 * Facts about the run a request comes from, told by its owner. Facts only: who may answer and where it is posted is the
 * gateway's to decide, from its own configuration.
 */
export interface SessionFacts {
  readonly sessionId: string;
  /** Name of the agent integration: `claude-code`, `generic`, or `script` for the CLI's own questions. */
  readonly agent: string;
  /** What people know it by (`codex`, `node review.mjs`), where the integration's name does not say it. */
  readonly program?: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Git branch at the start of the run, where there is one. */
  readonly branch?: string;
  /** `user@host` that started the run. */
  readonly startedBy: string;
  /** For whom it runs, as `run --as` was told: `slack:U01`. Absent: nobody is the requester. */
  readonly requester?: string;
}

/** The platform-neutral content of a card. Adapters render from it and from nothing else. */
export type CardView = QuestionsView | ProposalView;

export interface QuestionsView {
  readonly v: 1;
  readonly requestId: string;
  readonly kind: 'questions';
  readonly session: SessionFacts;
  /** Absent where the agent itself asks. */
  readonly subAgent?: SubAgent;
  readonly questions: QuestionBatch['questions'];
}

export interface ProposalView {
  readonly v: 1;
  readonly requestId: string;
  readonly kind: 'proposal';
  readonly session: SessionFacts;
  readonly proposal: Proposal;
}

/**
 * What the operator decided. `declined` is "Decide without us": it ends the whole batch without answers. `granted` and
 * `denied` are for proposals only, the others for questions only (`picks.ts`).
 */
export type Decision =
  | { readonly kind: 'answers'; readonly sheet: AnswerSheet }
  | { readonly kind: 'declined' }
  | { readonly kind: 'granted'; readonly scope: Scope }
  /** `note`: what the person wants the agent to know. */
  | { readonly kind: 'denied'; readonly note?: string };

/** A recorded decision: what was chosen, by whom, through which interaction. */
export interface Verdict {
  readonly decision: Decision;
  readonly actor: Actor;
  /** The platform's own id of the click or submit; the same one again is a replay. */
  readonly interactionId: string;
  /** Milliseconds since the epoch by the store's clock. */
  readonly at: number;
  /** The gateway's. Owners deliver nothing without one; the store does not look at it. */
  readonly signature?: VerdictSignature;
  /** Of a step that takes several people: `actor` is the last of them. */
  readonly quorum?: Quorum;
}

/** How many different people a step took, and those who had allowed it before the last one. Signed with the verdict. */
export interface Quorum {
  readonly needed: number;
  readonly earlier: readonly Actor[];
}

/** One person's approval of a step that takes several: recorded, and not yet a decision. Signed as such. */
export type Vote = Pick<Verdict, 'actor' | 'interactionId' | 'signature'> & {
  readonly decision: Extract<Decision, { kind: 'granted' }>;
};

/** The votes on an open proposal, in the order they were cast. `revision` counts their changes from 1. */
export interface Ballot {
  readonly revision: number;
  readonly cast: readonly Vote[];
}

/** Where one card is: everything a later process needs to find it again. */
export interface CardRef {
  readonly platform: Platform;
  readonly workspaceId: string;
  readonly channel: string;
  /** Slack: the message's `ts`. Discord: its id. */
  readonly message: string;
  /** Slack: the parent's `ts`, for the session's thread. Discord: the thread's own channel id. */
  readonly thread: string;
  /** Discord: the message in the channel that points to the card, since a card in a thread reaches nobody by itself. */
  readonly pointer?: string;
}

/** A surface on which the card could not be put. `permanent` = trying again cannot help (bot not in the channel). */
export interface PostFailure {
  readonly platform: Platform;
  readonly channel: string;
  readonly reason: string;
  readonly permanent: boolean;
}

/** `queued` in its session's line · `open` on the cards · `claimed` decided, not yet confirmed · `ended`. */
export type Status = 'queued' | 'open' | 'claimed' | 'ended';

/** What every request has, whatever it asks. */
interface Asked {
  /** Fresh for every request: it is the generation, too. */
  readonly requestId: string;
  /** The agent's own tool-use id; may come again, and then replaces the request that still carries it. */
  readonly pendingId?: string;
  /** The owner's incarnation: unique per process start, never reused. */
  readonly ownerId: string;
  readonly session: SessionFacts;
  /** Milliseconds from opening to the deadline. */
  readonly waitMs: number;
}

export interface NewQuestions extends Asked {
  readonly kind: 'questions';
  readonly batch: QuestionBatch;
  readonly view: QuestionsView;
}

/** The proposal itself is in its view. It does not queue: it opens at once, beside whatever its session has open. */
export interface NewProposal extends Asked {
  readonly kind: 'proposal';
  readonly view: ProposalView;
}

/** What an owner hands over to have a request opened. */
export type NewRequest = NewQuestions | NewProposal;

/** One request as the store keeps it. Immutable; every move makes a new one (`lifecycle.ts`). */
export type RequestRecord = NewRequest & Kept;

/** What is asked, in whatever has it: a request, a record, what an owner holds itself. */
export type AskedContent = Pick<NewQuestions, 'kind' | 'batch'> | Pick<NewProposal, 'kind' | 'view'>;

/** What the store adds. */
interface Kept {
  readonly status: Status;
  readonly createdAt: number;
  /** A request that is still queued then ends as timed out, never shown. */
  readonly queueDeadline: number;
  /** Set when it opens. */
  readonly shownAt?: number;
  readonly deadline?: number;
  readonly ballot?: Ballot;
  readonly verdict?: Verdict;
  readonly outcome?: Outcome;
  readonly by?: EndedBy;
  readonly endedAt?: number;
  readonly cards: readonly CardRef[];
  readonly postFailures: readonly PostFailure[];
}

/** A queued request waits at most this many times its own wait (product.md "Questions"). */
export const QUEUE_FACTOR = 3;

/** This long after its deadline a request is left to its owner; then a sweeper ends it (one that lives and is stuck). */
export const OVERDUE_AFTER_MS = 60_000;
