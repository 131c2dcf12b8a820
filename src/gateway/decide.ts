import type { Actor } from '../core/actor.ts';
import { sentenceOf } from '../core/errors.ts';
import { refusalToClaim } from '../core/lifecycle.ts';
import { picksOf } from '../core/picks.ts';
import { classOf, quorumFor } from '../core/policy/approval.ts';
import type { Refusal } from '../core/policy/people.ts';
import type { Claim } from '../core/ports/request-store.ts';
import type {
  FormLookup,
  LaterAction,
  PrivateReply,
  SurfaceHost,
  SurfaceResponse,
  Touch,
} from '../core/ports/surface-adapter.ts';
import type { Redactor } from '../core/redact/redactor.ts';
import type { CardRef, Decision, RequestRecord } from '../core/request.ts';
import type { StoreCode } from '../core/store-codes.ts';
import { UNKNOWN_CARD } from '../prompt/decided.ts';
import { drawnBatch, relabelled } from '../prompt/masked.ts';
import { refusedByPolicy, refusedByStore, STORE_UNREACHABLE } from '../prompt/private-replies.ts';
import { voteRecorded } from '../prompt/vote-words.ts';
import { createAuthority, type Purpose } from './authority.ts';
import { type Approval, poll } from './ballot.ts';
import { drawableCard, type GatewayDependencies, type Redraw } from './dependencies.ts';
import { createInbox } from './inbox.ts';

/**
 * How a response was judged: the store's word on the claim, or why there was none. `no_binding`: nobody's to answer here;
 * `refused`: not this person's; `unreachable`: nothing could be recorded, and nothing is known. `record` is what was
 * found or won.
 */
export type Judgement =
  | { readonly code: StoreCode | 'no_binding' | 'unreachable'; readonly record?: RequestRecord }
  /** An approval that is not enough by itself. */
  | { readonly code: 'voted'; readonly cast: number; readonly needed: number; readonly record: RequestRecord }
  | {
      readonly code: 'refused';
      readonly refusal: Refusal;
      readonly platform: Actor['platform'];
      readonly record: RequestRecord;
    };

export interface Decider extends SurfaceHost {
  /** Judges and records; whoever asked words the judgement for its people. Never throws. */
  judge(response: SurfaceResponse): Promise<Judgement>;
  /** Why somebody may not decide this request; undefined lets them. */
  refusalOf(record: RequestRecord, actor: Actor): Promise<Judgement | undefined>;
  /** For what cannot even be judged: a choice that is none, an asker who may not ask. Never throws. */
  auditRefusal(requestId: string, claim: Pick<Claim, 'actor' | 'interactionId'>, reason: string): Promise<void>;
}

