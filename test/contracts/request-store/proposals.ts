import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/core/request.ts';
import { FOR_SESSION, ONCE, proposalRequestOf, pushOf, TURN, writeOf } from '../../support/proposals.ts';
import { BEN, SESSION } from '../../support/requests.ts';
import { choose, claim, DECLINED, eachTest, type MakeStore, mustRead, recordIn, request, WAIT_MS } from './harness.ts';

const granted = (scope: 'turn' | 'action' | 'session'): Decision => ({ kind: 'granted', scope });
const DENIED: Decision = { kind: 'denied' };

export function proposals(makeStore: MakeStore): void {
  describe('proposals', () => {
    const harness = eachTest(makeStore);

    it('are given back as they were handed over, with every fact that may be absent', async () => {
      const { store, now } = harness();
      const full = writeOf({
        agent: { id: 'sub-1', type: 'reviewer' },
        agentSays: 'Creates the file',
        cwd: null,
        offers: [TURN, ONCE, FOR_SESSION],
      });
      const handedOver = proposalRequestOf('p1', full, { pendingId: 'tool-1' });
      const opened = recordIn(await store.open(handedOver));
      expect(opened).toEqual({
        ...handedOver,
        status: 'open',
        createdAt: now(),
        queueDeadline: now() + 3 * WAIT_MS,
        shownAt: now(),
        deadline: now() + WAIT_MS,
        cards: [],
        postFailures: [],
      });
      const diff = writeOf({ tool: 'Edit', full: { kind: 'diff', path: '/home/ana/api/a.ts', text: '-a\n+b' } });
      await store.open(proposalRequestOf('p2', diff));
      expect((await mustRead(store, 'p2')).view).toEqual(proposalRequestOf('p2', diff).view);
    });

    it('open at once beside each other and beside an open question, and hold up no question', async () => {
      const { store } = harness();
      await store.open(request('q1'));
      expect(recordIn(await store.open(proposalRequestOf('p1', writeOf()))).status).toBe('open');
      expect(recordIn(await store.open(proposalRequestOf('p2', writeOf()))).status).toBe('open');
      expect(recordIn(await store.open(request('q2'))).status).toBe('queued');

      await store.claim('q1', claim());
      await store.confirm('q1');
      expect((await mustRead(store, 'q2')).status).toBe('open');
      await store.claim('p1', claim(DENIED));
      await store.confirm('p1');
      expect((await mustRead(store, 'p2')).status).toBe('open');
      expect((await mustRead(store, 'q2')).status).toBe('open');
    });

    it('that end leave the line of their session as it was', async () => {
      const { store } = harness();
      await store.open(request('q1'));
      await store.open(request('q2'));
      await store.open(proposalRequestOf('p1', writeOf()));
      await store.close('p1', { kind: 'cancelled' });
      expect((await mustRead(store, 'q1')).status).toBe('open');
      expect((await mustRead(store, 'q2')).status).toBe('queued');
    });

    it.each<[string, Decision]>([
      ['granted for the turn', granted('turn')],
      ['granted once', granted('action')],
      ['granted for the session', granted('session')],
      ['denied', DENIED],
      ['denied with a note', { kind: 'denied', note: 'Use the staging bucket, please.' }],
    ])('%s end as that once they are confirmed', async (_, decision) => {
      const { store } = harness();
      await store.open(proposalRequestOf('p1', writeOf()));
      const claimed = await store.claim('p1', claim(decision));
      expect(claimed.code).toBe('done');
      expect(recordIn(claimed).verdict?.decision).toEqual(decision);
      expect(recordIn(await store.confirm('p1')).outcome).toEqual(decision);
      expect((await mustRead(store, 'p1')).by).toBe('operator');
    });

    it.each<[string, Decision]>([
      ['an answer', choose('Postgres')],
      ['"decide without us"', DECLINED],
      ['a blank note', { kind: 'denied', note: ' \n' }],
      ['a note beyond all measure', { kind: 'denied', note: 'x'.repeat(4_001) }],
    ])('refuse %s as not offered, and stay open', async (_, decision) => {
      const { store } = harness();
      await store.open(proposalRequestOf('p1', writeOf()));
      expect((await store.claim('p1', claim(decision))).code).toBe('option_not_offered');
      expect((await mustRead(store, 'p1')).status).toBe('open');
    });

    it('refuse a scope that they do not offer', async () => {
      const { store } = harness();
      await store.open(proposalRequestOf('p1', writeOf({ offers: [ONCE] })));
      expect((await store.claim('p1', claim(granted('turn')))).code).toBe('option_not_offered');
      expect((await store.claim('p1', claim(granted('session')))).code).toBe('option_not_offered');
      expect((await store.claim('p1', claim(granted('action')))).code).toBe('done');
    });

    it('of external steps are granted once only, even where their offers say otherwise', async () => {
      const { store } = harness();
      await store.open(proposalRequestOf('p1', pushOf({ offers: [TURN, FOR_SESSION, ONCE] })));
      expect((await store.claim('p1', claim(granted('turn')))).code).toBe('option_not_offered');
      expect((await store.claim('p1', claim(granted('session')))).code).toBe('option_not_offered');
      expect((await store.claim('p1', claim(granted('action')))).code).toBe('done');
    });

    it('never grant a question, whatever is claimed on it', async () => {
      const { store } = harness();
      await store.open(request('q1'));
      for (const decision of [granted('turn'), granted('action'), granted('session'), DENIED]) {
        expect((await store.claim('q1', claim(decision))).code).toBe('option_not_offered');
      }
      expect((await mustRead(store, 'q1')).status).toBe('open');
    });

    it('are won by one of an approval and a refusal that race, and the loser is told by whom', async () => {
      const { store } = harness();
      for (let round = 0; round < 20; round += 1) {
        const id = `race-${round}`;
        await store.open(proposalRequestOf(id, writeOf()));
        const [allow, deny] = await Promise.all([
          store.claim(id, claim(granted('turn'))),
          store.claim(id, claim(DENIED, { actor: BEN })),
        ]);
        expect([allow.code, deny.code].sort()).toEqual(['done', 'resolution_in_progress']);
        const winner = allow.code === 'done' ? 'granted' : 'denied';
        expect(recordIn(allow).verdict?.decision.kind).toBe(winner);
        expect(recordIn(deny).verdict?.decision.kind).toBe(winner);
        expect(recordIn(await store.confirm(id)).outcome?.kind).toBe(winner);
      }
    });

    it('refuse a click after their deadline, their withdrawal and the end of their owner', async () => {
      const { store, advance } = harness();
      await store.open(proposalRequestOf('p1', writeOf()));
      await store.open(proposalRequestOf('p2', writeOf()));
      await store.close('p2', { kind: 'cancelled' });
      await store.open(proposalRequestOf('p3', writeOf()));
      await store.close('p3', { kind: 'owner_lost' });
      await advance(WAIT_MS);
      expect((await store.claim('p1', claim(granted('action')))).code).toBe('deadline_passed');
      expect((await store.claim('p2', claim(granted('action')))).code).toBe('stale');
      expect((await store.claim('p3', claim(granted('action')))).code).toBe('delivery_failed');
    });

    it('are superseded by a newer one with the same pending id', async () => {
      const { store } = harness();
      await store.open(proposalRequestOf('p1', writeOf(), { pendingId: 'tool-1' }));
      await store.open(proposalRequestOf('p2', writeOf(), { pendingId: 'tool-1' }));
      expect((await mustRead(store, 'p1')).outcome).toEqual({ kind: 'superseded' });
      expect((await mustRead(store, 'p2')).status).toBe('open');
    });

    it('are audited with tool, effect and digest when asked, and with what was chosen', async () => {
      const { store, auditRows } = harness();
      const session = { ...SESSION, sessionId: 'audited' };
      await store.open(proposalRequestOf('p1', writeOf(), { session }));
      await store.claim('p1', claim({ kind: 'denied', note: 'a note that no row holds' }));
      await store.confirm('p1');
      const rows = (await auditRows()).filter((row) => row.requestId === 'p1');
      expect(rows.map(({ event }) => event)).toEqual(['asked', 'shown', 'claimed', 'delivered', 'ended']);
      expect(rows[0]).toMatchObject({ proposal: { tool: 'Bash', effect: 'write', digest: 'a1'.repeat(32) } });
      expect(rows[2]).toMatchObject({ picks: ['deny'], outcome: 'denied', source: 'slack' });
      expect(JSON.stringify(rows)).not.toContain('a note that no row holds');
      expect(JSON.stringify(rows)).not.toContain('touch');
    });
  });
}
