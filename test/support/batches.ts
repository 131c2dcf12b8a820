import fc from 'fast-check';
import type { QuestionAnswer } from '../../src/core/questions/answers.ts';
import type { Question, QuestionBatch } from '../../src/core/questions/contract.ts';
import { normaliseQuestions } from '../../src/core/questions/normalise.ts';
import { isBlank } from '../../src/core/text.ts';

/** Pieces that have broken cards somewhere. */
const NASTY = [
  '<!channel>',
  '<!here>',
  '<@U1>',
  '<#C1|general>',
  '<!subteam^S1>',
  '<https://evil.example|Approve here>',
  '<!date^1^{date}|soon>',
  'https://evil.example/x',
  '@channel',
  '@everyone',
  '<@112233445566778899>',
  '<@&112233445566778899>',
  '<#112233445566778899>',
  '</approve:112233445566778899>',
  '<t:1:R>',
  '[Approve](https://evil.example)',
  '||rm||',
  '# Approved',
  '-# small',
  '1. one',
  '- item',
  '\\',
  '```',
  '`',
  '*bold* _it_ ~no~',
  '> quote',
  ':white_check_mark: Approved by Ana',
  '&lt;!channel&gt;',
  '&',
  '\u202E',
  '\u200B',
  '\u0000',
  '\u001B[2K',
  '\uD83D',
  '\uFE0F',
  '👩🏽‍💻',
  '🇩🇪',
  'שלום',
  ' '.repeat(50),
  '\n'.repeat(9),
  'e\u0301'.repeat(40),
  'x'.repeat(300),
] as const;

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

/** Text of up to `most` pieces that is not blank. */
export const text = (most: number) =>
  fc
    .array(piece, { minLength: 1, maxLength: most })
    .map((pieces) => pieces.join(' '))
    .filter((joined) => !isBlank(joined));

const option = fc.record({
  label: text(4),
  description: text(6),
  preview: fc.option(
    text(8).map((body) => `# ${body.replace(/<\/?(?:!doctype|html|body|script|style)/gi, '')}`),
    { nil: undefined },
  ),
});

const question = fc.record({
  question: text(8),
  header: text(2),
  options: fc.uniqueArray(option, { maxLength: 9, selector: ({ label }) => label.trim() }),
  multiSelect: fc.boolean(),
});

/** Everything the normaliser lets through, history included: up to four questions, none to nine options. */
export const batches: fc.Arbitrary<QuestionBatch> = fc
  .uniqueArray(question, { minLength: 1, maxLength: 4, selector: (asked) => asked.question.trim() })
  .map((questions) => {
    try {
      return normaliseQuestions({ questions }, 'history');
    } catch {
      // Not a batch: the generator does not know every rule of the contract.
      return undefined;
    }
  })
  .filter((batch) => batch !== undefined);

/** Any answer that fits a question. */
export function answersTo(asked: Question): fc.Arbitrary<QuestionAnswer> {
  const labels = asked.options.map((choice) => choice.label);
  const notes = fc.option(text(4), { nil: undefined });
  const typed = fc
    .record({ other: text(6), notes })
    .map(({ other, notes: note }): QuestionAnswer => ({ status: 'answered', labels: [], other, ...optional(note) }));
  const skipped: fc.Arbitrary<QuestionAnswer> = fc.constant({ status: 'skipped' });
  if (labels.length === 0) return fc.oneof(typed, skipped);
  const most = asked.multiSelect ? labels.length : 1;
  const chosen = fc
    .record({ picked: fc.subarray(labels, { minLength: 1, maxLength: most }), notes })
    .map(({ picked, notes: note }): QuestionAnswer => ({ status: 'answered', labels: picked, ...optional(note) }));
  return fc.oneof(chosen, typed, skipped);
}

function optional(notes: string | undefined): { notes?: string } {
  return notes === undefined ? {} : { notes };
}
