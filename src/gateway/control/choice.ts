import { HandraiseError } from '../../core/errors.ts';
import { SCOPES } from '../../core/proposals/contract.ts';
import { decodeAnswers } from '../../core/questions/answers.ts';
import type { QuestionBatch } from '../../core/questions/contract.ts';
import type { Decision } from '../../core/request.ts';
import { quoted } from '../../core/text.ts';
import type { Choice } from '../../core/wire/control.ts';

/**
 * The decision that a choice amounts to. An option that is not on the card becomes a label that the store refuses, in
 * its turn: after who, and whether the request still takes an answer. Throws `invalid_answers` for what fits no question.
 */
export function decisionOf(batch: QuestionBatch, choice: Choice): Decision {
  if ('decline' in choice) return { kind: 'declined' };
  if ('skip' in choice) return { kind: 'answers', sheet: batch.questions.map(() => ({ status: 'skipped' })) };
  if ('answers' in choice) return { kind: 'answers', sheet: decodeAnswers(batch, choice) };
  const labels = batch.questions.map((): string[] => []);
  for (const option of choice.options) {
    const { index, label } = named(batch, option);
    labels[index]?.push(label);
  }
  const { other, notes } = choice;
  const isOne = batch.questions.length === 1;
  if (!isOne && (other !== undefined || notes !== undefined)) {
    throw refusal('own words and notes belong to one question, and this request has several: give them with --answers');
  }
  if (choice.options.length === 0 && other === undefined) throw refusal('nothing is chosen');
  return {
    kind: 'answers',
    sheet: labels.map((chosen) =>
      chosen.length === 0 && other === undefined
        ? { status: 'skipped' }
        : {
            status: 'answered',
            labels: chosen,
            ...(other === undefined ? {} : { other }),
            ...(notes === undefined ? {} : { notes }),
          },
    ),
  };
}

/** The same for a proposal: one scope, or a refusal with or without a note. */
export function proposalDecisionOf(choice: Choice): Decision {
  const [only, another] = 'options' in choice ? choice.options : [];
  if (!('options' in choice) || only === undefined || another !== undefined || choice.other !== undefined) {
    throw refusal('this request is a step to be allowed: name one of its options, such as action or deny');
  }
  const { notes } = choice;
  if (only === 'deny') return { kind: 'denied', ...(notes === undefined ? {} : { note: notes }) };
  if (notes !== undefined) throw refusal('a note goes with deny only');
  const scope = SCOPES.find((known) => known === only);
  if (scope === undefined)
    throw refusal(
      `a proposal has no option ${quoted(only)}; it has turn, action, session or deny, as \`handraise pending\` lists them`,
    );
  return { kind: 'granted', scope };
}

/** By id first: a label that reads like the id of another option must not be taken for it. */
function named({ questions }: QuestionBatch, option: string): { index: number; label: string } {
  const [, question, number] = /^q(\d+)\.o(\d+)$/.exec(option) ?? [];
  const byId = questions[Number(question)]?.options[Number(number)]?.label;
  if (byId !== undefined) return { index: Number(question), label: byId };
  if (questions.length === 1) return { index: 0, label: option };
  // No option has no label, and none of another question may stand in for it.
  if (question !== undefined) return { index: 0, label: '' };
  throw refusal('this request has several questions: name options by id, such as q1.o0, or use --answers');
}

function refusal(sentence: string): HandraiseError {
  return new HandraiseError(`The answer was not taken: ${sentence}.`, { code: 'invalid_answers' });
}
