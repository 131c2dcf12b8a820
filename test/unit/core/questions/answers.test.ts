import { describe, expect, it } from 'vitest';
import { type AnswerSheet, decodeAnswers, encodeAnswers } from '../../../../src/core/questions/answers.ts';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import { batchOf, question } from '../../../support/requests.ts';
import { WRONG_ANSWERS } from './wrong-answers.ts';

const SINGLE = question('Which database?', ['Postgres', 'SQLite', 'Yes, always', 'Yes']);
const MULTI = question('Which languages?', ['Go', 'Rust', 'Go, mostly', 'C, C++'], { multiSelect: true });
const TEXT = question('What name?', []);
const BOTH = batchOf(SINGLE, MULTI);

/** Forms in which an answer may come, and the sheet they all mean. */
const READ: readonly (readonly [string, QuestionBatch, unknown, AnswerSheet])[] = [
  ['a label', batchOf(SINGLE), { 'Which database?': 'SQLite' }, [answered('SQLite')]],
  ['a label in a list', batchOf(SINGLE), { 'Which database?': ['SQLite'] }, [answered('SQLite')]],
  ['typed words', batchOf(SINGLE), { 'Which database?': 'DuckDB, in memory' }, [typed('DuckDB, in memory')]],
  ['typed words in a list', batchOf(SINGLE), { 'Which database?': ['DuckDB'] }, [typed('DuckDB')]],
  ['typed words to a text box', batchOf(TEXT), { 'What name?': 'handraise' }, [typed('handraise')]],
  ['a label that holds a comma', batchOf(SINGLE), { 'Which database?': 'Yes, always' }, [answered('Yes, always')]],
  [
    'a list of labels, in the order offered',
    batchOf(MULTI),
    { 'Which languages?': ['Rust', 'Go'] },
    [answered('Go', 'Rust')],
  ],
  ['a label twice', batchOf(MULTI), { 'Which languages?': ['Go', 'Go'] }, [answered('Go')]],
  [
    'labels and typed words in a list',
    batchOf(MULTI),
    { 'Which languages?': ['Go', 'Zig, perhaps'] },
    [{ ...answered('Go'), other: 'Zig, perhaps' }],
  ],
  ['one label as text', batchOf(MULTI), { 'Which languages?': 'Rust' }, [answered('Rust')]],
  ['joined labels', batchOf(MULTI), { 'Which languages?': 'Rust, Go' }, [answered('Go', 'Rust')]],
  [
    'joined labels that hold commas: the longest first',
    batchOf(MULTI),
    { 'Which languages?': 'C, C++, Go, mostly, Go' },
    [answered('Go', 'Go, mostly', 'C, C++')],
  ],
  [
    'joined labels that could be cut in two ways: the one that leaves nothing over',
    batchOf({ ...MULTI, options: ['A, B', 'B, C', 'A'].map((label) => ({ label, description: label })) }),
    { 'Which languages?': 'A, B, C' },
    [answered('B, C', 'A')],
  ],
  [
    'an exact label before any splitting',
    batchOf(MULTI),
    { 'Which languages?': 'Go, mostly' },
    [answered('Go, mostly')],
  ],
  [
    'joined labels and typed words',
    batchOf(MULTI),
    { 'Which languages?': 'Go, Zig, perhaps' },
    [{ ...answered('Go'), other: 'Zig, perhaps' }],
  ],
  ['typed words that begin like a label', batchOf(MULTI), { 'Which languages?': 'Golang' }, [typed('Golang')]],
  [
    'answer_<index>, counted from 0',
    BOTH,
    { answer_0: 'SQLite', answer_1: ['Rust'] },
    [answered('SQLite'), answered('Rust')],
  ],
  ['a lone answer', batchOf(SINGLE), { answer: 'SQLite' }, [answered('SQLite')]],
  ['a part of the questions', BOTH, { 'Which languages?': ['Go'] }, [{ status: 'skipped' }, answered('Go')]],
  ['no question at all', BOTH, {}, [{ status: 'skipped' }, { status: 'skipped' }]],
  [
    'a question that reads answer_1',
    batchOf(question('answer_1', ['a', 'b']), question('second', ['c', 'd'])),
    { answer_1: 'a' },
    [answered('a'), { status: 'skipped' }],
  ],
  [
    'a question that reads answer',
    batchOf(question('answer', ['a', 'b']), question('second', ['c', 'd'])),
    { answer: 'b' },
    [answered('b'), { status: 'skipped' }],
  ],
];

