import { describe, expect, it } from 'vitest';
import { HandraiseError } from '../../../src/core/errors.ts';
import type { Outcome } from '../../../src/core/outcomes.ts';
import type { Prompter } from '../../../src/core/ports/prompter.ts';
import type { AnswerSheet } from '../../../src/core/questions/answers.ts';
import type { QuestionEvent } from '../../../src/observe/events.ts';
import { observed } from '../../../src/observe/observed-prompter.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { batchOf, PROPOSES_NOTHING, question } from '../../support/requests.ts';

const BATCH = batchOf(
  question('Which database?', ['Postgres', 'SQLite'], { header: 'Database' }),
  question('Which year?', ['2025', '2026'], { header: 'Year' }),
);
const SHEET: AnswerSheet = [{ status: 'answered', labels: ['Postgres'] }, { status: 'skipped' }];

/** Every outcome of product.md "Outcomes" that questions have: its event, its `by`, how many answers. */
const OUTCOMES: readonly (readonly [Outcome, string, string, number])[] = [
  [
    {
      kind: 'answered',
      sheet: [
        { status: 'answered', labels: ['Postgres'] },
        { status: 'answered', labels: ['2026'] },
      ],
    },
    'answered',
    'operator',
    2,
  ],
  [{ kind: 'partially_answered', sheet: SHEET }, 'answered', 'operator', 1],
  [{ kind: 'skipped', sheet: [{ status: 'skipped' }, { status: 'skipped' }] }, 'answered', 'operator', 0],
  [{ kind: 'declined' }, 'unanswered', 'operator', 0],
  [{ kind: 'timed_out', shown: true, waitedMs: 300_000 }, 'unanswered', 'timeout', 0],
  [{ kind: 'cancelled' }, 'unanswered', 'agent', 0],
  [{ kind: 'superseded' }, 'unanswered', 'agent', 0],
  [{ kind: 'owner_lost' }, 'unanswered', 'system', 0],
  [{ kind: 'no_channel' }, 'unanswered', 'headless', 0],
  [{ kind: 'undeliverable', reason: 'not_in_channel' }, 'unanswered', 'system', 0],
  [{ kind: 'indeterminate' }, 'unanswered', 'system', 0],
];

describe('an observed prompter', () => {
  it('tells that a question was asked before anybody sees it', async () => {
    const { events, ask, clock } = setUp({ kind: 'declined' });
    const begun = clock.now();
    const asking = ask();
    expect(events).toEqual([
      {
        event: 'operator.question.asked',
        at: begun,
        id: 'event-1',
        headers: ['Database', 'Year'],
        questions: 2,
        duration_ms: 0,
        outcome: null,
        by: 'agent',
      },
    ]);
    await asking;
  });

  it.each(OUTCOMES)('tells %o as %s, by %s, with %i answers', async (outcome, event, by, answers) => {
    const { events, ask, clock } = setUp(outcome, 1_500);
    const result = await ask();
    expect(events).toHaveLength(1);
    await result.delivered();
    expect(events[1]).toEqual({
      event: `operator.question.${event}`,
      at: clock.now(),
      id: 'event-1',
      headers: ['Database', 'Year'],
      questions: 2,
      duration_ms: 1_500,
      outcome: outcome.kind,
      by,
      answers,
      request_id: 'request-1',
    });
  });

  it.each(OUTCOMES)('tells exactly one end of %o, however often it is told about delivery', async (outcome) => {
    const { events, ask } = setUp(outcome);
    const result = await ask();
    await result.delivered();
    await result.lost('again');
    await result.delivered();
    expect(events).toHaveLength(2);
  });

  it('tells an answer that was lost on the way as unanswered and indeterminate', async () => {
    const { events, ask, heard } = setUp({ kind: 'partially_answered', sheet: SHEET });
    await (await ask()).lost('socket closed');
    expect(events[1]).toMatchObject({
      event: 'operator.question.unanswered',
      outcome: 'indeterminate',
      by: 'system',
      answers: 0,
    });
    expect(heard).toEqual(['lost: socket closed']);
  });

  it('keeps the outcome of what nobody answered, also when it is lost on the way', async () => {
    const { events, ask } = setUp({ kind: 'timed_out', shown: true, waitedMs: 300_000 });
    await (await ask()).lost('socket closed');
    expect(events[1]).toMatchObject({ event: 'operator.question.unanswered', outcome: 'timed_out', by: 'timeout' });
  });

  it('tells a prompter that throws as undeliverable, and lets the error pass', async () => {
    const failing: Prompter = {
      ...PROPOSES_NOTHING,
      ask: async () => {
        throw new HandraiseError('The store is gone', { code: 'store' });
      },
    };
    const events: QuestionEvent[] = [];
    const prompter = observed(failing, { emit: (event) => events.push(event) }, createFakeClock());
    await expect(prompter.ask(BATCH, { signal: new AbortController().signal })).rejects.toThrow('The store is gone');
    expect(events.map(({ event, outcome }) => [event, outcome])).toEqual([
      ['operator.question.asked', null],
      ['operator.question.unanswered', 'undeliverable'],
    ]);
  });

  it('has no request id where there never was a request', async () => {
    const { events, ask } = setUp({ kind: 'no_channel' }, 0, { accept: false });
    await (await ask()).delivered();
    expect(events[1]).not.toHaveProperty('request_id');
  });

  it('passes the call on: batch, signal, pending id, acceptance and delivery', async () => {
    const { ask, heard, passed, accepted } = setUp({ kind: 'declined' });
    const controller = new AbortController();
    await (await ask({ signal: controller.signal, pendingId: 'tool-1' })).delivered();
    expect(passed).toMatchObject([{ batch: BATCH, context: { signal: controller.signal, pendingId: 'tool-1' } }]);
    expect(accepted).toEqual(['request-1']);
    expect(heard).toEqual(['delivered']);
  });

  it('keeps questions, labels and answers out of every event', async () => {
    const sheet: AnswerSheet = [
      { status: 'answered', labels: ['Postgres'], notes: 'a note' },
      { status: 'answered', labels: [], other: 'typed words' },
    ];
    const { events, ask } = setUp({ kind: 'answered', sheet });
    await (await ask()).delivered();
    const text = JSON.stringify(events);
    for (const secret of ['Which', 'Postgres', '2025', 'a note', 'typed words', 'means']) {
      expect(text).not.toContain(secret);
    }
  });
});

function setUp(outcome: Outcome, takesMs = 0, { accept = true } = {}) {
  const clock = createFakeClock();
  const events: QuestionEvent[] = [];
  const heard: string[] = [];
  const accepted: string[] = [];
  const passed: unknown[] = [];
  const inner: Prompter = {
    ...PROPOSES_NOTHING,
    async ask(batch, context) {
      passed.push({ batch, context });
      if (accept) context.onAccepted?.('request-1');
      await Promise.resolve();
      clock.advance(takesMs);
      return {
        outcome,
        delivered: async () => void heard.push('delivered'),
        lost: async (why) => void heard.push(`lost: ${why}`),
      };
    },
  };
  const prompter = observed(inner, { emit: (event) => events.push(event) }, clock, { newId: () => 'event-1' });
  const ask = (context: { signal?: AbortSignal; pendingId?: string } = {}) =>
    prompter.ask(BATCH, {
      signal: new AbortController().signal,
      onAccepted: (id) => void accepted.push(id),
      ...context,
    });
  return { clock, events, heard, accepted, passed, ask };
}
