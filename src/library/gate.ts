import { isAbsolute } from 'node:path';
import { sentenceOf } from '../core/errors.ts';
import type { CallFacts, Gate, GateDecision, ToolCall } from '../core/ports/gate.ts';
import type { Logger } from '../core/ports/logger.ts';
import { denial, denialOf } from '../gate/denials.ts';
import type { OpenCalls } from './open-calls.ts';
import type { GateFacts, GateReply, HandraiseGate } from './types.ts';

/** The owner's gate for a host in its own process: to return a decision is to deliver it, and every failure denies. */
export function hostGate({
  inner,
  sessionId,
  calls,
  log,
}: {
  readonly inner: Gate;
  readonly sessionId: string;
  readonly calls: OpenCalls;
  readonly log: Logger;
}): HandraiseGate {
  return {
    async check(call, facts, { signal } = {}) {
      try {
        if (!isToolCall(call)) return denied(denial('not_understood'));
        return await calls.run(signal, async (withdrawn) => {
          const decision = await inner.check(call, known(facts, sessionId), { signal: withdrawn });
          return settled(decision, withdrawn);
        });
      } catch (thrown) {
        log.warn({ error: sentenceOf(thrown) }, 'a step could not be decided; it is denied');
        return denied(denial('not_recorded'));
      }
    },
    turnEnded: (turnId) => inner.turnEnded(turnId),
    sessionEnded: (ended = sessionId) => inner.sessionEnded(ended),
  };
}

/** An allow that nobody waits for any more, or that could not be recorded, is none. */
async function settled(decision: GateDecision, signal: AbortSignal): Promise<GateReply> {
  if (decision.behavior === 'allow' && signal.aborted) {
    await decision.lost('the call was withdrawn');
    return denied(denialOf({ kind: 'cancelled' }));
  }
  await decision.delivered();
  if (decision.behavior === 'allow') return { behavior: 'allow', input: decision.input };
  return denied(decision);
}

function denied({ kind, message }: Pick<Extract<GateReply, { behavior: 'deny' }>, 'kind' | 'message'>): GateReply {
  return { behavior: 'deny', kind, message };
}

/** Types do not hold at run time, and a call without a name must not be judged as anything. */
function isToolCall(call: unknown): call is ToolCall {
  return (
    typeof call === 'object' && call !== null && 'tool' in call && typeof call.tool === 'string' && call.tool !== ''
  );
}

/** A path that is not absolute says nothing about where a call runs. */
function known(facts: Partial<GateFacts> | undefined, own: string): CallFacts {
  const { cwd, sessionId = own, turnId, agentId, agentType } = facts ?? {};
  return {
    cwd: typeof cwd === 'string' && isAbsolute(cwd) ? cwd : null,
    sessionId,
    ...(turnId === undefined ? {} : { turnId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(agentType === undefined ? {} : { agentType }),
  };
}
