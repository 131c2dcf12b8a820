import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import { batchOf, question } from '../../../support/requests.ts';

const SINGLE = question('Which database?', ['Postgres', 'SQLite']);
const MULTI = question('Which languages?', ['Go', 'Rust'], { multiSelect: true });
const ONE = batchOf(SINGLE);
const TWO = batchOf(SINGLE, MULTI);

const ABSENT = 'there is no "answers" object; write {"answers":{}} to say that every question was skipped';
const BLANK = 'the answer to "Which database?" is blank or not text';

/** Answers that are not taken, and what whoever wrote them is told (without the beginning and the full stop). */
export const WRONG_ANSWERS: readonly { what: string; batch: QuestionBatch; input: unknown; says: string }[] = [
  ...[undefined, null, 'SQLite', [], {}, { answers: null }, { answers: [] }, { answers: 'SQLite' }].map((input) => ({
    what: `absent answers: ${JSON.stringify(input)}`,
    batch: ONE,
    input,
    says: ABSENT,
  })),
  ...['', '  ', null, 5, true, {}, [''], ['SQLite', ' '], [['SQLite']]].map((value) => ({
    what: `a blank or foreign value: ${JSON.stringify(value)}`,
    batch: ONE,
    input: { answers: { 'Which database?': value } },
    says: BLANK,
  })),
  {
    what: 'an empty list',
    batch: TWO,
    input: { answers: { 'Which languages?': [] } },
    says: 'the answer to "Which languages?" is empty',
  },
  {
    what: 'a question that was not asked',
    batch: ONE,
    input: { answers: { 'Which database': 'SQLite' } },
    says: 'no question reads "Which database"',
  },
  {
    what: 'an index beyond the questions',
    batch: TWO,
    input: { answers: { answer_2: 'SQLite' } },
    says: 'no question reads "answer_2"',
  },
  {
    what: 'a lone answer to two questions',
    batch: TWO,
    input: { answers: { answer: 'SQLite' } },
    says: 'no question reads "answer"',
  },
  {
    what: 'two answers to one question, by text and by index',
    batch: TWO,
    input: { answers: { 'Which database?': 'SQLite', answer_0: 'Postgres' } },
    says: 'question 1 is answered twice',
  },
  {
    what: 'two options of a single-select',
    batch: ONE,
    input: { answers: { 'Which database?': ['Postgres', 'SQLite'] } },
    says: '"Which database?" takes one answer',
  },
  {
    what: 'an option and typed words of a single-select',
    batch: ONE,
    input: { answers: { 'Which database?': ['Postgres', 'or so'] } },
    says: '"Which database?" takes one answer',
  },
  {
    what: 'two typed answers',
    batch: TWO,
    input: { answers: { 'Which languages?': ['Go', 'Zig', 'Odin'] } },
    says: '"Which languages?" has two answers that are no option: "Zig" and "Odin"',
  },
  {
    what: 'the word Other instead of words',
    batch: ONE,
    input: { answers: { 'Which database?': 'Other' } },
    says: '"Other" alone answers nothing: write the operator\'s own words for "Which database?"',
  },
  {
    what: 'the word Other behind options',
    batch: TWO,
    input: { answers: { 'Which languages?': 'Go, other' } },
    says: '"other" alone answers nothing: write the operator\'s own words for "Which languages?"',
  },
];
