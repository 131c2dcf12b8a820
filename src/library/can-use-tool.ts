import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { isAnswered, type Outcome, replyToModel, unreachableReply } from '../core/outcomes.ts';
import type { Gate } from '../core/ports/gate.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter } from '../core/ports/prompter.ts';
import { encodeAnswers } from '../core/questions/answers.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import { normaliseQuestions } from '../core/questions/normalise.ts';
import { denial } from '../gate/denials.ts';
import { GateDesk } from '../listener/gate-desk.ts';
import { putAndConfirm } from './ask.ts';
import type { CanUseTool, CanUseToolOptions, PermissionResult } from './claude-agent-types.ts';
import type { OpenCalls } from './open-calls.ts';
import type { GateFacts, HandraiseGate } from './types.ts';

/** What a host's agent is served by. */
export interface AgentDeps {
  readonly gate: HandraiseGate;
  /** The owner's, which `gate` stands in front of. */
  readonly inner: Gate;
  readonly prompter: Pick<Prompter, 'ask'>;
  readonly sessionId: string;
  readonly calls: OpenCalls;
  readonly log: Logger;
}

/** The SDK's own question tool. Its calls are questions, not steps. */
const QUESTION_TOOL = 'AskUserQuestion';

/** `desk`: knows what hooks told about calls; without it nothing is known. */
export function canUseToolBy(deps: AgentDeps, desk = new GateDesk(deps.inner, deps.sessionId)): CanUseTool {
  return async (toolName, input, options) => {
    try {
      const facts = factsOf(desk, options);
      if (toolName === QUESTION_TOOL) return await answered(input, facts, options, deps);
      const reply = await deps.gate.check(
        { tool: toolName, input, ...(options.toolUseID === undefined ? {} : { toolUseId: options.toolUseID }) },
        facts,
        { signal: options.signal },
      );
      if (reply.behavior === 'deny') return { behavior: 'deny', message: reply.message };
      // Exactly what was judged goes back, also where it is what was given: nothing else may run.
      return isObject(reply.input)
        ? { behavior: 'allow', updatedInput: reply.input }
        : { behavior: 'deny', message: denial('not_understood').message };
    } catch (thrown) {
      deps.log.warn({ tool: String(toolName), error: sentenceOf(thrown) }, 'a call could not be served; it is denied');
      const { message } = toolName === QUESTION_TOOL ? asDenial('an internal error') : denial('not_recorded');
      return { behavior: 'deny', message };
    }
  };
}

/** A sub-agent is known also where no hook has told anything. */
function factsOf(desk: GateDesk, { toolUseID, agentID }: CanUseToolOptions): GateFacts {
  const facts = desk.factsOf(toolUseID);
  return facts.agentId !== undefined || agentID === undefined ? facts : { ...facts, agentId: agentID };
}

async function answered(
  input: Record<string, unknown>,
  { agentId, agentType }: GateFacts,
  { signal, toolUseID }: CanUseToolOptions,
  { prompter, calls, log }: AgentDeps,
): Promise<PermissionResult> {
  // Taken at its word now: what comes back is what was asked, whatever becomes of the host's object meanwhile.
  const given = structuredClone(input);
  let batch: QuestionBatch;
  try {
    batch = normaliseQuestions(questionsIn(given), 'model');
  } catch (thrown) {
    if (!(thrown instanceof HandraiseError)) throw thrown;
    return { behavior: 'deny', message: [thrown.message, thrown.hint].filter((part) => part !== undefined).join(' ') };
  }
  try {
    return await calls.run(signal, async (withdrawn) => {
      const { outcome } = await putAndConfirm(batch, prompter, log, {
        signal: withdrawn,
        ...(toolUseID === undefined ? {} : { pendingId: toolUseID }),
        ...(agentId === undefined ? {} : { subAgent: { id: agentId, type: agentType ?? 'agent' } }),
      });
      return resultOf(given, batch, outcome);
    });
  } catch (thrown) {
    if (!(thrown instanceof HandraiseError)) throw thrown;
    return asDenial(thrown.message);
  }
}

/** Its own members only: what the model wrote where answers belong is no part of the question. */
function questionsIn({ questions, metadata }: Record<string, unknown>): unknown {
  const source = isObject(metadata) ? metadata['source'] : undefined;
  return { questions, ...(typeof source === 'string' ? { metadata: { source } } : {}) };
}

/**
 * Answers go into the call's own input, as texts: several labels in one, joined by ", ". Without an answer the call is
 * denied with what happened, which is no refusal; a batch that was seen and skipped is answered, with nothing.
 */
function resultOf(given: Record<string, unknown>, batch: QuestionBatch, outcome: Outcome): PermissionResult {
  if (!isAnswered(outcome)) return { behavior: 'deny', message: replyToModel(batch, outcome).text };
  const { answers: _, annotations: __, ...kept } = given;
  const encoded = encodeAnswers(batch, outcome.sheet);
  const answers = Object.fromEntries(
    Object.entries(encoded.answers).map(([question, said]) => [
      question,
      typeof said === 'string' ? said : said.join(', '),
    ]),
  );
  const annotations = { ...encoded.annotations, ...skippedIn(batch, encoded.answers) };
  return {
    behavior: 'allow',
    updatedInput: {
      ...kept,
      answers,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
  };
}

/** The model then reads that the question got no answer; older versions of Claude Code say so by themselves. */
function skippedIn(batch: QuestionBatch, answers: object): Record<string, { readonly unanswered: 'skipped' }> {
  return Object.fromEntries(
    batch.questions
      .filter(({ question }) => !Object.hasOwn(answers, question))
      .map(({ question }) => [question, { unanswered: 'skipped' } as const]),
  );
}

function asDenial(cause: string): Extract<PermissionResult, { behavior: 'deny' }> {
  return { behavior: 'deny', message: unreachableReply(cause).text };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