describe('reading answers', () => {
  it.each(READ)('understands %s', (_, batch, answers, sheet) => {
    expect(decodeAnswers(batch, { answers })).toEqual(sheet);
  });

  it.each(WRONG_ANSWERS)('refuses $what', ({ batch, input, says }) => {
    expect(() => decodeAnswers(batch, input)).toThrow(
      expect.objectContaining({ code: 'invalid_answers', message: `The answer was not taken: ${says}.` }),
    );
  });

  it('reads a question called __proto__ as it comes off a wire', () => {
    const batch = batchOf(question('__proto__', ['__proto__', 'constructor']));
    const wire = JSON.parse('{"answers":{"__proto__":"constructor"},"annotations":{"__proto__":{"notes":"why"}}}');
    expect(decodeAnswers(batch, wire)).toEqual([{ ...answered('constructor'), notes: 'why' }]);
  });

  it('repeats no more of a long text than it takes to recognise it', () => {
    const answers = { ['x'.repeat(100_000)]: 'a' };
    expect(() => decodeAnswers(BOTH, { answers })).toThrow(`no question reads "${'x'.repeat(79)}…".`);
  });

  it('reads notes, and leaves blank ones and anything else out', () => {
    const notes = { 'Which database?': { notes: 'for now', preview: 'x' }, 'Which languages?': { notes: ' ' } };
    const answers = { 'Which database?': 'SQLite', 'Which languages?': ['Go'] };
    expect(decodeAnswers(BOTH, { answers, annotations: notes })).toEqual([
      { ...answered('SQLite'), notes: 'for now' },
      answered('Go'),
    ]);
    for (const annotations of [
      undefined,
      null,
      'x',
      [],
      { 'Which database?': 'x' },
      { 'Which database?': { notes: 5 } },
    ]) {
      expect(decodeAnswers(BOTH, { answers, annotations })).toEqual([answered('SQLite'), answered('Go')]);
    }
  });
});

describe('writing answers', () => {
  it('gives a string for single-select and an array for multi-select, keyed by the whole question', () => {
    const sheet: AnswerSheet = [answered('Yes, always'), { ...answered('Go', 'C, C++'), other: 'Zig' }];
    expect(encodeAnswers(BOTH, sheet)).toEqual({
      answers: { 'Which database?': 'Yes, always', 'Which languages?': ['Go', 'C, C++', 'Zig'] },
    });
  });

  it('gives an array for multi-select also when one or nothing but typed words was chosen', () => {
    expect(encodeAnswers(batchOf(MULTI), [answered('Go')]).answers).toEqual({ 'Which languages?': ['Go'] });
    expect(encodeAnswers(batchOf(MULTI), [typed('Zig')]).answers).toEqual({ 'Which languages?': ['Zig'] });
  });

  it('gives typed words as the value', () => {
    expect(encodeAnswers(batchOf(TEXT), [typed('handraise')])).toEqual({ answers: { 'What name?': 'handraise' } });
  });

  it('has no key for what was skipped or not reached, and an empty object when that is everything', () => {
    expect(encodeAnswers(BOTH, [{ status: 'skipped' }, answered('Go')])).toEqual({
      answers: { 'Which languages?': ['Go'] },
    });
    expect(encodeAnswers(BOTH, [{ status: 'skipped' }, { status: 'unanswered' }])).toEqual({ answers: {} });
  });

  it('annotates the preview of the chosen option and the notes of the operator', () => {
    const asked = {
      ...SINGLE,
      options: [
        { label: 'Plan A', description: 'x', preview: '# A' },
        { label: 'Plan B', description: 'y' },
      ],
    };
    const write = (sheet: AnswerSheet) => encodeAnswers(batchOf(asked), sheet).annotations;
    expect(write([answered('Plan A')])).toEqual({ 'Which database?': { preview: '# A' } });
    expect(write([{ ...answered('Plan A'), notes: 'but slowly' }])).toEqual({
      'Which database?': { preview: '# A', notes: 'but slowly' },
    });
    expect(write([{ ...answered('Plan B'), notes: 'but slowly' }])).toEqual({
      'Which database?': { notes: 'but slowly' },
    });
    expect(write([answered('Plan B')])).toBeUndefined();
  });

  it('keeps a question called __proto__, which plain assignment would lose', () => {
    const batch = batchOf(question('__proto__', ['a', 'b']));
    expect(JSON.stringify(encodeAnswers(batch, [{ ...answered('a'), notes: 'why' }]))).toBe(
      '{"answers":{"__proto__":"a"},"annotations":{"__proto__":{"notes":"why"}}}',
    );
  });
});

function answered(...labels: string[]) {
  return { status: 'answered', labels } as const;
}

function typed(other: string) {
  return { status: 'answered', labels: [], other } as const;
}
