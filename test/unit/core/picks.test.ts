import { describe, expect, it } from 'vitest';
import { isOffered, offeredPicks, picksOf } from '../../../src/core/picks.ts';
import type { QuestionAnswer } from '../../../src/core/questions/answers.ts';
import type { Decision } from '../../../src/core/request.ts';
import { asking, batchOf, question } from '../../support/requests.ts';

const BATCH = batchOf(
  question('Which database?', ['Postgres', 'SQLite']),
  question('Which languages?', ['Go', 'Rust', 'Zig'], { multiSelect: true }),
);

describe('what a card offers', () => {
  it('has a name for each option, Other and Skip of each question, Skip all and leaving it to the agent', () => {
    expect(offeredPicks(asking(BATCH))).toEqual([
      ...['q0.o0', 'q0.o1', 'q0.other', 'q0.skip'],
      ...['q1.o0', 'q1.o1', 'q1.o2', 'q1.other', 'q1.skip'],
      ...['skip', 'decline'],
    ]);
  });

  it('has a text box and Skip for a question without options', () => {
    expect(offeredPicks(asking(batchOf(question('What name?', []))))).toEqual([
      'q0.other',
      'q0.skip',
      'skip',
      'decline',
    ]);
  });
});

const SKIPPED = { status: 'skipped' } as const;

/** A decision on BATCH, the picks it amounts to, and whether the card offers it. */
const DECISIONS: readonly (readonly [string, Decision, readonly string[], boolean])[] = [
  ['leaving it to the agent', { kind: 'declined' }, ['decline'], true],
  ['skipping everything', sheet(SKIPPED, SKIPPED), ['skip'], true],
  ['one option and a skip', sheet(chosen('SQLite'), SKIPPED), ['q0.o1', 'q1.skip'], true],
  ['typed words', sheet(typed('DuckDB'), SKIPPED), ['q0.other', 'q1.skip'], true],
  ['several options', sheet(SKIPPED, chosen('Go', 'Zig')), ['q0.skip', 'q1.o0', 'q1.o2'], true],
  [
    'several options and typed words',
    sheet(SKIPPED, { ...chosen('Go'), other: 'Odin' }),
    ['q0.skip', 'q1.o0', 'q1.other'],
    true,
  ],
  ['an option of the other question', sheet(chosen('Go'), SKIPPED), ['q0.o?', 'q1.skip'], false],
  ['a label in other letters', sheet(chosen('sqlite'), SKIPPED), ['q0.o?', 'q1.skip'], false],
  [
    'two options of a single-select',
    sheet(chosen('Postgres', 'SQLite'), SKIPPED),
    ['q0.o0', 'q0.o1', 'q1.skip'],
    false,
  ],
  [
    'an option and typed words of a single-select',
    sheet({ ...chosen('SQLite'), other: 'x' }, SKIPPED),
    ['q0.o1', 'q0.other', 'q1.skip'],
    false,
  ],
  ['the same option twice', sheet(SKIPPED, chosen('Go', 'Go')), ['q0.skip', 'q1.o0', 'q1.o0'], false],
  ['an answer without a choice', sheet(chosen(), SKIPPED), ['q1.skip'], false],
  ['blank words', sheet(typed(' \n'), SKIPPED), ['q0.other', 'q1.skip'], false],
  [
    'blank words behind an option',
    sheet(SKIPPED, { ...chosen('Go'), other: '' }),
    ['q0.skip', 'q1.o0', 'q1.other'],
    false,
  ],
  ['too few answers', sheet(SKIPPED), ['q?.sheet'], false],
  ['too many answers', sheet(SKIPPED, SKIPPED, SKIPPED), ['q?.sheet'], false],
  ['no answers', sheet(), ['q?.sheet'], false],
];

describe('a decision', () => {
  it.each(DECISIONS)('such as %s is named, and offered or not', (_, decision, picks, offered) => {
    expect(picksOf(asking(BATCH), decision)).toEqual(picks);
    expect(isOffered(asking(BATCH), decision)).toBe(offered);
  });
});

function sheet(...answers: QuestionAnswer[]): Decision {
  return { kind: 'answers', sheet: answers };
}

function chosen(...labels: string[]) {
  return { status: 'answered', labels } as const;
}

function typed(other: string) {
  return { status: 'answered', labels: [], other } as const;
}