/** Judges every click and submit: who, then whether the request still takes it. One claim decides. */
export function createDecider(
  deps: GatewayDependencies & {
    onClaimed: (requestId: string, redraw: Redraw | undefined) => void;
    /** Somebody's approval was recorded that is not enough by itself. */
    onVoted?: (requestId: string) => void;
    /** A card was found that its record did not know. */
    onCard: (requestId: string) => void;
  },
): Decider {
  const { store, clock, log, sign } = deps;
  const authority = createAuthority(deps);

  /** Why somebody may not answer this request at all; undefined lets them on. */
  const policyRefusal = async (record: RequestRecord, actor: Actor, to: Purpose): Promise<Judgement | undefined> => {
    const refusal = await authority.refusalOf(record, actor, to);
    if (refusal === 'no_binding') return { code: 'no_binding', record };
    return refusal === undefined ? undefined : { code: 'refused', refusal, platform: actor.platform, record };
  };

  /** A refused click is audited, too; that the row cannot be written must not turn a refusal into silence. */
  const auditRefusal = async (
    requestId: string,
    claim: Pick<Claim, 'actor' | 'interactionId'>,
    reason: string,
    picks?: readonly string[],
  ) => {
    try {
      await store.recordRefusedClick(requestId, { claim, reason, ...(picks === undefined ? {} : { picks }) });
    } catch (error) {
      log.error({ requestId, reason, error: sentenceOf(error) }, 'a refused click could not be audited');
    }
  };

  /** Whoever posted it could not tell: it died, or Redis was away. Until somebody does, nothing could be drawn on it. */
  const adopt = async (requestId: string, card: CardRef) => {
    try {
      if ((await store.recordCard(requestId, card)).code === 'done') deps.onCard(requestId);
    } catch (error) {
      // The gateway that posts next looks for it in the channel.
      log.warn({ requestId, error: sentenceOf(error) }, 'a card that was clicked could not be recorded');
    }
  };

  /** Undefined for what one person decides: a refusal, an answer, a step that takes no more than one. */
  const votedOn = async (
    record: RequestRecord,
    { decision, ...who }: Omit<Approval, 'decision'> & Pick<Claim, 'decision'>,
  ) => {
    const bound = deps.route(record.session);
    if (record.kind !== 'proposal' || decision.kind !== 'granted' || bound === undefined) return undefined;
    const needed = quorumFor(bound, classOf(record.view.proposal.effect));
    if (needed < 2) return undefined;
    if (deps.votes === undefined) throw new Error('this gateway cannot keep votes');
    const { people = [] } = bound;
    const now = () => clock.now();
    return poll(record, { decision, ...who }, needed, { store, authority, sign, trust: deps.votes, now, people });
  };

  const judge = async (response: SurfaceResponse): Promise<Judgement> => {
    const { requestId, actor, interactionId } = response;
    try {
      const record = await store.read(requestId);
      if (record === undefined) {
        await auditRefusal(requestId, { actor, interactionId }, 'not_found');
        return { code: 'not_found' };
      }
      const decision = asRecorded(response.decision, record, deps.redactor);
      const claim = { decision, actor, interactionId };
      const picks = picksOf(record, decision);
      const refused = await policyRefusal(record, actor, 'decide');
      if (refused !== undefined) {
        await auditRefusal(requestId, claim, reasonOf(refused), picks);
        return refused;
      }
      const polled = await votedOn(record, claim);
      if (polled !== undefined && 'voted' in polled) {
        deps.onVoted?.(requestId);
        return { code: 'voted', ...polled.voted, record: polled.record };
      }
      if (polled !== undefined && 'refused' in polled) {
        await auditRefusal(requestId, claim, polled.refused, picks);
        return { code: 'refused', refusal: polled.refused, platform: actor.platform, record };
      }
      const result =
        polled?.result ?? (await store.claim(requestId, { ...claim, signature: sign(record, claim, clock.now()) }));
      if (result.code === 'done') deps.onClaimed(requestId, response.redraw);
      if (result.code === 'done' || result.code === 'repeated') return result;
      await auditRefusal(requestId, claim, result.code, picks);
      return { code: result.code, record: result.record ?? record };
    } catch (error) {
      log.error({ requestId, error: sentenceOf(error) }, 'a click could not be recorded');
      return { code: 'unreachable' };
    }
  };

  /** What only the clicker is told. */
  const wordsFor = (judgement: Judgement): string => {
    switch (judgement.code) {
      case 'refused':
        return refusedByPolicy(judgement.refusal, judgement.platform);
      case 'unreachable':
        return STORE_UNREACHABLE;
      case 'voted':
        return voteRecorded(judgement);
      case 'done':
      case 'repeated':
      case 'no_binding':
        return UNKNOWN_CARD;
      default:
        return refusedByStore(judgement.code, judgement.record, clock.now());
    }
  };

  return {
    judge,
    refusalOf: (record, actor) => policyRefusal(record, actor, 'decide'),
    auditRefusal,

    async respond(response: SurfaceResponse): Promise<PrivateReply> {
      const judgement = await judge(response);
      return judgement.code === 'done' || judgement.code === 'repeated' ? undefined : wordsFor(judgement);
    },

    inbox: createInbox(deps),

    readDraft: (requestId) => store.readDraft(requestId),
    writeDraft: (requestId, body, replaces) => store.writeDraft(requestId, body, replaces),

    async later({ requestId, actor, interactionId }: Touch, action: LaterAction): Promise<PrivateReply> {
      try {
        const record = await store.read(requestId);
        if (record === undefined || record.kind !== 'proposal' || deps.later === undefined) {
          await auditRefusal(requestId, { actor, interactionId }, record === undefined ? 'not_found' : 'not_allowed');
          return UNKNOWN_CARD;
        }
        const refused = await policyRefusal(record, actor, 'decide');
        if (refused === undefined) return await deps.later.act(record, action, actor);
        await auditRefusal(requestId, { actor, interactionId }, reasonOf(refused));
        return wordsFor(refused);
      } catch (error) {
        log.error({ requestId, action, error: sentenceOf(error) }, 'what was pressed on an old card could not be done');
        return STORE_UNREACHABLE;
      }
    },

    async lookUp({ requestId, actor, interactionId, card }: Touch): Promise<FormLookup> {
      try {
        const record = await store.read(requestId);
        if (record === undefined) {
          await auditRefusal(requestId, { actor, interactionId }, 'not_found');
          return { refused: UNKNOWN_CARD };
        }
        if (card !== undefined && !knows(record, card)) void adopt(requestId, card);
        const refused = await policyRefusal(record, actor, 'look');
        if (refused !== undefined) {
          await auditRefusal(requestId, { actor, interactionId }, reasonOf(refused));
          return { refused: wordsFor(refused) };
        }
        // The winning interaction itself, delivered once more: the claim will recognise it, and nobody is told twice.
        const isReplay = record.verdict?.interactionId === interactionId;
        const tooLate = isReplay ? undefined : refusalToClaim(record, clock.now());
        if (tooLate === undefined) return { card: await drawableCard(record, deps) };
        await auditRefusal(requestId, { actor, interactionId }, tooLate);
        return { refused: refusedByStore(tooLate, record, clock.now()) };
      } catch (error) {
        log.error({ requestId, error: sentenceOf(error) }, 'a form could not be looked up');
        return { refused: STORE_UNREACHABLE };
      }
    },
  };
}

/** What was chosen on a card that was drawn with masks of our own, in the record's words. */
function asRecorded(decision: Decision, record: RequestRecord, redactor: Redactor | undefined): Decision {
  if (decision.kind !== 'answers' || record.kind !== 'questions' || redactor === undefined) return decision;
  return { ...decision, sheet: relabelled(decision.sheet, drawnBatch(record.batch, redactor), record.batch) };
}

function knows(record: RequestRecord, { channel, message }: CardRef): boolean {
  return record.cards.some((card) => card.channel === channel && card.message === message);
}

/** The audit's code for it. */
function reasonOf(judgement: Judgement): string {
  return judgement.code === 'refused' ? judgement.refusal : judgement.code;
}
