import { describe, expect, it } from 'vitest';
import {
  type ClosingOutcome,
  LIFECYCLE,
  type LifecycleEvent,
  newRecord,
  outcomeOfVerdict,
  refusalToClaim,
  transition,
  withCard,
  withPostFailure,
} from '../../../src/core/lifecycle.ts';
import type { Outcome } from '../../../src/core/outcomes.ts';
import { QUEUE_FACTOR, type RequestRecord, type Status, type Verdict } from '../../../src/core/request.ts';
import { ANA, batchOf, question, recordOf, requestOf } from '../../support/requests.ts';

const T0 = 1_000_000;
const WAIT = 300_000;
const BATCH = batchOf(question('Which database?', ['Postgres', 'SQLite']));

const CLOSINGS: readonly ClosingOutcome[] = [
  { kind: 'timed_out', shown: true, waitedMs: WAIT },
  { kind: 'cancelled' },
  { kind: 'superseded' },
  { kind: 'owner_lost' },
  { kind: 'undeliverable', reason: 'not_in_channel' },
  { kind: 'indeterminate' },
];

/** One record in every state there is; `ended` once for each outcome. */
const STATES: Readonly<Record<string, RequestRecord>> = (() => {
  const queued = recordOf('r1', BATCH, T0);
  const open = moved(queued, { type: 'show', at: T0 });
  const claimed = moved(open, { type: 'claim', verdict: verdict('Postgres') });
  const confirm = { type: 'confirm', at: T0 + 2 } as const;
  const decided = (decision: Verdict['decision']) =>
    moved(moved(open, { type: 'claim', verdict: { ...verdict('Postgres'), decision } }), confirm);
  return {
    queued,
    open,
    claimed,
    'ended: answered': moved(claimed, confirm),
    'ended: skipped': decided({ kind: 'answers', sheet: [{ status: 'skipped' }] }),
    'ended: declined': decided({ kind: 'declined' }),
    ...Object.fromEntries(
      CLOSINGS.map((outcome) => [`ended: ${outcome.kind}`, moved(open, { type: 'close', outcome, at: T0 + 2 })]),
    ),
  };
})();

const EVENTS: Readonly<Record<string, LifecycleEvent>> = {
  show: { type: 'show', at: T0 + 5 },
  claim: { type: 'claim', verdict: verdict('SQLite') },
  'claim late': { type: 'claim', verdict: { ...verdict('SQLite'), at: T0 + WAIT } },
  'claim foreign': { type: 'claim', verdict: verdict('MySQL') },
  spoil: { type: 'spoil' },
  confirm: { type: 'confirm', at: T0 + 5 },
  ...Object.fromEntries(
    CLOSINGS.map((outcome) => [`close ${outcome.kind}`, { type: 'close', outcome, at: T0 + 5 } as const]),
  ),
};

/** Every state with every event: the state it leads to, or why it changes nothing. Written out to be read. */
const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  queued: {
    show: 'open',
    claim: 'not_shown',
    'claim late': 'not_shown',
    'claim foreign': 'not_shown',
    spoil: 'claimed',
    confirm: 'not_allowed',
    ...closes(() => 'ended'),
  },
  open: {
    show: 'not_allowed',
    claim: 'claimed',
    'claim late': 'deadline_passed',
    'claim foreign': 'option_not_offered',
    spoil: 'claimed',
    confirm: 'not_allowed',
    ...closes(() => 'ended'),
  },
  claimed: {
    show: 'not_allowed',
    ...claims('resolution_in_progress'),
    spoil: 'not_allowed',
    confirm: 'ended',
    ...closes((kind) => (kind === 'indeterminate' || kind === 'owner_lost' ? 'ended' : 'resolution_in_progress')),
  },
  'ended: answered': everything('already_resolved'),
  'ended: skipped': everything('already_resolved'),
  'ended: declined': everything('already_resolved'),
  'ended: timed_out': everything('deadline_passed'),
  'ended: cancelled': everything('stale'),
  'ended: superseded': everything('stale'),
  'ended: undeliverable': everything('stale'),
  'ended: owner_lost': everything('delivery_failed'),
  'ended: indeterminate': everything('delivery_failed'),
};

describe('the lifecycle', () => {
  const cases = Object.keys(STATES).flatMap((state) => Object.keys(EVENTS).map((event) => [state, event] as const));

  it('is written out for every state and every event', () => {
    expect(Object.keys(TABLE).toSorted()).toEqual(Object.keys(STATES).toSorted());
    for (const row of Object.values(TABLE)) expect(Object.keys(row).toSorted()).toEqual(Object.keys(EVENTS).toSorted());
  });

  it.each(cases)('%s takes "%s" as the table says, and leaves the record it was given alone', (state, event) => {
    const [record, happening] = [STATES[state], EVENTS[event]];
    if (record === undefined || happening === undefined) throw new Error('not in the tables');
    const before = structuredClone(record);
    const result = transition(record, happening);
    expect(result.ok ? result.record.status : result.refusal).toBe(TABLE[state]?.[event]);
    expect(record).toEqual(before);
  });

  it('ends nowhere but in "ended", which leads nowhere', () => {
    expect(LIFECYCLE.ended).toEqual({});
    const others = Object.entries(LIFECYCLE).filter(([status]) => status !== 'ended');
    for (const [, moves] of others) expect(Object.values(moves)).toContain('ended' satisfies Status);
  });
});

