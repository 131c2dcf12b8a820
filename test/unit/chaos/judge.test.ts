import { describe, expect, it } from 'vitest';
import { type CardLook, type History, optionsOf, questionOf } from '../../chaos/history.ts';
import { judge } from '../../chaos/judge.ts';

const ENDS_WITHIN_MS = 60_000;

/** Three questions of two owners: one answered, one whose owner was killed, one nobody could post. */
function honest(): Mutable<History> {
  const [north] = optionsOf('q0001');
  return {
    asked: [
      { key: 'q0001', owner: 'o1.1', at: 1_000 },
      { key: 'q0002', owner: 'o2.1', at: 1_000 },
      { key: 'q0003', owner: 'o1.1', at: 5_000 },
    ],
    received: [
      { key: 'q0001', owner: 'o1.1', text: answered('q0001', north), isError: false, at: 2_010 },
      { key: 'q0003', owner: 'o1.1', text: 'The operator cannot be reached.', isError: true, at: 25_000 },
    ],
    clicked: [{ key: 'q0001', label: north, at: 2_000 }],
    cards: [
      {
        ...card('q0001', 'slack'),
        looks: [
          open(1_100),
          look('recorded', 2_005, '', 'Dana on Discord'),
          look('answered', 2_020, `→ ${north}`, 'Dana on Discord'),
        ],
      },
      { ...card('q0002', 'slack'), looks: [open(1_100), look('agent gone', 31_200)] },
      {
        ...card('q0001', 'discord'),
        looks: [open(1_150), look('answered', 2_500, `→ ${north}`, 'Dana')],
      },
      {
        ...{ ...card('q0001', 'discord'), part: 'pointer' as const, message: 'pointer of q0001' },
        looks: [open(1_200), look('answered', 2_600, '', 'Dana')],
      },
    ],
    audit: [
      { at: 1_000, event: 'asked', requestId: 'r1', pendingId: 'q0001' },
      {
        at: 2_002,
        event: 'claimed',
        requestId: 'r1',
        ...{ pendingId: 'q0001', outcome: 'answered', picks: ['q0.o0'], actor: { userId: 'D1' } },
      },
      { at: 2_012, event: 'delivered', requestId: 'r1', pendingId: 'q0001', outcome: 'answered' },
      { at: 2_012, event: 'ended', requestId: 'r1', pendingId: 'q0001', outcome: 'answered' },
      { at: 1_000, event: 'asked', requestId: 'r2', pendingId: 'q0002' },
      { at: 31_000, event: 'ended', requestId: 'r2', pendingId: 'q0002', outcome: 'owner_lost' },
      { at: 5_000, event: 'asked', requestId: 'r3', pendingId: 'q0003' },
      { at: 25_000, event: 'ended', requestId: 'r3', pendingId: 'q0003', outcome: 'undeliverable' },
    ],
    people: [
      { platform: 'slack', id: 'U1', name: 'Ana' },
      { platform: 'discord', id: 'D1', name: 'Dana' },
    ],
    killed: new Set(['o2.1']),
  };
}

