import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/core/outcomes.ts';
import type { RequestRecord } from '../../../src/core/request.ts';
import { createLaterActions } from '../../../src/gateway/later-actions.ts';
import { turnOf } from '../../contracts/grant-store/harness.ts';
import { grantsInMemory } from '../../support/memory-grants.ts';
import { storeInMemory } from '../../support/memory-store.ts';
import { proposalRequestOf, writeOf } from '../../support/proposals.ts';
import { ANA, SESSION } from '../../support/requests.ts';

const TIMED_OUT: Outcome = { kind: 'timed_out', shown: true, waitedMs: 300_000 };
const FOR_TURN: Outcome = { kind: 'granted', scope: 'turn' };

async function setUp() {
  const { store, clock } = storeInMemory();
  const kept = grantsInMemory(clock);
  const redrawn: string[] = [];
  const later = createLaterActions({ grants: kept.grants, clock, redraw: (requestId) => redrawn.push(requestId) });
  await store.open(proposalRequestOf('r1', writeOf()));
  const record = await store.read('r1');
  if (record === undefined) throw new Error('it was not opened');
  const ended = (outcome: Outcome, more: Partial<RequestRecord> = {}) =>
    ({ ...record, status: 'ended', outcome, endedAt: clock.now(), ...more }) as RequestRecord;
  return { clock, grants: kept.grants, redrawn, later, ended };
}

describe('the card of a proposal that ended', () => {
  it('offers to take a grant back as long as it is good, and nothing on a single step', async () => {
    const { later, grants, ended, clock, redrawn } = await setUp();
    expect(await later.offered(ended(FOR_TURN))).toBeUndefined();
    await grants.grant(turnOf('r1', { endsAt: clock.now() + 1_000 }));
    expect(await later.offered(ended(FOR_TURN))).toBe('revoke');
    expect(await later.offered(ended({ kind: 'granted', scope: 'action' }))).toBeUndefined();
    expect(await later.act(ended(FOR_TURN), 'revoke', ANA)).toContain('Taken back');
    expect(redrawn).toEqual(['r1']);
    expect(await later.offered(ended(FOR_TURN))).toBeUndefined();
    expect((await grants.read('r1'))?.ended).toMatchObject({ why: 'revoked', by: ANA });
  });

  it('offers nothing on a grant that ran out of time, and says so to whoever presses it all the same', async () => {
    const { later, grants, ended, clock } = await setUp();
    await grants.grant(turnOf('r1', { endsAt: clock.now() + 1_000 }));
    clock.advance(1_000);
    expect(await later.offered(ended(FOR_TURN))).toBeUndefined();
    await grants.end('r1', 'turn_ended');
    expect(await later.act(ended(FOR_TURN), 'revoke', ANA)).toContain('over already');
  });

  it('offers to ask again after a silence, once; never after a refusal', async () => {
    const { later, grants, ended, redrawn } = await setUp();
    expect(await later.offered(ended({ kind: 'denied' }))).toBeUndefined();
    expect(await later.offered(ended(TIMED_OUT))).toBe('askagain');
    for (const _ of [1, 2]) expect(await later.act(ended(TIMED_OUT), 'askagain', ANA)).toContain('put to people again');
    expect(await grants.isLifted('r1')).toBe(true);
    expect(await later.offered(ended(TIMED_OUT))).toBeUndefined();
    expect(redrawn).toEqual(['r1', 'r1']);
  });

  it('does not lift a refusal that a person made, whatever is pressed', async () => {
    const { later, grants, ended } = await setUp();
    await later.act(ended({ kind: 'denied' }), 'askagain', ANA);
    expect(await grants.isLifted('r1')).toBe(false);
  });

  it('offers nothing where a script proposed: nobody would propose it again', async () => {
    const { later, ended } = await setUp();
    expect(await later.offered(ended(TIMED_OUT, { session: { ...SESSION, agent: 'script' } }))).toBeUndefined();
  });
});
