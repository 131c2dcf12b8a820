import { expect, it } from 'vitest';
import { transition } from '../../../src/core/lifecycle.ts';
import type { RequestRecord } from '../../../src/core/request.ts';
import { RESOLVE_CODES, type ResolveCode } from '../../../src/core/resolve-codes.ts';
import { commandRefused, resolveSentence } from '../../../src/prompt/command-replies.ts';
import { ANA, batchOf, question, recordOf } from '../../support/requests.ts';

const T0 = 1_000_000;
const move = (record: RequestRecord, event: Parameters<typeof transition>[1]): RequestRecord => {
  const moved = transition(record, event);
  if (!moved.ok) throw new Error(moved.refusal);
  return moved.record;
};
const fresh = recordOf('r1', batchOf(question('Which?', ['A', 'B'])), T0);
const open = move(fresh, { type: 'show', at: T0 });
const claimed = move(open, {
  type: 'claim',
  verdict: {
    decision: { kind: 'answers', sheet: [{ status: 'answered', labels: ['A'] }] },
    actor: { ...ANA, platform: 'local', userId: 'ana', name: 'ana@build-1 (command line)' },
    interactionId: 'c1',
    at: T0 + 1_000,
  },
});
const closed = (kind: 'cancelled' | 'superseded' | 'owner_lost') =>
  move(open, { type: 'close', outcome: { kind }, at: T0 + 1_000 });

const CASES: readonly (readonly [Exclude<ResolveCode, 'refused' | 'invalid_answers'>, RequestRecord | undefined])[] = [
  ['resolved', claimed],
  ['recorded', claimed],
  ['voted', open],
  ['votes_changed', open],
  ['session_not_found', undefined],
  ['not_found', undefined],
  ['not_shown', fresh],
  ['stale', closed('cancelled')],
  ['stale', closed('superseded')],
  ['stale', move(open, { type: 'close', outcome: { kind: 'undeliverable', reason: 'Slack is down' }, at: T0 + 1_000 })],
  [
    'deadline_passed',
    move(open, { type: 'close', outcome: { kind: 'timed_out', shown: true, waitedMs: 1 }, at: T0 + 1_000 }),
  ],
  ['not_allowed', open],
  ['already_resolved', move(claimed, { type: 'confirm', at: T0 + 1_500 })],
  ['resolution_in_progress', claimed],
  ['option_not_offered', open],
  ['audit_failed', open],
  ['delivery_failed', closed('owner_lost')],
  ['delivery_failed', move(claimed, { type: 'close', outcome: { kind: 'indeterminate' }, at: T0 + 1_500 })],
  ['unavailable', undefined],
];

it('what somebody at a command line reads is one of these sentences (read them when they change)', () => {
  const sentences = CASES.map(([code, record]) => `${code}: ${resolveSentence(code, record, T0 + 13_000)}`);
  const refusals = (['agent_tree', 'not_listed', 'requester', 'voted_before', 'voters_unverified'] as const).map(
    (reason) => `refused: ${commandRefused(reason)}`,
  );
  expect([...sentences, ...refusals]).toMatchSnapshot();
  const worded = new Set<ResolveCode>([...CASES.map(([code]) => code), 'refused', 'invalid_answers']);
  expect([...worded].sort()).toEqual(Object.keys(RESOLVE_CODES).sort());
});
