import type { Actor, ActorKind, Source } from '../actor.ts';
import type { NewGrant } from '../grants/grant.ts';
import type { Proposal } from '../proposals/contract.ts';

/**
 * One row of the audit: what happened to which request, by whom. Rows never hold a secret or an agent's text; the
 * request id and the digest link to it.
 */
export interface AuditRow {
  readonly at: number;
  readonly event:
    | 'asked'
    | 'shown'
    | 'card_posted'
    | 'card_failed'
    | 'click_refused'
    /** Somebody allowed a step that takes several · their vote counts no more. */
    | 'voted'
    | 'vote_struck'
    | 'claimed'
    | 'delivered'
    | 'ended'
    | 'card_settled'
    /** A grant is recorded · serves a call · is over · is taken back by a person. */
    | 'granted'
    | 'grant_used'
    | 'grant_ended'
    | 'grant_revoked'
    /** A step that nobody had answered in time may be asked about again. */
    | 'refusal_lifted';
  readonly requestId: string;
  /** The agent's own tool-use id, where it gave one. */
  readonly pendingId?: string;
  readonly sessionId?: string;
  readonly ownerId?: string;
  /** Through what the actor acted. */
  readonly source?: Source;
  readonly actor?: AuditedActor;
  /** Names the claim: the platform's id of the click or submit, or our own of a call on the control socket. */
  readonly interactionId?: string;
  readonly outcome?: string;
  /** On `granted`: what is good for what. */
  readonly grant?: Pick<NewGrant, 'scope' | 'covers' | 'endsAt' | 'turnId' | 'workspace' | 'digest'>;
  /** On `asked`: the step that is proposed. On `grant_used`: the one that runs. The digest is that of what would run. */
  readonly proposal?: Pick<Proposal, 'tool' | 'effect' | 'digest'>;
  /** What was chosen, by the card's own names (`picks.ts`), such as `q0.o2` or `turn`: never a label or a typed word. */
  readonly picks?: readonly string[];
  /** On `voted`: how many different people have allowed it so far, and how many it takes. */
  readonly votes?: { readonly cast: number; readonly needed: number };
  /** A stable code: why a click was refused, why a card failed, why a recorded verdict was not believed, why a grant is over. */
  readonly reason?: string;
  readonly channel?: string;
  readonly message?: string;
}

/** Without the display name: it is not an identity, and anybody may change theirs. */
export interface AuditedActor extends Pick<Actor, 'platform' | 'workspaceId' | 'userId' | 'standing'> {
  readonly kind: ActorKind;
}

/**
 * Where audit rows go. `append` returns only when all its rows are durable (written and synced), and throws when none
 * is kept: the store then changes nothing and the person is told. One operation of the store is one `append`, so that
 * a failure half way never leaves a row about something that did not happen. Whoever made the sink closes it.
 */
export interface AuditSink {
  append(...rows: readonly AuditRow[]): void;
}
