import { describe, expect, it } from 'vitest';
import {
  endedBy,
  isAnswered,
  type Outcome,
  outcomeOfSheet,
  replyToModel,
  unreachableReply,
} from '../../../src/core/outcomes.ts';
import type { AnswerSheet, QuestionAnswer } from '../../../src/core/questions/answers.ts';
import { batchOf, question } from '../../support/requests.ts';

const BATCH = batchOf(
  question('Which database?', ['Postgres', 'SQLite']),
  question('Which languages?', ['Go', 'Rust'], { multiSelect: true }),
);
const POSTGRES: QuestionAnswer = { status: 'answered', labels: ['Postgres'] };
const GO: QuestionAnswer = { status: 'answered', labels: ['Go'], other: 'Zig' };
const SKIPPED: QuestionAnswer = { status: 'skipped' };
const UNANSWERED: QuestionAnswer = { status: 'unanswered' };

/** The closed set: each outcome once, who ends it, whether the agent gets an error, and the heart of its sentence. */
const OUTCOMES: readonly (readonly [Outcome, string, boolean, string])[] = [
  [{ kind: 'answered', sheet: [POSTGRES, GO] }, 'operator', false, 'The operator answered:'],
  [
    { kind: 'partially_answered', sheet: [POSTGRES, SKIPPED] },
    'operator',
    false,
    'answered 1 of 2 questions and skipped the rest',
  ],
  [{ kind: 'skipped', sheet: [SKIPPED, SKIPPED] }, 'operator', false, 'saw the questions and skipped all of them'],
  [{ kind: 'declined' }, 'operator', true, 'left this decision to you'],
  [{ kind: 'timed_out', shown: true, waitedMs: 300_000 }, 'timeout', true, 'Nobody answered within 5 minutes'],
  [{ kind: 'timed_out', shown: false, waitedMs: 900_000 }, 'timeout', true, 'was never shown'],
  [{ kind: 'cancelled' }, 'agent', true, 'withdrawn'],
  [{ kind: 'superseded' }, 'agent', true, 'replaced by a newer one'],
  [{ kind: 'owner_lost' }, 'system', true, 'handraise stopped'],
  [{ kind: 'no_channel' }, 'headless', true, 'no chat channel is bound'],
  [
    { kind: 'undeliverable', reason: 'not_in_channel' },
    'system',
    true,
    'could not be posted, so nobody answered it (not_in_channel)',
  ],
  [{ kind: 'indeterminate' }, 'system', true, 'could not be confirmed that it arrived'],
];

describe('an outcome', () => {
  it.each(OUTCOMES)('%o is ended by %s, is an error or not (%s), and says "%s"', (outcome, by, isError, heart) => {
    const reply = replyToModel(BATCH, outcome);
    expect(endedBy(outcome.kind)).toBe(by);
    expect(reply.isError).toBe(isError);
    expect(reply.text).toContain(heart);
    expect(isAnswered(outcome)).toBe(!isError);
  });

  it('has a sentence of its own', () => {
    const texts = OUTCOMES.map(([outcome]) => replyToModel(BATCH, outcome).text);
    expect(new Set(texts).size).toBe(OUTCOMES.length);
  });

  it('tells the answers as JSON that can be read back, with every exact label', () => {
    const { text } = replyToModel(BATCH, { kind: 'answered', sheet: [POSTGRES, GO] });
    expect(JSON.parse(text.split('\n')[1] ?? '')).toEqual({
      answers: { 'Which database?': 'Postgres', 'Which languages?': ['Go', 'Zig'] },
    });
  });

  it('says for none and for some, but not for all, to judge without inventing what the operator wants', () => {
    const says = (sheet: AnswerSheet) => replyToModel(BATCH, outcomeOfSheet(sheet)).text;
    const rule = 'do not invent what the operator wants';
    expect(says([SKIPPED, SKIPPED])).toContain(rule);
    expect(says([POSTGRES, SKIPPED])).toContain(rule);
    expect(says([POSTGRES, GO])).not.toContain(rule);
    expect(says([SKIPPED, SKIPPED])).toContain('{"answers":{}}');
  });

  it('that nobody chose is never told as a preference or a refusal', () => {
    for (const [outcome] of OUTCOMES.filter(([one]) => endedBy(one.kind) !== 'operator')) {
      expect(replyToModel(BATCH, outcome).text).not.toMatch(/declin|reject|denied|refused/i);
    }
    expect(replyToModel(BATCH, { kind: 'timed_out', shown: true, waitedMs: 60_000 }).text).toContain(
      'Silence is neither a preference nor a refusal.',
    );
  });

  it('that leaves the agent without an answer tells it how to go on, unless it withdrew by itself', () => {
    const stops = OUTCOMES.filter(([outcome]) => ['timeout', 'system', 'headless'].includes(endedBy(outcome.kind)));
    for (const [outcome] of stops) expect(replyToModel(BATCH, outcome).text).toContain('Proceed without this input');
    expect(unreachableReply('the run is over')).toEqual({
      isError: true,
      text: expect.stringMatching(/^The operator cannot be reached \(the run is over\)\. Proceed without this input/),
    });
  });
});

describe('the outcome of a sheet', () => {
  it.each([
    ['answered', [POSTGRES, GO]],
    ['partially_answered', [POSTGRES, SKIPPED]],
    ['partially_answered', [UNANSWERED, GO]],
    ['skipped', [SKIPPED, SKIPPED]],
    ['skipped', [SKIPPED, UNANSWERED]],
  ] as const)('is %s', (kind, sheet) => {
    expect(outcomeOfSheet(sheet)).toEqual({ kind, sheet });
  });
});