describe('the judge of a chaos run', () => {
  it('finds nothing in an honest run, and counts how it went', () => {
    const judged = judge(honest(), { endMs: ENDS_WITHIN_MS });
    expect(judged.violations).toEqual([]);
    expect(judged.outcomes).toEqual({ answered: 1, owner_lost: 1, undeliverable: 1 });
    expect(judged.settleMs).toEqual({ slack: [8, 200], discord: [488] });
    expect(judged.claimToSettledMs).toEqual([18, 498]);
    expect(Math.max(...judged.endMs)).toBe(30_000);
  });

  const [north, south] = optionsOf('q0001');
  const doctored: readonly [string, string, (history: Mutable<History>) => void][] = [
    [
      'an answer that arrives twice',
      'duplicated',
      (run) =>
        run.received.push({ key: 'q0001', owner: 'o1.1', text: answered('q0001', north), isError: false, at: 3_000 }),
    ],
    [
      'an answer that another owner gets',
      'misdelivered',
      (run) =>
        run.received.push({ key: 'q0001', owner: 'o2.1', text: answered('q0001', north), isError: false, at: 3_000 }),
    ],
    [
      'an answer that nobody clicked',
      'misdelivered',
      (run) => replace(run.received, 'q0001', { text: answered('q0001', south) }),
    ],
    [
      'another answer than the recorded one, though somebody clicked that, too',
      'misdelivered',
      (run) => {
        run.clicked.push({ key: 'q0001', label: south, at: 2_001 });
        replace(run.received, 'q0001', { text: answered('q0001', south) });
      },
    ],
    ['a living agent without a reply', 'lost', (run) => run.received.splice(1, 1)],
    [
      'a recorded answer that ended as if there had been none',
      'lost',
      (run) => {
        run.audit.push({ at: 6_000, event: 'claimed', requestId: 'r3', pendingId: 'q0003', picks: ['q0.o0'] });
      },
    ],
    ['an owner that was given up while it lives', 'lost', (run) => (run.killed = new Set())],
    [
      'a card that says recorded, of which no claim is known',
      'lost',
      (run) => run.cards[1]?.looks.splice(1, 0, look('recorded', 2_000)),
    ],
    ['two claims of one request', 'duplicated', (run) => copy(run.audit, 'claimed')],
    ['two ends of one request', 'duplicated', (run) => copy(run.audit, 'ended')],
    [
      'a second card on one platform',
      'duplicated',
      (run) => run.cards.push({ ...card('q0002', 'slack'), message: 'another', looks: [look('agent gone', 31_200)] }),
    ],
    ['a card on the other platform that keeps its buttons', 'unsettled', (run) => run.cards[2]?.looks.splice(1)],
    ['a line in the channel that still leads to what is over', 'unsettled', (run) => run.cards[3]?.looks.splice(1)],
    [
      'a card that names somebody else than who was first',
      'falselyShown',
      (run) => run.cards[0]?.looks.splice(2, 1, look('answered', 2_020, `→ ${north}`, 'Ana')),
    ],
    [
      'a card that names who was first, and not on which other platform',
      'falselyShown',
      (run) => run.cards[0]?.looks.splice(2, 1, look('answered', 2_020, `→ ${north}`, 'Dana')),
    ],
    [
      'an answered card that names nobody',
      'falselyShown',
      (run) => run.cards[2]?.looks.splice(1, 1, look('answered', 2_500, `→ ${north}`)),
    ],
    [
      'a card of the other platform that shows another answer than the agent got',
      'falselyShown',
      (run) => run.cards[2]?.looks.splice(1, 1, look('answered', 2_500, `→ ${south}`, 'Dana')),
    ],
    [
      'a request that never ended',
      'unsettled',
      (run) => (run.audit = run.audit.filter(({ requestId, event }) => requestId !== 'r2' || event !== 'ended')),
    ],
    ['a card that keeps its buttons', 'unsettled', (run) => run.cards[1]?.looks.splice(1)],
    ['a card that waits for ever', 'unsettled', (run) => run.cards[0]?.looks.splice(2)],
    [
      'a card that says answered before the agent had it',
      'falselyShown',
      (run) => replace(run.received, 'q0001', { at: 2_030 }),
    ],
    [
      'a card that shows another answer than the agent got',
      'falselyShown',
      (run) => run.cards[0]?.looks.splice(2, 1, look('answered', 2_020, `→ ${south}`, 'Dana on Discord')),
    ],
    [
      'a card that says something else than the record',
      'falselyShown',
      (run) => run.cards[1]?.looks.splice(1, 1, look('timed out', 31_200)),
    ],
    [
      'a delivery on record of which the agent knows nothing',
      'falselyShown',
      (run) => {
        run.killed = new Set(['o1.1', 'o2.1']);
        run.received = run.received.filter(({ key }) => key !== 'q0001');
        run.cards = run.cards.filter(({ key }) => key !== 'q0001');
      },
    ],
    [
      'an answer of which the audit knows nothing',
      'unaudited',
      (run) => (run.audit = run.audit.filter(({ requestId }) => requestId !== 'r1')),
    ],
    ['an end that came too late', 'late', (run) => replaceRow(run, 'r3', { at: 5_001 + ENDS_WITHIN_MS })],
  ];
  it.each(doctored)('finds %s', (_, fault, doctor) => {
    const run = honest();
    doctor(run);
    expect(judge(run, { endMs: ENDS_WITHIN_MS }).violations.map((violation) => violation.fault)).toContain(fault);
  });
});

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? MutableDeep<U>[] : T[K] };
type MutableDeep<U> = U extends { readonly looks: readonly CardLook[] } ? Omit<U, 'looks'> & { looks: CardLook[] } : U;

function answered(key: string, label: string): string {
  return `The operator answered:\n${JSON.stringify({ answers: { [questionOf(key)]: label } })}`;
}

function open(at: number): CardLook {
  return { at, tag: 'question', says: '', isLive: true };
}

function look(tag: string, at: number, says = '', by?: string): CardLook {
  return { at, tag, says, isLive: false, ...(by === undefined ? {} : { by }) };
}

function card(key: string, platform: 'slack' | 'discord') {
  return { key, platform, part: 'card' as const, channel: `channel on ${platform}`, message: key };
}

function replace<T extends { readonly key: string }>(all: T[], key: string, by: Partial<T>): void {
  const at = all.findIndex((one) => one.key === key);
  all.splice(at, 1, { ...(all[at] as T), ...by });
}

function replaceRow(run: Mutable<History>, request: string, by: { readonly at: number }): void {
  const at = run.audit.findLastIndex(({ requestId }) => requestId === request);
  run.audit.splice(at, 1, { ...(run.audit[at] as (typeof run.audit)[number]), ...by });
}

function copy(rows: Mutable<History>['audit'], event: string): void {
  rows.push(...rows.filter((row) => row.event === event).slice(0, 1));
}
