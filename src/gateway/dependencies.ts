import type { Clock } from '../core/clock.ts';
import { type ApprovalPolicy, approversFor, classOf, quorumFor } from '../core/policy/approval.ts';
import type { LinkedPerson } from '../core/policy/identities.ts';
import type { OperatorRule } from '../core/policy/people.ts';
import { oneEach } from '../core/policy/quorum.ts';
import type { LaterActions } from '../core/ports/later-actions.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { RequestStore } from '../core/ports/request-store.ts';
import type { Card, Place, SurfaceAdapter, SurfaceResponse } from '../core/ports/surface-adapter.ts';
import type { SignVerdict, VoteTrust } from '../core/ports/verdict-trust.ts';
import type { Redactor } from '../core/redact/redactor.ts';
import type { RequestRecord, SessionFacts } from '../core/request.ts';
import { approverWords } from '../prompt/approver-words.ts';
import { cardOf } from '../prompt/card-view.ts';
import { maskedCard } from '../prompt/masked.ts';
import { progressWords } from '../prompt/vote-words.ts';

/** What the gateway's own configuration says about a session: policy, never taken from a record. */
export interface Route extends Partial<ApprovalPolicy> {
  readonly places: readonly Place[];
  /** Who may answer questions. */
  readonly operators: OperatorRule;
  /** Who is one person on several platforms. */
  readonly people?: readonly LinkedPerson[];
}

/** A list that admits nobody. */
export const NOBODY: OperatorRule = {};

/** The card of a request as this gateway draws it: with who may decide, and with what may be done once it ended. */
export async function drawableCard(
  record: RequestRecord,
  {
    route,
    later,
    clock,
    votes,
    redactor,
  }: Pick<GatewayDependencies, 'route' | 'later' | 'clock' | 'votes' | 'redactor'>,
): Promise<Card> {
  const masked = (card: Card): Card => (redactor === undefined ? card : maskedCard(card, redactor));
  if (record.kind === 'questions') return masked(cardOf(record, clock.now()));
  const offered = record.status === 'ended' ? await later?.offered(record) : undefined;
  const bound = route(record.session);
  const rules = bound?.approvers ?? NOBODY;
  const rule = approversFor(rules, classOf(record.view.proposal.effect));
  const cast = (record.ballot?.cast ?? []).filter((vote) => votes?.isGenuine(record, vote) === true);
  const names = oneEach(cast, bound?.people).map(({ actor }) => actor.name);
  const progress = progressWords(names, quorumFor(bound ?? {}, classOf(record.view.proposal.effect)));
  const extras = {
    approvers: approverWords(rule),
    ...(progress === undefined ? {} : { progress }),
    ...(offered === undefined ? {} : { later: offered }),
  };
  return masked(cardOf(record, clock.now(), extras));
}

export interface GatewayDependencies {
  readonly store: RequestStore;
  /** One a platform. The gateway starts and stops them. */
  readonly adapters: readonly SurfaceAdapter[];
  /** The binding of a session; undefined when none matches (any more): its clicks are then refused. */
  readonly route: (session: SessionFacts) => Route | undefined;
  /** Signs what is decided here, for the owners. */
  readonly sign: SignVerdict;
  /** For steps that take several people. Absent: none of them can be allowed here. */
  readonly votes?: VoteTrust;
  /** Absent: cards of proposals that ended offer nothing. */
  readonly later?: LaterActions;
  /** Masks what only this gateway knows to be secret. Absent: cards are drawn as they were recorded. */
  readonly redactor?: Redactor;
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * This process start, where other gateways serve the same store: posts are then made in turns, and settling is divided
   * among them (`sharing.ts`). Absent: the only one there is.
   */
  readonly gatewayId?: string;
}

/** A click's own way to redraw the card it came from. */
export type Redraw = NonNullable<SurfaceResponse['redraw']>;
