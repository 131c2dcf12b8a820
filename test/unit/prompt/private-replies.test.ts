import { describe, expect, it } from 'vitest';
import { transition } from '../../../src/core/lifecycle.ts';
import type { Outcome } from '../../../src/core/outcomes.ts';
import type { Refusal } from '../../../src/core/policy/people.ts';
import type { QuestionAnswer } from '../../../src/core/questions/answers.ts';
import type { RequestRecord } from '../../../src/core/request.ts';
import { STORE_CODES, type StoreRefusal } from '../../../src/core/store-codes.ts';
import { UNKNOWN_CARD } from '../../../src/prompt/decided.ts';
import { refusedByPolicy, refusedByStore, STORE_UNREACHABLE } from '../../../src/prompt/private-replies.ts';
import { ANA, batchOf, question, recordOf } from '../../support/requests.ts';

const T0 = 1_000_000;
const fresh = recordOf('r1', batchOf(question('Which?', ['A', 'B'])), T0);
const move = (record: RequestRecord, event: Parameters<typeof transition>[1]): RequestRecord => {
  const moved = transition(record, event);
  if (!moved.ok) throw new Error(moved.refusal);
  return moved.record;
};
const open = move(fresh, { type: 'show', at: T0 });
const ANSWER = { status: 'answered', labels: ['A'] } as const;
const claimedWith = (kind: 'answers' | 'declined', answer: QuestionAnswer = ANSWER) =>
  move(open, {
    type: 'claim',
    verdict: {
      decision: kind === 'declined' ? { kind } : { kind, sheet: [answer] },
      actor: ANA,
      interactionId: 'c1',
      at: T0 + 1_000,
    },
  });
const closed = (
  outcome: Extract<Outcome, { kind: 'timed_out' | 'cancelled' | 'superseded' | 'undeliverable' | 'owner_lost' }>,
) => move(open, { type: 'close', outcome, at: T0 + 1_000 });

describe('what somebody reads whose click counted for nothing', () => {
  it('is one of these sentences (read them when they change)', () => {
    const policy: Refusal[] = [
      'not_listed',
      'guest',
      'stranger',
      'bot',
      'deactivated',
      'unverified',
      'requester',
      'voted_before',
      'voters_unverified',
    ];
    const now = T0 + 13_000;
    const cases: [StoreRefusal, RequestRecord | undefined][] = [
      ['resolution_in_progress', claimedWith('answers')],
      ['already_resolved', move(claimedWith('answers'), { type: 'confirm', at: T0 + 1_500 })],
      ['resolution_in_progress', claimedWith('answers', { status: 'skipped' })],
      ['already_resolved', move(claimedWith('answers', { status: 'skipped' }), { type: 'confirm', at: T0 + 1_500 })],
      ['already_resolved', move(claimedWith('declined'), { type: 'confirm', at: T0 + 1_500 })],
      ['deadline_passed', open],
      ['deadline_passed', closed({ kind: 'timed_out', shown: true, waitedMs: 300_000 })],
      ['stale', closed({ kind: 'cancelled' })],
      ['stale', closed({ kind: 'superseded' })],
      ['stale', closed({ kind: 'undeliverable', reason: 'Slack is down' })],
      ['delivery_failed', closed({ kind: 'owner_lost' })],
      [
        'delivery_failed',
        move(claimedWith('answers'), { type: 'close', outcome: { kind: 'indeterminate' }, at: T0 + 1_500 }),
      ],
      ['option_not_offered', open],
      ['votes_changed', open],
      ['audit_failed', open],
      ['not_shown', fresh],
      ['not_allowed', open],
      ['not_found', undefined],
    ];
    const sentences = {
      policy: Object.fromEntries(policy.map((refusal) => [refusal, refusedByPolicy(refusal, 'slack')])),
      onDiscord: Object.fromEntries(policy.map((refusal) => [refusal, refusedByPolicy(refusal, 'discord')])),
      store: cases.map(
        ([code, record]) =>
          `${code}, ${record?.outcome?.kind ?? record?.status ?? 'no record'}: ${refusedByStore(code, record, now)}`,
      ),
      unknown: UNKNOWN_CARD,
      unreachable: STORE_UNREACHABLE,
    };
    expect(sentences).toMatchSnapshot();
    const covered = new Set(cases.map(([code]) => code));
    expect(
      Object.keys(STORE_CODES).filter(
        (code) => code !== 'done' && code !== 'repeated' && !covered.has(code as StoreRefusal),
      ),
    ).toEqual([]);
  });
});
