import type { Actor } from '../core/actor.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { Grant } from '../core/grants/grant.ts';
import { isAnswered, type Outcome } from '../core/outcomes.ts';
import type { CallFacts, DenialKind, Gate, GateDecision, ToolCall } from '../core/ports/gate.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter, PromptResult } from '../core/ports/prompter.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';

/** The step with which Claude Code leaves plan mode. */
const TOOL = 'ExitPlanMode';

const QUESTION = 'Start with this plan?';
const START = 'Start';
const KEEP_PLANNING = 'Keep planning';

/**
 * A gate in front of which plans are approved. A plan is a question to the operators, with the whole plan beside it: to
 * start, or to keep planning, with a note. It grants nothing; every step that the plan leads to is judged like any other.
 */
export class PlanApproval implements Gate {
  readonly #inner: Gate;
  readonly #prompter: Pick<Prompter, 'ask'>;
  readonly #log: Logger;

  constructor(inner: Gate, deps: { readonly prompter: Pick<Prompter, 'ask'>; readonly log: Logger }) {
    this.#inner = inner;
    this.#prompter = deps.prompter;
    this.#log = deps.log;
  }

  check(call: ToolCall, facts: CallFacts, options: { readonly signal: AbortSignal }): Promise<GateDecision> {
    return call.tool === TOOL ? this.#approved(call, facts, options.signal) : this.#inner.check(call, facts, options);
  }

  async #approved(call: ToolCall, { agentId, agentType }: CallFacts, signal: AbortSignal): Promise<GateDecision> {
    try {
      const result = await this.#prompter.ask(questionAbout(planIn(call.input)), {
        signal,
        ...(call.toolUseId === undefined ? {} : { pendingId: call.toolUseId }),
        ...(agentId === undefined ? {} : { subAgent: { id: agentId, type: agentType ?? 'agent' } }),
      });
      return decisionOf(call, result);
    } catch (thrown) {
      this.#log.warn({ tool: call.tool, error: sentenceOf(thrown) }, 'a plan could not be put to people');
      const why = thrown instanceof HandraiseError ? thrown.message : 'an internal error; see the log of the run';
      return {
        behavior: 'deny',
        kind: 'not_understood',
        message: `The plan was not put to anybody (${why}). ${STAY}`,
        ...NO_DUTY,
      };
    }
  }

  turnEnded(turnId: string): Promise<void> {
    return this.#inner.turnEnded(turnId);
  }

  sessionEnded(sessionId: string): Promise<void> {
    return this.#inner.sessionEnded(sessionId);
  }

  grants(): Promise<readonly Grant[]> {
    return this.#inner.grants();
  }

  revoke(requestId: string, by: Actor): ReturnType<Gate['revoke']> {
    return this.#inner.revoke(requestId, by);
  }

  stop(): Promise<void> {
    return this.#inner.stop();
  }
}

function planIn(input: unknown): string {
  const plan = typeof input === 'object' && input !== null && 'plan' in input ? input.plan : undefined;
  if (typeof plan === 'string' && plan.trim() !== '') return plan;
  throw new HandraiseError('it holds no plan', { code: 'invalid_questions', hint: 'Give the plan as text.' });
}

/** Not judged like an agent's own questions: a plan may hold whatever text it needs. */
function questionAbout(plan: string): QuestionBatch {
  return {
    questions: [
      {
        question: QUESTION,
        header: 'Plan',
        multiSelect: false,
        options: [
          {
            label: START,
            description: 'Leaves plan mode. Every step that writes is still asked about.',
            preview: plan,
          },
          { label: KEEP_PLANNING, description: 'Say in a note what should change.' },
        ],
      },
    ],
  };
}

/** Only the start that a person picked lets it go on; a text of their own is what should change. */
function decisionOf(call: ToolCall, result: PromptResult): GateDecision {
  const { outcome } = result;
  const duty = { delivered: () => result.delivered(), lost: (why: string) => result.lost(why) };
  const [answer] = isAnswered(outcome) ? outcome.sheet : [];
  if (answer?.status === 'answered' && answer.labels[0] === START && answer.other === undefined)
    return { behavior: 'allow', input: call.input, ...duty };
  return { behavior: 'deny', kind: denialOf(outcome)[0], message: planDenial(outcome), ...duty };
}

/** What the model reads when its plan is not started. */
export function planDenial(outcome: Outcome): string {
  const [answer] = isAnswered(outcome) ? outcome.sheet : [];
  const said = answer?.status === 'answered' ? [answer.other, answer.notes].filter((text) => text !== undefined) : [];
  const note = said.length === 0 ? '' : `They say:\n${said.join('\n')}\n`;
  return `${denialOf(outcome)[1]} ${note}${STAY}`;
}

const STAY = 'You are still in plan mode: work on the plan, or end with it as your answer.';

function denialOf(outcome: Outcome): readonly [DenialKind, string] {
  switch (outcome.kind) {
    case 'answered':
    case 'partially_answered':
    case 'skipped':
      return ['denied', 'A person looked at the plan and wants you to keep planning.'];
    case 'declined':
      return ['denied', 'A person looked at the plan and left it to you, which does not start it.'];
    case 'no_channel':
      return ['no_channel', 'Nobody can be asked to approve the plan.'];
    case 'timed_out':
      return ['timed_out', 'Nobody answered whether to start with the plan. This is not a refusal by a person.'];
    case 'undeliverable':
      return ['undeliverable', `The plan could not be put to a person (${outcome.reason}).`];
    case 'cancelled':
    case 'superseded':
    case 'owner_lost':
      return [outcome.kind, 'The plan was withdrawn before anybody decided.'];
    default:
      return ['indeterminate', 'Something was recorded about the plan, but it is not certain what.'];
  }
}

const NO_DUTY = { delivered: async () => undefined, lost: async () => undefined };
