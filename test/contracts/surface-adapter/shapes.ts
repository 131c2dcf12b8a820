import type { AnswerSheet } from '../../../src/core/questions/answers.ts';
import type { QuestionBatch } from '../../../src/core/questions/contract.ts';
import { batchOf, question } from '../../support/requests.ts';
import type { Deed } from './harness.ts';

/** One kind of batch, and ways to answer it. */
export interface Shape {
  readonly name: string;
  readonly batch: QuestionBatch;
  /** Whether each option has a button of its own. */
  readonly buttons: boolean;
  readonly answers: readonly { readonly name: string; readonly deeds: readonly Deed[] }[];
}

const database = question('Which database?', ['Postgres', 'SQLite'], { header: 'Database' });
const languages = question('Which languages?', ['Go', 'Rust', 'Zig'], { header: 'Languages', multiSelect: true });
const name = question('What name?', [], { header: 'Name' });
const LONG = 'long '.repeat(39);
const longLabels = question('Which of the long ones?', [`${LONG}A`, `${LONG}B`], { header: 'Long' });
const nine = question('Which of nine?', ['1', '2', '3', '4', '5', '6', '7', '8', '9'], { header: 'Nine' });
const previews = {
  ...question('Which layout?', ['Wide', 'Narrow'], { header: 'Layout' }),
  options: [
    { label: 'Wide', description: 'Two columns', preview: `# Wide\n${'| a | b |\n'.repeat(1_200)}` },
    { label: 'Narrow', description: 'One column', preview: '<b>narrow</b> ```fence``` @everyone' },
  ],
};
const nasty = question('@everyone <!channel> which `one`?', ['<@1> **A**', '[B](https://evil.example)'], {
  header: '*Nasty*',
});

const single = (options: readonly number[]) => [
  ...options.map((pick) => ({ name: `option ${pick + 1}`, deeds: [{ picks: [pick] }] })),
  { name: 'an option with a note', deeds: [{ picks: [options[0] ?? 0], notes: 'a note\nof two lines' }] },
  { name: 'typed words with a note', deeds: [{ other: 'none of these', notes: 'because' }] },
];

/** Every shape the contract and its history know. */
export const SHAPES: readonly Shape[] = [
  { name: 'a single-select', batch: batchOf(database), buttons: true, answers: single([0, 1]) },
  { name: 'a single-select of long labels', batch: batchOf(longLabels), buttons: true, answers: single([1]) },
  { name: 'a single-select with previews', batch: batchOf(previews), buttons: true, answers: single([1]) },
  { name: 'a single-select of hostile texts', batch: batchOf(nasty), buttons: true, answers: single([0]) },
  { name: 'a single-select of nine options', batch: batchOf(nine), buttons: false, answers: single([8]) },
  {
    name: 'a multi-select',
    batch: batchOf(languages),
    buttons: false,
    answers: [
      { name: 'one', deeds: [{ picks: [1] }] },
      { name: 'two and typed words', deeds: [{ picks: [0, 2], other: 'OCaml', notes: 'latest' }] },
      { name: 'typed words alone', deeds: [{ other: 'OCaml' }] },
    ],
  },
  {
    name: 'a question without options',
    batch: batchOf(name),
    buttons: false,
    answers: [{ name: 'typed words', deeds: [{ other: 'handraise' }] }],
  },
  {
    name: 'two questions',
    batch: batchOf(database, languages),
    buttons: false,
    answers: [
      { name: 'both', deeds: [{ picks: [1] }, { picks: [0, 2] }] },
      { name: 'the first only', deeds: [{ picks: [0] }, {}] },
      { name: 'the second only, in words', deeds: [{}, { other: 'OCaml' }] },
      {
        name: 'both with notes',
        deeds: [
          { picks: [0], notes: 'n1' },
          { picks: [1], other: 'C', notes: 'n2' },
        ],
      },
    ],
  },
  {
    name: 'four questions',
    batch: batchOf(longLabels, languages, nine, name),
    buttons: false,
    answers: [
      { name: 'all', deeds: [{ picks: [1] }, { picks: [1, 2] }, { picks: [8] }, { other: 'handraise' }] },
      { name: 'some', deeds: [{}, { other: 'OCaml' }, {}, { other: 'x' }] },
    ],
  },
];

/** What these deeds answer, on whatever platform they were done. */
export function sheetOfDeeds({ questions }: QuestionBatch, deeds: readonly Deed[]): AnswerSheet {
  return questions.map((asked, index) => {
    const { picks = [], other, notes } = deeds[index] ?? {};
    if (picks.length === 0 && other === undefined) return { status: 'skipped' };
    return {
      status: 'answered',
      labels: picks.map((pick) => asked.options[pick]?.label ?? ''),
      ...(other === undefined ? {} : { other }),
      ...(notes === undefined ? {} : { notes }),
    };
  });
}
