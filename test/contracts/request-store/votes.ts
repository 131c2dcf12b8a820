import { describe, expect, it } from 'vitest';
import type { CastVote } from '../../../src/core/ports/request-store.ts';
import type { Vote } from '../../../src/core/request.ts';
import { proposalRequestOf, writeOf } from '../../support/proposals.ts';
import { ANA, BEN } from '../../support/requests.ts';
import { claim, eachTest, type MakeStore, mustRead, WAIT_MS } from './harness.ts';

const voteOf = (actor = ANA, interactionId = `vote of ${actor.userId}`): Vote => ({
  decision: { kind: 'granted', scope: 'turn' },
  actor,
  interactionId,
});
const cast = (vote: Vote, more: Partial<CastVote> = {}): CastVote => ({
  vote,
  replaces: 0,
  kept: [],
  struck: [],
  needed: 2,
  ...more,
});

export function votes(makeStore: MakeStore): void {
  describe('votes', () => {
    const harness = eachTest(makeStore);
    const open = async () => {
      const made = harness();
      await made.store.open(proposalRequestOf('p1', writeOf(), { waitMs: WAIT_MS }));
      return made;
    };

    it('are recorded beside one another, with a row each, and leave the request open', async () => {
      const { store, auditRows } = await open();
      expect(await store.vote('p1', cast(voteOf()))).toMatchObject({ code: 'done', record: { status: 'open' } });
      const second = cast(voteOf(BEN), { replaces: 1, kept: [voteOf()], needed: 3 });
      expect((await store.vote('p1', second)).code).toBe('done');
      expect((await mustRead(store, 'p1')).ballot).toEqual({ revision: 2, cast: [voteOf(), voteOf(BEN)] });
      const rows = (await auditRows()).filter(({ event }) => event === 'voted');
      expect(rows).toMatchObject([
        { actor: { userId: 'U1' }, interactionId: 'vote of U1', picks: ['turn'], votes: { cast: 1, needed: 2 } },
        { actor: { userId: 'U2' }, votes: { cast: 2, needed: 3 } },
      ]);
    });

    it('judged by others than those that stand change nothing: of 20 at once one is recorded', async () => {
      const { store, auditRows } = await open();
      const people = Array.from({ length: 20 }, (_, index) => ({ ...ANA, userId: `U${index}` }));
      const results = await Promise.all(people.map((person) => store.vote('p1', cast(voteOf(person)))));
      expect(results.filter(({ code }) => code === 'done')).toHaveLength(1);
      expect(results.filter(({ code }) => code === 'votes_changed')).toHaveLength(19);
      expect((await mustRead(store, 'p1')).ballot?.cast).toHaveLength(1);
      expect((await auditRows()).filter(({ event }) => event === 'voted')).toHaveLength(1);
    });

    it('are taken away with their reason by the one that comes after', async () => {
      const { store, auditRows } = await open();
      await store.vote('p1', cast(voteOf()));
      const struck = [{ vote: voteOf(), reason: 'not_listed' }];
      await store.vote('p1', cast(voteOf(BEN), { replaces: 1, struck }));
      expect((await mustRead(store, 'p1')).ballot).toEqual({ revision: 2, cast: [voteOf(BEN)] });
      expect((await auditRows()).slice(-2)).toMatchObject([
        { event: 'vote_struck', actor: { userId: 'U1' }, reason: 'not_listed' },
        { event: 'voted', actor: { userId: 'U2' }, votes: { cast: 1, needed: 2 } },
      ]);
    });

    it('are a replay when the same interaction comes again', async () => {
      const { store } = await open();
      await store.vote('p1', cast(voteOf()));
      expect((await store.vote('p1', cast(voteOf()))).code).toBe('repeated');
      expect((await mustRead(store, 'p1')).ballot?.revision).toBe(1);
    });

    it('let a claim through that stands on them as they are, and no other', async () => {
      const { store } = await open();
      await store.vote('p1', cast(voteOf()));
      const last = claim({ kind: 'granted', scope: 'turn' }, { actor: BEN, quorum: { needed: 2, earlier: [ANA] } });
      expect((await store.claim('p1', { ...last, ballot: 0 })).code).toBe('votes_changed');
      expect(await store.claim('p1', { ...last, ballot: 1 })).toMatchObject({ code: 'done' });
      expect((await mustRead(store, 'p1')).verdict).toMatchObject({
        actor: BEN,
        quorum: { needed: 2, earlier: [ANA] },
      });
    });

    it('do not stand in the way of a denial, after which none is taken', async () => {
      const { store } = await open();
      await store.vote('p1', cast(voteOf()));
      expect((await store.claim('p1', claim({ kind: 'denied' }, { actor: BEN }))).code).toBe('done');
      expect((await store.vote('p1', cast(voteOf(BEN), { replaces: 1 }))).code).toBe('resolution_in_progress');
      await store.confirm('p1');
      expect((await store.vote('p1', cast(voteOf(BEN), { replaces: 1 }))).code).toBe('already_resolved');
    });

    it('are not taken after the deadline, on what is not offered, or on what is not there', async () => {
      const { store, advance } = await open();
      const never: Vote = { ...voteOf(), decision: { kind: 'granted', scope: 'action' } };
      await store.open(proposalRequestOf('p2', writeOf({ offers: writeOf().offers.slice(0, 1) }), { waitMs: WAIT_MS }));
      expect((await store.vote('p2', cast(never))).code).toBe('option_not_offered');
      expect((await store.vote('p9', cast(voteOf()))).code).toBe('not_found');
      await advance(WAIT_MS);
      expect((await store.vote('p1', cast(voteOf()))).code).toBe('deadline_passed');
    });

    it('that cannot be audited are not recorded', async () => {
      const { store, breakAudit, mendAudit } = await open();
      await breakAudit();
      expect((await store.vote('p1', cast(voteOf()))).code).toBe('audit_failed');
      await mendAudit();
      expect((await mustRead(store, 'p1')).ballot).toBeUndefined();
    });
  });
}