describe('a record', () => {
  it('starts in the queue, with a time limit of three times its wait', () => {
    const request = requestOf('r1', BATCH, { waitMs: WAIT });
    expect(newRecord(request, T0)).toEqual({
      ...request,
      status: 'queued',
      createdAt: T0,
      queueDeadline: T0 + QUEUE_FACTOR * WAIT,
      cards: [],
      postFailures: [],
    });
    expect(QUEUE_FACTOR).toBe(3);
  });

  it('gets its deadline when it is shown, not when it is asked', () => {
    expect(moved(recordOf('r1', BATCH, T0), { type: 'show', at: T0 + 70_000 })).toMatchObject({
      status: 'open',
      shownAt: T0 + 70_000,
      deadline: T0 + 70_000 + WAIT,
    });
  });

  it('takes a claim up to the millisecond before its deadline', () => {
    const at = (ms: number) =>
      transition(state('open'), { type: 'claim', verdict: { ...verdict('Postgres'), at: ms } }).ok;
    expect([at(T0 + WAIT - 1), at(T0 + WAIT)]).toEqual([true, false]);
  });

  it('keeps the verdict when it ends, whatever it ends as', () => {
    const lost = moved(state('claimed'), { type: 'close', outcome: { kind: 'owner_lost' }, at: T0 + 9 });
    expect(lost).toMatchObject({
      verdict: verdict('Postgres'),
      outcome: { kind: 'owner_lost' },
      by: 'system',
      endedAt: T0 + 9,
    });
  });

  it.each<[Verdict['decision'], Outcome]>([
    [{ kind: 'declined' }, { kind: 'declined' }],
    [
      { kind: 'answers', sheet: [{ status: 'skipped' }] },
      { kind: 'skipped', sheet: [{ status: 'skipped' }] },
    ],
    [
      { kind: 'answers', sheet: [{ status: 'answered', labels: ['SQLite'] }] },
      { kind: 'answered', sheet: [{ status: 'answered', labels: ['SQLite'] }] },
    ],
  ])('with the verdict %o leads to %o', (decision, outcome) => {
    expect(outcomeOfVerdict({ ...state('claimed'), verdict: { ...verdict('Postgres'), decision } })).toEqual(outcome);
  });

  it('without a verdict leads to an outcome that claims nothing', () => {
    expect(outcomeOfVerdict(state('open'))).toEqual({ kind: 'indeterminate' });
  });

  it('keeps each card once, and one failure a surface', () => {
    const card = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' } as const;
    const once = withCard(state('open'), card);
    expect(withCard(once, { ...card })).toBe(once);
    expect(withCard(once, { ...card, message: '2.2' }).cards).toHaveLength(2);
    const failure = { platform: 'slack', channel: 'C1', reason: 'timeout', permanent: false } as const;
    const failed = withPostFailure(withPostFailure(once, failure), { ...failure, reason: 'not_in_channel' });
    expect(failed.postFailures.map((known) => known.reason)).toEqual(['not_in_channel']);
    expect(withPostFailure(failed, { ...failure, channel: 'C2' }).postFailures).toHaveLength(2);
  });
});

describe('whether a claim would be taken', () => {
  it.each(Object.keys(STATES))('is told beforehand as the claim itself would tell it: %s', (name) => {
    for (const at of [T0 + 1, T0 + WAIT - 1, T0 + WAIT, T0 + 2 * WAIT]) {
      const result = transition(state(name), { type: 'claim', verdict: { ...verdict('SQLite'), at } });
      expect(refusalToClaim(state(name), at)).toBe(result.ok ? undefined : result.refusal);
    }
  });
});

function state(name: string): RequestRecord {
  const record = STATES[name];
  if (record === undefined) throw new Error(`no state ${name}`);
  return record;
}

function verdict(label: string): Verdict {
  const decision = { kind: 'answers', sheet: [{ status: 'answered', labels: [label] }] } as const;
  return { decision, actor: ANA, interactionId: 'click-1', at: T0 + 1 };
}

function moved(record: RequestRecord, event: LifecycleEvent): RequestRecord {
  const result = transition(record, event);
  if (!result.ok) throw new Error(`${record.status} refused ${event.type}: ${result.refusal}`);
  return result.record;
}

function claims(refusal: string): Record<string, string> {
  return { claim: refusal, 'claim late': refusal, 'claim foreign': refusal };
}

function closes(leadsTo: (kind: ClosingOutcome['kind']) => string): Record<string, string> {
  return Object.fromEntries(CLOSINGS.map(({ kind }) => [`close ${kind}`, leadsTo(kind)]));
}

function everything(refusal: string): Record<string, string> {
  return { show: refusal, ...claims(refusal), spoil: refusal, confirm: refusal, ...closes(() => refusal) };
}
