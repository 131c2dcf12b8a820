import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerForm, otherForm } from '../../../../adapters/slack/form.ts';
import { readForm } from '../../../../adapters/slack/form-answers.ts';
import { placeIn } from '../../../../adapters/slack/form-place.ts';
import type { FormState } from '../../../../adapters/slack/payload.ts';
import type { AnswerSheet, QuestionAnswer } from '../../../../src/core/questions/answers.ts';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import { questionView } from '../../../../src/prompt/card-view.ts';
import { sheetOf } from '../../../../src/prompt/form-entries.ts';
import { answersTo, batches } from '../../../support/batches.ts';
import { batchOf, question, SESSION } from '../../../support/requests.ts';
import { drawView, legalView } from './drawn.ts';

const database = question('Which database?', ['Postgres', 'SQLite'], { header: 'Database' });
const languages = question('Which languages?', ['Go', 'Rust', 'Zig'], { header: 'Languages', multiSelect: true });
const both = batchOf(database, languages);
const place = { requestId: 'request-1', channel: 'C1', message: '1.1' };

const formOf = (batch: QuestionBatch) => answerForm(questionView('request-1', SESSION, batch), place);

const radio = (value: string | null) => ({
  pick: { type: 'radio_buttons', selected_option: value === null ? null : { value } },
});
const boxes = (...values: string[]) => ({
  pick: { type: 'checkboxes', selected_options: values.map((value) => ({ value })) },
});
const typed = (field: 'other' | 'notes', value: string | null) => ({ [field]: { type: 'plain_text_input', value } });

/** What Slack would send for the form of `both`. */
function filled(more: FormState): FormState {
  return {
    'q0.pick': radio(null),
    'q0.other': typed('other', null),
    'q0.notes': typed('notes', null),
    'q1.pick': boxes(),
    'q1.other': typed('other', null),
    'q1.notes': typed('notes', null),
    ...more,
  };
}

function sheetFrom(state: FormState, batch: QuestionBatch = both): AnswerSheet | undefined {
  const reading = readForm(state);
  expect(reading).toMatchObject({ ok: true });
  return reading.ok ? sheetOf(reading.entries, batch.questions) : undefined;
}

function errorsFrom(state: FormState) {
  const reading = readForm(state);
  return reading.ok ? {} : reading.errors;
}

describe('the form', () => {
  test('offers boxes, Other and a note for every question', () => {
    const form = formOf(both);
    expect(legalView(form).issues).toEqual([]);
    expect(drawView(form).text).toMatchInlineSnapshot(`
      "claude-code · api (main) · started by ana@laptop
      1. Database · choose one
      Which database?
      Choose one
      Other: your own words
      Note to the agent
      2. Languages · choose any number
      Which languages?
      Choose any number
      Other: your own words
      Note to the agent"
    `);
    expect(placeIn(form.private_metadata ?? '')).toEqual(place);
  });

  test('shows in full above the boxes what a box would cut', () => {
    const long = { label: `${'x'.repeat(199)}A`, description: `${'d'.repeat(299)}B` };
    const form = formOf(
      batchOf({ ...database, options: [long, { label: `${'x'.repeat(199)}C`, description: 'short' }] }),
    );
    const { text, controls } = drawView(form);
    expect(legalView(form).issues).toEqual([]);
    expect(text).toContain(`1. ${long.label}: ${long.description}`);
    const texts = controls[0]?.options.map((option) => option.text) ?? [];
    expect(texts.slice(0, 2)).toEqual([`1. ${'x'.repeat(71)}…`, `2. ${'x'.repeat(71)}…`]);
  });

  test('lets radio buttons be taken back while there is room for it', () => {
    const texts = (count: number) => {
      const labels = Array.from({ length: count }, (_, index) => `Option ${index}`);
      const { controls } = drawView(formOf(batchOf(question('Which?', labels))));
      return controls[0]?.options.map((option) => option.value) ?? [];
    };
    expect(texts(8)).toEqual([...Array.from({ length: 8 }, (_, index) => `o${index}`), 'other', 'skip']);
    expect(texts(9)).toEqual([...Array.from({ length: 9 }, (_, index) => `o${index}`), 'other']);
  });

  test('for Other is the question and one box', () => {
    const form = otherForm(questionView('request-1', SESSION, batchOf(database)), place);
    expect(legalView(form).issues).toEqual([]);
    expect(drawView(form).text).toMatchInlineSnapshot(`
      "claude-code · api (main) · started by ana@laptop
      Database · choose one
      Which database?
      Your answer"
    `);
  });
});

