import type { Actor, Platform } from '../actor.ts';
import { HandraiseError } from '../errors.ts';
import type { Outcome } from '../outcomes.ts';
import type { CardRef, CardView, Decision, ProposalView, QuestionsView, SessionFacts } from '../request.ts';
import type { PeopleDirectory } from './people-directory.ts';
import type { RequestStore } from './request-store.ts';

/** What may still be done from the card of a proposal that ended: end a grant before its time, or ask once more. */
export const LATER_ACTIONS = ['revoke', 'askagain'] as const;
export type LaterAction = (typeof LATER_ACTIONS)[number];

/** What the card has to say about its request right now. Times are milliseconds since the epoch. */
export type CardPhase =
  /**
   * `approvers`: who may decide a proposal, in words. `progress`: how many of how many have allowed it and who, where it
   * takes several; inert.
   */
  | {
      readonly phase: 'open';
      readonly deadline: number;
      readonly approvers?: string;
      readonly progress?: string;
    }
  /** Decided, on its way: never drawn as answered. */
  | { readonly phase: 'recorded'; readonly decision: Decision; readonly actor: Actor; readonly at: number }
  | {
      readonly phase: 'ended';
      readonly outcome: Outcome;
      readonly actor?: Actor;
      readonly at: number;
      /** What may be pressed all the same. */
      readonly later?: LaterAction;
    };

export interface QuestionsCard {
  readonly view: QuestionsView;
  readonly state: CardPhase;
}

export interface ProposalCard {
  readonly view: ProposalView;
  readonly state: CardPhase;
}

export type Card = QuestionsCard | ProposalCard;

export function isProposalCard(card: Card): card is ProposalCard {
  return card.view.kind === 'proposal';
}

export function isQuestionsCard(card: Card): card is QuestionsCard {
  return card.view.kind === 'questions';
}

/** Where cards of one binding go on one platform. */
export interface Place {
  readonly platform: Platform;
  readonly channel: string;
}

/** Something a person did on a card, already checked to come from the platform. */
export interface SurfaceResponse {
  readonly requestId: string;
  readonly decision: Decision;
  readonly actor: Actor;
  readonly interactionId: string;
  /**
   * The interaction's own way to redraw the card it came from, below the platform's ordinary rate limits. Resolves to
   * false when it can't be used (any more); the gateway then updates the card the ordinary way.
   */
  readonly redraw?: (ref: CardRef, card: Card) => Promise<boolean>;
}

/** Tells the person in private; undefined says nothing, because the card itself shows it. */
export type PrivateReply = string | undefined;

/** What a person gets who wants to open the answer form: its content, or the sentence why not. */
export type FormLookup = { readonly card: Card } | { readonly refused: string };

/** Somebody asks what is open for them. */
export interface InboxRequest {
  readonly actor: Actor;
  /** Which of these channels the person can see: a question is not shown to people whom its channel keeps out. */
  readonly seen: (channels: readonly string[]) => Promise<ReadonlySet<string>>;
  /** How many entries the platform has room for. */
  readonly most: number;
}

/** An open request that this person may answer, and its card on their platform. `deadline`: ms since the epoch. */
export interface InboxEntry {
  readonly view: CardView;
  readonly deadline: number;
  readonly card: CardRef;
}

/** Oldest first; `more` counts those left out. Or the sentence why nothing can be listed. */
export type Inbox = { readonly entries: readonly InboxEntry[]; readonly more: number } | { readonly refused: string };

/** Where answers are kept that somebody began and has not sent, for cards that are answered step by step. */
export type DraftKeeper = Pick<RequestStore, 'readDraft' | 'writeDraft'>;

/** Somebody touched a button, which by itself decides nothing. */
export interface Touch {
  readonly requestId: string;
  readonly actor: Actor;
  readonly interactionId: string;
  /** The card that was touched, where the platform says which: its record may not know it yet. */
  readonly card?: CardRef;
}

