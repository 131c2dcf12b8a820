import fc from 'fast-check';
import type { AnswerSheet, QuestionAnswer } from '../../../../src/core/questions/answers.ts';
import { isOtherLabel, type Question, type QuestionBatch } from '../../../../src/core/questions/contract.ts';

/** Texts with what breaks keys, lists and measures: commas, prototypes, indices, emoji, right to left, markup. */
const awkward = fc.constantFrom(
  '__proto__',
  'constructor',
  'answer',
  'answer_0',
  'answer_1',
  'a, b',
  'a',
  'b',
  ', ',
  '👩‍👩‍👧‍👦 and 🇩🇪',
  'שלום, עולם',
  '`x` <!channel> <@U1> <https://x|y>',
  '\u202Ertl',
);

const text = fc
  .oneof(
    { weight: 1, arbitrary: awkward },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
  )
  .filter((value) => value.trim() !== '');

const label = text.filter((value) => !isOtherLabel(value));

const option = fc.record({ label, description: text, preview: fc.option(fc.constant('# plan'), { nil: undefined }) });

const question: fc.Arbitrary<Question> = fc
  .record({
    question: text,
    header: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }).filter((value) => value.trim() !== ''),
    options: fc.uniqueArray(option, { minLength: 2, maxLength: 4, selector: ({ label: name }) => name.trim() }),
    multiSelect: fc.boolean(),
  })
  .map(({ options, ...asked }) => ({
    ...asked,
    options: options.map(({ preview, ...rest }) =>
      preview === undefined || asked.multiSelect ? rest : { ...rest, preview },
    ),
  }));

/** A batch that keeps the contract. */
export const batches: fc.Arbitrary<QuestionBatch> = fc
  .uniqueArray(question, { minLength: 1, maxLength: 4, selector: (asked) => asked.question.trim() })
  .map((questions) => ({ questions }));

function answerTo(asked: Question): fc.Arbitrary<QuestionAnswer> {
  const labels = asked.options.map((choice) => choice.label);
  const typed = label.filter((value) => !labels.includes(value));
  const notes = fc.option(text, { nil: undefined });
  const chosen = asked.multiSelect
    ? fc
        .record({ labels: fc.subarray(labels), other: fc.option(typed, { nil: undefined }) })
        .filter((choice) => choice.labels.length > 0 || choice.other !== undefined)
    : fc.oneof(
        fc.constantFrom(...labels).map((one) => ({ labels: [one], other: undefined })),
        typed.map((other) => ({ labels: [], other })),
      );
  return fc.oneof(
    fc.constant({ status: 'skipped' as const }),
    fc.tuple(chosen, notes).map(([choice, note]) => ({
      status: 'answered' as const,
      labels: choice.labels,
      ...(choice.other === undefined ? {} : { other: choice.other }),
      ...(note === undefined ? {} : { notes: note }),
    })),
  );
}

/** A batch and everything an operator could answer to it. */
export const answeredBatches: fc.Arbitrary<{ batch: QuestionBatch; sheet: AnswerSheet }> = batches.chain((batch) =>
  fc.tuple(...batch.questions.map(answerTo)).map((sheet) => ({ batch, sheet })),
);