describe('a submit', () => {
  test.each<[string, FormState, AnswerSheet]>([
    [
      'choices become labels by index',
      { 'q0.pick': radio('o1'), 'q1.pick': boxes('o2', 'o0') },
      [
        { status: 'answered', labels: ['SQLite'] },
        { status: 'answered', labels: ['Go', 'Zig'] },
      ],
    ],
    [
      'an empty question is skipped',
      { 'q1.pick': boxes('o1') },
      [{ status: 'skipped' }, { status: 'answered', labels: ['Rust'] }],
    ],
    [
      'a question may be skipped on purpose, all of them, too',
      { 'q0.pick': radio('skip') },
      [{ status: 'skipped' }, { status: 'skipped' }],
    ],
    [
      'typed text answers, with or without choosing Other',
      { 'q0.pick': radio('other'), 'q0.other': typed('other', ' DuckDB\n'), 'q1.other': typed('other', 'OCaml') },
      [
        { status: 'answered', labels: [], other: 'DuckDB' },
        { status: 'answered', labels: [], other: 'OCaml' },
      ],
    ],
    [
      'several boxes and Other go together',
      { 'q0.pick': radio('o0'), 'q1.pick': boxes('o0', 'other'), 'q1.other': typed('other', 'OCaml') },
      [
        { status: 'answered', labels: ['Postgres'] },
        { status: 'answered', labels: ['Go'], other: 'OCaml' },
      ],
    ],
    [
      'notes go with their answers',
      { 'q0.pick': radio('o0'), 'q0.notes': typed('notes', 'v16, please') },
      [{ status: 'answered', labels: ['Postgres'], notes: 'v16, please' }, { status: 'skipped' }],
    ],
    [
      "typing an option's label means the option",
      { 'q0.other': typed('other', 'SQLite') },
      [{ status: 'answered', labels: ['SQLite'] }, { status: 'skipped' }],
    ],
  ])('is read: %s', (_, state, sheet) => {
    expect(sheetFrom(filled(state))).toEqual(sheet);
  });

  test.each<[string, FormState, Record<string, string>]>([
    [
      'nothing at all',
      {},
      { 'q0.pick': 'Nothing is filled in. To skip everything, close this form and press Skip on the card.' },
    ],
    [
      'blanks only',
      { 'q0.other': typed('other', ' \n ') },
      { 'q0.pick': 'Nothing is filled in. To skip everything, close this form and press Skip on the card.' },
    ],
    [
      'an option and Other text for one choice',
      { 'q0.pick': radio('o0'), 'q0.other': typed('other', 'DuckDB') },
      { 'q0.other': 'Only one answer fits: choose Other above to send this text, or remove it.' },
    ],
    [
      'Other without text',
      { 'q0.pick': radio('other'), 'q1.pick': boxes('other') },
      {
        'q0.other': 'You chose Other: write your answer here, or choose something else.',
        'q1.other': 'You chose Other: write your answer here, or choose something else.',
      },
    ],
    [
      'skipping and writing',
      { 'q0.pick': radio('skip'), 'q0.other': typed('other', 'DuckDB') },
      { 'q0.other': 'Only one answer fits: choose Other above to send this text, or remove it.' },
    ],
    [
      'the word Other as the answer',
      { 'q0.other': typed('other', 'other') },
      { 'q0.other': '"other" alone answers nothing: use your own words.' },
    ],
    [
      'a note without an answer, which would be lost',
      { 'q0.pick': radio('o0'), 'q1.notes': typed('notes', 'hm') },
      { 'q1.notes': 'A note goes with an answer: choose one, or write this as Other.' },
    ],
  ])('is kept open for %s', (_, state, errors) => {
    expect(errorsFrom(filled(state))).toEqual(errors);
  });

  test('of another form than the request has questions for is not taken', () => {
    expect(sheetFrom({ 'q0.other': typed('other', 'x') })).toBeUndefined();
    expect(sheetFrom({ 'q0.pick': radio('o7') }, batchOf(database))).toBeUndefined();
  });

  test('gives back every answer that can be given', () => {
    const filledIn = batches.chain((batch) =>
      fc.tuple(...batch.questions.map(answersTo)).map((sheet) => ({ batch, sheet })),
    );
    fc.assert(
      fc.property(filledIn, ({ batch, sheet }) => {
        const words = sheet.map(trimmed);
        fc.pre(words.some((answer) => answer.status === 'answered'));
        // Typing a label is choosing it; there is a case for that above.
        fc.pre(!words.some((answer, index) => typesALabel(batch, answer, index)));
        const state = Object.assign({}, ...words.map((answer, index) => stateOf(batch, answer, index))) as FormState;
        expect(sheetFrom(state, batch)).toEqual(words);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});

function trimmed(answer: QuestionAnswer): QuestionAnswer {
  if (answer.status !== 'answered') return answer;
  const { labels, other, notes } = answer;
  return {
    status: 'answered',
    labels,
    ...(other === undefined ? {} : { other: other.trim() }),
    ...(notes === undefined ? {} : { notes: notes.trim() }),
  };
}

function typesALabel(batch: QuestionBatch, answer: QuestionAnswer, index: number): boolean {
  const labels = batch.questions[index]?.options.map((option) => option.label) ?? [];
  return answer.status === 'answered' && answer.other !== undefined && labels.includes(answer.other);
}

function stateOf(batch: QuestionBatch, answer: QuestionAnswer, index: number): FormState {
  const asked = batch.questions[index];
  const given = answer.status === 'answered' ? answer : { labels: [] as string[], other: undefined, notes: undefined };
  const values = given.labels.map((label) => `o${asked?.options.findIndex((option) => option.label === label) ?? -1}`);
  const pick = asked?.multiSelect ? boxes(...values) : radio(values[0] ?? null);
  return {
    ...(asked?.options.length === 0 ? {} : { [`q${index}.pick`]: pick }),
    [`q${index}.other`]: typed('other', given.other ?? null),
    [`q${index}.notes`]: typed('notes', given.notes ?? null),
  };
}
