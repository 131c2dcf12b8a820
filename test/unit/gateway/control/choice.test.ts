import { describe, expect, it } from 'vitest';
import { isOffered } from '../../../../src/core/picks.ts';
import type { Choice } from '../../../../src/core/wire/control.ts';
import { decisionOf } from '../../../../src/gateway/control/choice.ts';
import { asking, batchOf, question } from '../../../support/requests.ts';

const ONE = batchOf(question('Which database?', ['Postgres', 'SQLite']));
const TWO = batchOf(
  question('Which database?', ['Postgres', 'SQLite']),
  question('Which languages?', ['Go', 'Rust', 'Zig'], { multiSelect: true }),
);
const answered = (...labels: string[]) => ({ status: 'answered', labels });
const skipped = { status: 'skipped' };

describe('a choice made at the command line', () => {
  it.each<[string, typeof ONE, Choice, unknown]>([
    ['an option by its label', ONE, { options: ['SQLite'] }, [answered('SQLite')]],
    ['an option by its id', ONE, { options: ['q0.o1'] }, [answered('SQLite')]],
    ['own words', ONE, { options: [], other: 'MariaDB' }, [{ ...answered(), other: 'MariaDB' }]],
    ['an option with a note', ONE, { options: ['q0.o0'], notes: 'n' }, [{ ...answered('Postgres'), notes: 'n' }]],
    [
      'options of several questions by their ids',
      TWO,
      { options: ['q1.o2', 'q0.o0', 'q1.o0'] },
      [answered('Postgres'), answered('Zig', 'Go')],
    ],
    ['some of several questions: the rest is skipped', TWO, { options: ['q1.o0'] }, [skipped, answered('Go')]],
    ['skipping all', TWO, { skip: true }, [skipped, skipped]],
    [
      'an answer in AskUserQuestion’s form',
      TWO,
      { answers: { 'Which database?': 'Postgres', 'Which languages?': ['Go', 'Odin'] } },
      [answered('Postgres'), { ...answered('Go'), other: 'Odin' }],
    ],
    ['an answer that names nothing: all are skipped', TWO, { answers: {} }, [skipped, skipped]],
  ])('can be %s', (_, batch, choice, sheet) => {
    const decision = decisionOf(batch, choice);
    expect(decision).toEqual({ kind: 'answers', sheet });
    expect(isOffered(asking(batch), decision)).toBe(true);
  });

  it('can leave the decision to the agent', () => {
    expect(decisionOf(TWO, { decline: true })).toEqual({ kind: 'declined' });
  });

  it.each<[string, typeof ONE, Choice]>([
    ['a label nobody offered', ONE, { options: ['MySQL'] }],
    ['an id nobody offered', ONE, { options: ['q0.o2'] }],
    ['an id of a question that is not there', TWO, { options: ['q7.o0'] }],
    ['two options of a single choice', ONE, { options: ['Postgres', 'SQLite'] }],
    ['an option and own words for a single choice', ONE, { options: ['Postgres'], other: 'MariaDB' }],
    ['the same option twice', TWO, { options: ['q1.o0', 'q1.o0'] }],
    ['own words that are blank', ONE, { options: [], other: ' ' }],
  ])('stays a choice that is not offered: %s', (_, batch, choice) => {
    expect(isOffered(asking(batch), decisionOf(batch, choice))).toBe(false);
  });

  it('goes by the id where a label reads like the id of another option', () => {
    const trap = batchOf(question('Delete it?', ['q0.o1', 'No']));
    expect(decisionOf(trap, { options: ['q0.o1'] })).toEqual({ kind: 'answers', sheet: [answered('No')] });
    const further = batchOf(question('Delete it?', ['q1.o9', 'No']), question('Sure?', ['Yes', 'No']));
    expect(isOffered(asking(further), decisionOf(further, { options: ['q1.o9'] }))).toBe(false);
  });

  it.each<[string, typeof ONE, Choice, RegExp]>([
    ['nothing', ONE, { options: [] }, /nothing is chosen/],
    ['a label where there are several questions', TWO, { options: ['Postgres'] }, /name options by id/],
    ['own words where there are several questions', TWO, { options: [], other: 'x' }, /--answers/],
    ['answers to other questions', ONE, { answers: { 'Which cache?': 'Redis' } }, /no question reads "Which cache\?"/],
    ['a blank answer', ONE, { answers: { 'Which database?': '' } }, /blank/],
  ])('is refused with what to change: %s', (_, batch, choice, said) => {
    expect(() => decisionOf(batch, choice)).toThrow(said);
    expect(() => decisionOf(batch, choice)).toThrow(expect.objectContaining({ code: 'invalid_answers' }));
  });
});
