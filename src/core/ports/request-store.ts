import type { ClosingOutcome } from '../lifecycle.ts';
import type { CardRef, NewRequest, PostFailure, RequestRecord, Status, Verdict, Vote } from '../request.ts';
import type { StoreCode, StoreRefusal } from '../store-codes.ts';
import type { Leases } from './leases.ts';

/** `record` is the state after the operation, or, when refused, what the loser needs to be told about the winner. */
export type StoreResult =
  | { readonly code: Extract<StoreCode, 'done' | 'repeated'>; readonly record: RequestRecord }
  | { readonly code: StoreRefusal; readonly record?: RequestRecord };

/**
 * A claim without its time: the store stamps `at` with its own clock. `ballot`: the revision of the votes it was judged by
 * (0: of none), where it stands on votes; any other makes it `votes_changed`.
 */
export type Claim = Omit<Verdict, 'at'> & { readonly ballot?: number };

/** A vote to be cast. `replaces`: the revision of the votes it was judged by, 0 for none. */
export interface CastVote {
  readonly vote: Vote;
  readonly replaces: number;
  /** The votes that still stand; the others are struck, each with a stable code. */
  readonly kept: readonly Vote[];
  readonly struck: readonly { readonly vote: Vote; readonly reason: string }[];
  readonly needed: number;
}

export interface RefusedClick {
  readonly claim: Pick<Claim, 'actor' | 'interactionId'>;
  /** A stable code. */
  readonly reason: string;
  readonly picks?: readonly string[];
}

/** A gateway that wants to post, and for how long the others leave it to that one. */
export interface PostingLease {
  readonly holder: string;
  readonly forMs: number;
}

/**
 * Whose turn it is to post. `lookFirst`: somebody else's turn ended without a word, so that their post may be there.
 * `others`: somebody else is at it; ask again when `forMs` are over. `posted`: it is there already.
 */
export type PostingTurn =
  | { readonly turn: 'yours'; readonly lookFirst: boolean }
  | { readonly turn: 'others'; readonly forMs: number }
  | { readonly turn: 'posted'; readonly thread?: string };

/** Answers somebody began and has not sent. The store does not look into them; `revision` counts from 1. */
export interface StoredDraft {
  readonly revision: number;
  readonly body: string;
}

/** Ends a subscription. Calling it twice does nothing. */
export type Unsubscribe = () => void;

/**
 * The truth about every request. The memory store and Redis pass the same contract suite (`test/contracts`).
 *
 * Called by owners (open, confirm, close, watchOwner) and by gateways (claim, vote, recordCard, recordPostFailure,
 * recordSettled, recordRefusedClick, readDraft, writeDraft, listWork, rest, sweep, watchRequests). Every operation that changes a request writes its audit row first; when that fails it
 * answers `audit_failed` and nothing was changed. Methods never throw for a refusal, only when the store itself is
 * unreachable (`HandraiseError` code `store`); the caller then fails closed.
 *
 * Not covered on purpose: who may decide (policy, before `claim`), delivering (the owner), drawing (adapters).
 */
export interface RequestStore {
  readonly leases: Leases;

  /**
   * Opens the request, or queues it behind an unfinished one of the same session. An unfinished request of the same
   * session with the same `pendingId` ends as superseded first. Opening an id twice answers `not_allowed`.
   */
  open(request: NewRequest): Promise<StoreResult>;
  read(requestId: string): Promise<RequestRecord | undefined>;
  /** Every record that has not ended, by creation, then id. */
  listUnfinished(): Promise<readonly RequestRecord[]>;

  /** One winner: status, choice, deadline (the store's clock) and audit row are checked and written in one step. */
  claim(requestId: string, claim: Claim): Promise<StoreResult>;
  /**
   * Records a vote beside those that stand, and takes struck ones away: one step, with a row each. `votes_changed` where
   * the votes are not those it was judged by.
   */
  vote(requestId: string, cast: CastVote): Promise<StoreResult>;
  /** The owner delivered the recorded verdict: the request ends with its outcome, and the session's next one opens. */
  confirm(requestId: string): Promise<StoreResult>;
  /** The owner ends the request. With a verdict recorded only `indeterminate` and `owner_lost` are taken. */
  close(requestId: string, outcome: ClosingOutcome): Promise<StoreResult>;

  /**
   * Journals that a post is about to happen, so that a crash between it and `recordCard` leaves a trace, and takes the
   * turn for it where other gateways could post the same. Without a lease the turn is always the caller's.
   */
  recordPosting(
    requestId: string,
    place: Pick<CardRef, 'platform' | 'channel'>,
    lease?: PostingLease,
  ): Promise<PostingTurn>;
  /** The same for the parent line of a session's thread; `posted` comes with the thread. */
  recordThreadPosting(
    sessionId: string,
    place: Pick<CardRef, 'platform' | 'channel'>,
    lease: PostingLease,
  ): Promise<PostingTurn>;
  recordThread(sessionId: string, place: Pick<CardRef, 'platform' | 'channel'>, thread: string): Promise<void>;
  recordCard(requestId: string, card: CardRef): Promise<StoreResult>;
  recordPostFailure(requestId: string, failure: PostFailure): Promise<StoreResult>;
  /**
   * No card of a decided or ended request hangs where somebody had begun to post one: nobody looks for it any more. The
   * request leaves the list of work when it has ended and its cards are settled.
   */
  giveUpPost(requestId: string, place: Pick<CardRef, 'platform' | 'channel'>): Promise<void>;
  /** The card shows the end of its request and offers nothing any more: its journal entry is closed. */
  recordSettled(requestId: string, card: CardRef): Promise<void>;
  /**
   * Audits a click that policy or the claim refused, once for each interaction: several gateways may have seen it. `picks`:
   * what it chose, where that is known.
   */
  recordRefusedClick(requestId: string, click: RefusedClick): Promise<void>;

  /** The draft of an open request; undefined when there is none. */
  readDraft(requestId: string): Promise<StoredDraft | undefined>;
  /**
   * Puts a draft in place of the revision `replaces` (0: of none). False when another revision is there, or the request
   * is not open (any more); nothing was changed then. A draft goes when its request ends.
   */
  writeDraft(requestId: string, body: string, replaces: number): Promise<boolean>;

  /**
   * Requests that may have something for a gateway to do, the longest waiting first (at most 1,000): open ones, decided
   * or ended ones whose cards do not show it yet, ended ones of which a post got lost. What a lost wake-up told is here.
   */
  listWork(): Promise<readonly string[]>;
  /** Nothing is left to do here for a request in this status: it leaves the list until it changes. */
  rest(requestId: string, status: Status): Promise<void>;
  /**
   * Ends what nobody else will: requests of owners whose lease is lost as `owner_lost`, and what its owner left open for
   * `OVERDUE_AFTER_MS` beyond its deadline. Returns their ids. Every gateway calls it, as often as it likes.
   */
  sweep(): Promise<readonly string[]>;

  /**
   * Calls `wake` with the id of every request of this owner that changed. A wake-up, not the truth: read the record.
   * Resolves once the subscription is confirmed.
   */
  watchOwner(ownerId: string, wake: (requestId: string) => void): Promise<Unsubscribe>;
  /** The same for gateways: every request that opened, was claimed, or ended. */
  watchRequests(wake: (requestId: string) => void): Promise<Unsubscribe>;
}
