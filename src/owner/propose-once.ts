import { randomBytes } from 'node:crypto';
import { type EndedBy, endedBy, type Outcome } from '../core/outcomes.ts';
import type { CallFacts, Delivery, ToolCall } from '../core/ports/gate.ts';
import type { AskContext, Prompter } from '../core/ports/prompter.ts';
import type { ProposedEffect, Scope } from '../core/proposals/contract.ts';
import { createJudge, isTooLarge, type Judge, type Judged, takenCall } from '../gate/judge.ts';
import { proposalOf } from '../gate/proposal/build.ts';
import { DEFAULT_GATE } from '../gate/settings.ts';
import { createToolClassifier } from '../gate/tool-effects.ts';

/**
 * How a step that was put to people ended, as scripts and programs read it. Only `granted` lets it run, once. `drifted`:
 * what would run changed after it was shown.
 */
export interface Proposed {
  readonly outcome: Exclude<Outcome['kind'], 'answered' | 'partially_answered' | 'skipped' | 'declined'> | 'drifted';
  /** `policy`: it only reads, so that nobody was asked. */
  readonly by: EndedBy | 'policy';
  /** Only with `granted`. */
  readonly scope?: Scope;
  /** What the person wants the asker to know. Only with `denied`. */
  readonly note?: string;
  /** Why it was put to nobody. */
  readonly reason?: string;
  readonly effect: ProposedEffect;
  /** Of what was shown; absent where nobody was asked. */
  readonly digest?: string;
  /** Links to the audit and the log. */
  readonly requestId?: string;
}

/** What is known before anybody is asked. `refused`: nobody is, whatever it is for. */
export type Weighed =
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'reads'; readonly proposed: Proposed }
  | { readonly kind: 'asks'; put(prompter: Pick<Prompter, 'propose'>, context: PutContext): Promise<Put> };

type PutContext = Pick<AskContext, 'signal' | 'pendingId'>;

/** Whoever hands `proposed` on says whether it arrived. */
export interface Put {
  readonly proposed: Proposed;
  readonly delivery: Delivery;
}

/**
 * Judges one step that is to be put to people by itself, whatever a gate would say: for one call, with no grant that
 * lasts. What is run later has to be the very call that is given here.
 */
export async function weighed(given: ToolCall, facts: CallFacts, workspace: string): Promise<Weighed> {
  const call = takenCall(given);
  if (isTooLarge(call)) return { kind: 'refused', sentence: 'It is too large for a person to review.' };
  const judge = createJudge(createToolClassifier(DEFAULT_GATE, workspace), DEFAULT_GATE);
  const { verdict, step } = await judge.classified(call, facts);
  if (verdict === 'names_handraise')
    return {
      kind: 'refused',
      sentence: 'It names what decides about it: handraise itself is never put to anybody.',
    };
  if (verdict === 'run') {
    return { kind: 'reads', proposed: { outcome: 'granted', by: 'policy', scope: 'action', effect: step.effect } };
  }
  return {
    kind: 'asks',
    async put(prompter, context) {
      const salt = randomBytes(32).toString('hex');
      return putOnce(prompter, context, await judge.digested(call, facts, step, salt), judge, salt);
    },
  };
}

async function putOnce(
  prompter: Pick<Prompter, 'propose'>,
  context: PutContext,
  judged: Judged,
  judge: Judge,
  salt: string,
): Promise<Put> {
  const { call, facts, step, action } = judged;
  const { effect } = step;
  // This call only: no later one of its asker would know of a longer grant.
  const once = {
    scope: 'action',
    covers: 'this-call',
    lifetimeWords: 'this call',
    confirm: effect === 'external',
  } as const;
  const proposal = await proposalOf(call, facts, step, { ...action, offers: [once] });
  let requestId: string | undefined;
  const result = await prompter.propose(proposal, {
    ...context,
    onAccepted: (id) => {
      requestId = id;
    },
  });
  const about = { effect, digest: action.digest, ...(requestId === undefined ? {} : { requestId }) };
  if (result.outcome.kind === 'granted' && !(await judge.isSame(judged, salt))) {
    await result.lost('what would run changed after it was shown', 'drifted');
    return { proposed: { outcome: 'drifted', by: 'system', ...about }, delivery: NO_DUTY };
  }
  return { proposed: { ...decidedIn(result.outcome), ...about }, delivery: result };
}

function decidedIn(outcome: Outcome): Pick<Proposed, 'outcome' | 'by' | 'scope' | 'note' | 'reason'> {
  switch (outcome.kind) {
    case 'granted':
      return { outcome: outcome.kind, by: 'operator', scope: outcome.scope };
    case 'denied':
      return {
        outcome: outcome.kind,
        by: 'operator',
        ...(outcome.note === undefined ? {} : { note: outcome.note }),
      };
    case 'undeliverable':
      return { outcome: outcome.kind, by: endedBy(outcome.kind), reason: outcome.reason };
    case 'no_channel':
      return {
        outcome: outcome.kind,
        by: endedBy(outcome.kind),
        ...(outcome.cure === undefined ? {} : { reason: outcome.cure }),
      };
    case 'answered':
    case 'partially_answered':
    case 'skipped':
    case 'declined':
      // The store takes no answers on a step; should some be there all the same, they allow nothing.
      return { outcome: 'indeterminate', by: endedBy('indeterminate') };
    default:
      return { outcome: outcome.kind, by: endedBy(outcome.kind) };
  }
}

/** Nobody waits to hear whether it arrived. */
const NO_DUTY: Delivery = { delivered: async () => undefined, lost: async () => undefined };
