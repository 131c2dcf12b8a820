import type { Clock } from '../../core/clock.ts';
import { HandraiseError, sentenceOf } from '../../core/errors.ts';
import type { NewId } from '../../core/ids.ts';
import { endedBy } from '../../core/outcomes.ts';
import { picksOf } from '../../core/picks.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { RequestStore } from '../../core/ports/request-store.ts';
import type { Decision, RequestRecord } from '../../core/request.ts';
import type { ResolveCode } from '../../core/resolve-codes.ts';
import type { Resolution, ResolveFrame } from '../../core/wire/control.ts';
import { commandRefused, resolveSentence } from '../../prompt/command-replies.ts';
import { voteRecorded } from '../../prompt/vote-words.ts';
import type { Decider } from '../decide.ts';
import { decisionOf, proposalDecisionOf } from './choice.ts';
import type { Peer } from './peer.ts';

export interface ResolverDeps {
  readonly store: RequestStore;
  readonly decider: Pick<Decider, 'judge' | 'refusalOf' | 'auditRefusal'>;
  /** The store's. */
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
}

/** An agent normally confirms within milliseconds; whoever resolves is not kept waiting for one that hangs. */
const CONFIRMED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 25;

/** Answers one request for a user of this machine, by the way of a click: the same policy, the same claim. Never throws. */
export function createResolver(deps: ResolverDeps): (frame: ResolveFrame, peer: Peer) => Promise<Resolution> {
  const { store, decider, clock, newId, log } = deps;

  const said = (code: Exclude<ResolveCode, 'refused' | 'invalid_answers'>, record?: RequestRecord): Resolution => {
    const { session, pendingId, outcome, verdict } = record ?? {};
    const won = code === 'resolved' || code === 'recorded';
    return {
      code,
      sentence: resolveSentence(code, record, clock.now()),
      ...(session === undefined || !won ? {} : { sessionId: session.sessionId }),
      ...(pendingId === undefined || !won ? {} : { pendingId }),
      ...(outcome === undefined || !won ? {} : { outcome: outcome.kind }),
      ...(record === undefined || verdict === undefined || !won ? {} : { picks: picksOf(record, verdict.decision) }),
    };
  };

  /** The record once it has ended, or as it is when that takes too long. */
  const ended = async (requestId: string): Promise<RequestRecord | undefined> => {
    const until = clock.now() + CONFIRMED_WITHIN_MS;
    for (;;) {
      const record = await store.read(requestId);
      if (record === undefined || record.status === 'ended' || clock.now() >= until) return record;
      await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
    }
  };

  const outcomeOf = async (recorded: RequestRecord): Promise<Resolution> => {
    try {
      const record = (await ended(recorded.requestId)) ?? recorded;
      if (record.status !== 'ended') return said('recorded', record);
      const arrived = record.outcome !== undefined && endedBy(record.outcome.kind) === 'operator';
      return said(arrived ? 'resolved' : 'delivery_failed', record);
    } catch (error) {
      log.warn({ requestId: recorded.requestId, error: sentenceOf(error) }, 'a delivery could not be looked at');
      return said('recorded', recorded);
    }
  };

  return async (frame, { actor, inside }) => {
    const { requestId, pendingId, sessionId } = frame;
    const interactionId = `cli-${newId()}`;
    const claim = { actor, interactionId };
    try {
      if (inside !== undefined) {
        log.warn({ requestId, inside }, 'a process of an agent tried to answer');
        await decider.auditRefusal(requestId, claim, 'agent_tree');
        return { code: 'refused', reason: 'agent_tree', sentence: commandRefused('agent_tree') };
      }
      const record = await store.read(requestId);
      const mismatch = mismatchOf(record, { pendingId, sessionId });
      if (record === undefined || mismatch !== undefined) {
        await decider.auditRefusal(requestId, claim, mismatch ?? 'not_found');
        return said(mismatch ?? 'not_found');
      }
      const decision = decisionFor(record, frame.choice);
      const judgement = await decider.judge({ requestId, decision, actor, interactionId });
      switch (judgement.code) {
        case 'done':
        case 'repeated':
          return await outcomeOf(judgement.record ?? record);
        case 'voted':
          return { ...said('voted'), sentence: voteRecorded(judgement) };
        case 'refused':
          return {
            code: 'refused',
            reason: judgement.refusal,
            sentence: commandRefused(judgement.refusal, record.kind),
          };
        case 'no_binding':
          return said('session_not_found');
        case 'unreachable':
          return said('unavailable');
        default:
          return said(judgement.code, judgement.record);
      }
    } catch (error) {
      if (error instanceof HandraiseError && error.code === 'invalid_answers') {
        await decider.auditRefusal(requestId, claim, 'invalid_answers');
        return { code: 'invalid_answers', sentence: error.message };
      }
      log.error({ requestId, error: sentenceOf(error) }, 'a request could not be resolved');
      return said('unavailable');
    }
  };
}

/** An ended request refuses whatever is chosen with its own code, also what fits no question of it. */
function decisionFor(record: RequestRecord, choice: ResolveFrame['choice']): Decision {
  try {
    return record.kind === 'questions' ? decisionOf(record.batch, choice) : proposalDecisionOf(choice);
  } catch (error) {
    if (record.status === 'ended') return { kind: 'answers', sheet: [] };
    throw error;
  }
}

/** Both ids name one request: one that is not what the caller takes it for is not found. */
function mismatchOf(
  record: RequestRecord | undefined,
  named: { readonly pendingId: string | undefined; readonly sessionId: string | undefined },
): 'not_found' | 'session_not_found' | undefined {
  if (record === undefined) return 'not_found';
  if (named.sessionId !== undefined && named.sessionId !== record.session.sessionId) return 'session_not_found';
  return named.pendingId !== undefined && named.pendingId !== record.pendingId ? 'not_found' : undefined;
}