/** What an adapter needs of the gateway. Every replica serves every request, so all take only ids. */
export interface SurfaceHost extends DraftKeeper {
  respond(response: SurfaceResponse): Promise<PrivateReply>;
  /** Judges identity and state before a form is shown; `decision` comes later through `respond`, judged again. */
  lookUp(touch: Touch): Promise<FormLookup>;
  /** Judged like an answer: by the same people, again at every click. Audited where it is refused. */
  later(touch: Touch, action: LaterAction): Promise<PrivateReply>;
  /** What somebody may answer right now. Never rejects. */
  inbox(request: InboxRequest): Promise<Inbox>;
}

export interface SurfaceHealth {
  readonly connected: boolean;
  /** Connections over which clicks can arrive right now. */
  readonly connections: number;
  /** For people: what is wrong, when not connected. */
  readonly detail: string;
}

/**
 * One chat platform. Owns its connections from `start` to `stop`. Slack and Discord pass one contract suite.
 *
 * `post` and `openThread` are not retried inside: they throw `SurfaceError`, whose facts tell the gateway what to do
 * next. `update` may be called again with the same card and then changes nothing. It never decides anything.
 */
export interface SurfaceAdapter extends PeopleDirectory {
  readonly platform: Platform;
  /** The workspace the token belongs to; known after `start`. */
  readonly workspaceId: string;
  /** Resolves once clicks can arrive. Rejects with a `HandraiseError` and its cure when the token is refused. */
  start(host: SurfaceHost): Promise<void>;
  /** Stops taking events, lets running handlers end (at most `graceMs`), closes every connection. */
  stop(graceMs: number): Promise<void>;
  health(): SurfaceHealth;
  /** Throws a permanent `SurfaceError` with the cure when nothing can be posted there. */
  checkPlace(place: Place): Promise<void>;
  /** Posts the session's parent line and returns the thread. `threadKey` names it for `findThread`. */
  openThread(place: Place, session: SessionFacts): Promise<string>;
  post(place: Place, thread: string, card: Card): Promise<CardRef>;
  /** After an ambiguous post: the card of this request if it is there after all. */
  findCard(place: Place, thread: string | undefined, requestId: string): Promise<CardRef | undefined>;
  /**
   * Of an open card that was found again: tells its channel of it, unless its post had come that far. Returns the card
   * with what was added. Twice is safe; that nobody could be told is no failure of the card.
   */
  announce(ref: CardRef, card: Card): Promise<CardRef>;
  findThread(place: Place, sessionId: string): Promise<string | undefined>;
  update(ref: CardRef, card: Card): Promise<void>;
  /** Draws the end on a card whose content is not known any more (a journal entry of a dead run). */
  retire(ref: CardRef, outcome: Outcome): Promise<void>;
}

/** A failed call to a chat platform, wrapped once at the adapter's edge. */
export class SurfaceError extends HandraiseError {
  /** Trying again cannot help: token, scope, channel. */
  readonly permanent: boolean;
  /** The platform may have done it all the same (timeout, lost reply): look before repeating. */
  readonly ambiguous: boolean;
  /** The platform asked to wait this long. */
  readonly retryAfterMs: number | undefined;
  /** The platform's own code, such as `not_in_channel`. */
  readonly platformCode: string;

  constructor(
    sentence: string,
    facts: {
      platformCode: string;
      permanent?: boolean;
      ambiguous?: boolean;
      retryAfterMs?: number;
      hint?: string;
      cause?: unknown;
    },
  ) {
    super(sentence, {
      code: 'surface',
      ...(facts.hint === undefined ? {} : { hint: facts.hint }),
      ...(facts.cause === undefined ? {} : { cause: facts.cause }),
    });
    this.name = 'SurfaceError';
    this.permanent = facts.permanent ?? false;
    this.ambiguous = facts.ambiguous ?? false;
    this.retryAfterMs = facts.retryAfterMs;
    this.platformCode = facts.platformCode;
  }
}
