import { durationInWords } from './duration.ts';
import type { Scope } from './proposals/contract.ts';
import { type AnswerSheet, encodeAnswers } from './questions/answers.ts';
import type { QuestionBatch } from './questions/contract.ts';
import type { VerdictFault } from './verdict-signature.ts';

/** Who or what ended a request; the `by` of its event. */
export type EndedBy = 'operator' | 'agent' | 'timeout' | 'system' | 'headless';

/**
 * How a request ended: a closed set, nothing else ends a request. Answers are for questions only, `granted` and `denied`
 * for proposals only.
 * `timed_out.shown` is false for a question that waited in its session's queue and never got a card;
 * `indeterminate.reason` says why a recorded verdict was not believed, where that is why nothing was delivered, and
 * `indeterminate.withheld` why a permission was not used, where it is known that nothing was run by it;
 * `cancelled.coveredBy` is the request whose grant is good for this proposal, too, so that nobody need decide on it;
 * `no_channel.cure` who could change that nobody may approve.
 */
export type Outcome =
  | { readonly kind: 'answered' | 'partially_answered' | 'skipped'; readonly sheet: AnswerSheet }
  | { readonly kind: 'declined' }
  | { readonly kind: 'granted'; readonly scope: Scope }
  | { readonly kind: 'denied'; readonly note?: string }
  | { readonly kind: 'timed_out'; readonly shown: boolean; readonly waitedMs: number }
  | { readonly kind: 'cancelled'; readonly coveredBy?: string }
  | { readonly kind: 'superseded' }
  | { readonly kind: 'owner_lost' }
  | { readonly kind: 'no_channel'; readonly cure?: string }
  | { readonly kind: 'undeliverable'; readonly reason: string }
  | { readonly kind: 'indeterminate'; readonly reason?: VerdictFault; readonly withheld?: Withheld };

/**
 * Why a step that a person allowed was not run all the same: what it would run had changed, the permission was over, or it
 * could not be recorded.
 */
export const WITHHELD = ['drifted', 'grant_over', 'not_recorded'] as const;
export type Withheld = (typeof WITHHELD)[number];

export type OutcomeKind = Outcome['kind'];

/** What an agent receives: the text of the tool result, and whether it counts as a tool error. */
export interface ToolReply {
  readonly text: string;
  readonly isError: boolean;
}

/** Whether people answered: such an outcome carries a sheet and is a success for the agent. */
export function isAnswered(outcome: Outcome): outcome is Extract<Outcome, { sheet: AnswerSheet }> {
  return outcome.kind === 'answered' || outcome.kind === 'partially_answered' || outcome.kind === 'skipped';
}

/** The outcome a complete sheet amounts to. A question left `unanswered` counts as skipped here. */
export function outcomeOfSheet(sheet: AnswerSheet): Outcome {
  const answered = sheet.filter((answer) => answer.status === 'answered').length;
  if (answered === 0) return { kind: 'skipped', sheet };
  return { kind: answered === sheet.length ? 'answered' : 'partially_answered', sheet };
}

export function endedBy(kind: OutcomeKind): EndedBy {
  switch (kind) {
    case 'answered':
    case 'partially_answered':
    case 'skipped':
    case 'declined':
    case 'granted':
    case 'denied':
      return 'operator';
    case 'timed_out':
      return 'timeout';
    case 'cancelled':
    case 'superseded':
      return 'agent';
    case 'no_channel':
      return 'headless';
    case 'owner_lost':
    case 'undeliverable':
    case 'indeterminate':
      return 'system';
  }
}

const PROCEED =
  'Proceed without this input: use your own judgement, take the conventional choice and say which one you took.';

/** The one place that words an outcome for a model. */
export function replyToModel(batch: QuestionBatch, outcome: Outcome): ToolReply {
  switch (outcome.kind) {
    case 'answered':
      return success(`The operator answered:\n${answersAsJson(batch, outcome.sheet)}\nContinue with these answers.`);
    case 'partially_answered': {
      const skipped = outcome.sheet.filter((answer) => answer.status !== 'answered').length;
      return success(
        `The operator answered ${outcome.sheet.length - skipped} of ${outcome.sheet.length} questions and skipped the rest:\n` +
          `${answersAsJson(batch, outcome.sheet)}\n` +
          'Skipping is not refusing: use your own judgement for what was not answered, and do not invent what the operator wants.',
      );
    }
    case 'skipped':
      return success(
        `The operator saw the questions and skipped all of them:\n${answersAsJson(batch, outcome.sheet)}\n` +
          'Skipping is not refusing and not a preference: use your own judgement, and do not invent what the operator wants.',
      );
    case 'declined':
      return failure(
        'The operator left this decision to you. Decide on your own, say what you decided, and do not ask this again.',
      );
    case 'timed_out':
      return failure(
        outcome.shown
          ? `Nobody answered within ${durationInWords(outcome.waitedMs)}. Silence is neither a preference nor a refusal. ${PROCEED}`
          : `The question was never shown: earlier questions of this session stayed open for ${durationInWords(outcome.waitedMs)}. ${PROCEED}`,
      );
    case 'cancelled':
      return failure('The question was withdrawn before anyone answered.');
    case 'superseded':
      return failure('The question was replaced by a newer one with the same id; the answer goes to that one.');
    case 'owner_lost':
      return failure(`handraise stopped before an answer arrived. ${PROCEED}`);
    case 'no_channel':
      return failure(`Nobody can be asked from this run: no chat channel is bound to it. ${PROCEED}`);
    case 'undeliverable':
      return failure(`The question could not be posted, so nobody answered it (${outcome.reason}). ${PROCEED}`);
    case 'granted':
    case 'denied':
      // The store takes none on a question; should one be there all the same, it answers nothing.
      return failure(`Something was recorded that is no answer to this question. ${PROCEED}`);
    case 'indeterminate':
      return failure(
        outcome.reason === undefined
          ? `An answer was recorded, but it could not be confirmed that it arrived. ${PROCEED}`
          : `Something was recorded as an answer, but not provably by an operator, so it was not used. ${PROCEED}`,
      );
  }
}

/** What the model reads when there is nobody behind the socket: the run is over, or the tool was started by hand. */
export function unreachableReply(cause: string): ToolReply {
  return failure(`The operator cannot be reached (${cause}). ${PROCEED}`);
}

function answersAsJson(batch: QuestionBatch, sheet: AnswerSheet): string {
  return JSON.stringify(encodeAnswers(batch, sheet));
}

function success(text: string): ToolReply {
  return { text, isError: false };
}

function failure(text: string): ToolReply {
  return { text, isError: true };
}
