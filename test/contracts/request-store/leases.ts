import { describe, expect, it } from 'vitest';
import { OVERDUE_AFTER_MS } from '../../../src/core/request.ts';
import { claim, eachTest, type MakeStore, mustRead, request, WAIT_MS } from './harness.ts';

const LEASE_MS = 10_000;

export function leases(makeStore: MakeStore): void {
  describe('leases of owners', () => {
    const harness = eachTest(makeStore);

    it('that are lost end everything of that owner as owner_lost, and nothing of others', async () => {
      const { store, advance } = harness();
      await store.leases.holdOwner('owner-1', LEASE_MS);
      await store.leases.holdOwner('owner-2', 2 * LEASE_MS);
      await store.open(request('open', { sessionId: 'a' }));
      await store.open(request('claimed', { sessionId: 'b' }));
      await store.claim('claimed', claim());
      await store.open(request('other', { sessionId: 'c', ownerId: 'owner-2' }));
      await store.open(request('without-lease', { sessionId: 'd', ownerId: 'owner-3' }));
      await advance(LEASE_MS - 1);
      expect(await store.sweep()).toEqual([]);
      await advance(1);
      expect((await store.sweep()).toSorted()).toEqual(['claimed', 'open']);
      for (const id of ['open', 'claimed']) {
        expect(await mustRead(store, id)).toMatchObject({
          status: 'ended',
          outcome: { kind: 'owner_lost' },
          by: 'system',
        });
      }
      for (const id of ['other', 'without-lease']) expect((await mustRead(store, id)).status).toBe('open');
      expect((await mustRead(store, 'claimed')).verdict).toBeDefined();
      expect(await store.sweep()).toEqual([]);
    });

    it('that are renewed in time keep its requests', async () => {
      const { store, advance } = harness();
      await store.leases.holdOwner('owner-1', LEASE_MS);
      await store.open(request('r1'));
      for (let renewal = 0; renewal < 3; renewal += 1) {
        await advance(LEASE_MS - 1);
        await store.leases.holdOwner('owner-1', LEASE_MS);
      }
      expect(await store.sweep()).toEqual([]);
      expect((await mustRead(store, 'r1')).status).toBe('open');
    });

    it('that are given back end what is left at the next sweep', async () => {
      const { store } = harness();
      await store.leases.holdOwner('owner-1', LEASE_MS);
      await store.open(request('r1'));
      await store.leases.releaseOwner('owner-1');
      expect(await store.sweep()).toEqual(['r1']);
    });

    it('that are lost show none of its queued requests on the way, and open the next one of another owner', async () => {
      const { store, advance, auditRows } = harness();
      await store.leases.holdOwner('owner-1', LEASE_MS);
      for (const id of ['r1', 'r2', 'r3']) await store.open(request(id));
      await store.open(request('r4', { ownerId: 'owner-2' }));
      await advance(LEASE_MS);
      expect((await store.sweep()).toSorted()).toEqual(['r1', 'r2', 'r3']);
      expect((await mustRead(store, 'r4')).status).toBe('open');
      const shown = (await auditRows()).filter((row) => row.event === 'shown').map((row) => row.requestId);
      expect(shown).toEqual(['r1', 'r4']);
    });

    it('can be taken again after they were lost: only what was open before is gone', async () => {
      const { store, advance } = harness();
      await store.leases.holdOwner('owner-1', LEASE_MS);
      await store.open(request('r1'));
      await advance(LEASE_MS);
      await store.sweep();
      await store.leases.holdOwner('owner-1', LEASE_MS);
      await store.open(request('r2'));
      expect(await store.sweep()).toEqual([]);
      expect((await store.confirm('r1')).code).toBe('delivery_failed');
    });

    it('are swept once, however many sweep at the same time', async () => {
      const { store, advance, auditRows } = harness();
      await store.leases.holdOwner('owner-1', LEASE_MS);
      for (let index = 0; index < 60; index += 1) {
        await store.open(request(`r${index}`, { sessionId: `session-${index % 7}` }));
      }
      await advance(LEASE_MS);
      const swept = await Promise.all([store.sweep(), store.sweep(), store.sweep()]);
      expect(new Set(swept.flat()).size).toBe(60);
      expect(swept.flat()).toHaveLength(60);
      expect((await auditRows()).filter((row) => row.event === 'ended')).toHaveLength(60);
      expect(await store.listUnfinished()).toEqual([]);
    });
  });

  describe('requests that their living owner forgets', () => {
    const harness = eachTest(makeStore);

    it('end a minute after their deadline: open, queued and claimed', async () => {
      const { store, advance } = harness();
      await store.open(request('open', { sessionId: 'a' }));
      await store.open(request('claimed', { sessionId: 'b' }));
      await store.claim('claimed', claim());
      await store.open(request('head', { sessionId: 'c', waitMs: 10 * WAIT_MS }));
      await store.open(request('queued', { sessionId: 'c' }));
      await advance(WAIT_MS + OVERDUE_AFTER_MS - 1);
      expect(await store.sweep()).toEqual([]);
      await advance(1);
      expect((await store.sweep()).toSorted()).toEqual(['claimed', 'open']);
      expect((await mustRead(store, 'open')).outcome).toEqual({ kind: 'timed_out', shown: true, waitedMs: WAIT_MS });
      expect((await mustRead(store, 'claimed')).outcome).toEqual({ kind: 'indeterminate' });
      await advance(2 * WAIT_MS);
      expect(await store.sweep()).toEqual(['queued']);
      expect((await mustRead(store, 'queued')).outcome).toEqual({
        kind: 'timed_out',
        shown: false,
        waitedMs: 3 * WAIT_MS,
      });
    });
  });

  describe('leases of gateways', () => {
    const harness = eachTest(makeStore);
    const lease = (gatewayId: string, body = '{}') => ({ gatewayId, platform: 'slack', body }) as const;

    it('tell who is there and what each says, until they are lost or given back', async () => {
      const { store, advance } = harness();
      expect(await store.leases.liveGateways()).toEqual([]);
      await store.leases.holdGateway(lease('g2', '{"bindings":2}'), LEASE_MS);
      await store.leases.holdGateway(lease('g1', '{"bindings":1}'), LEASE_MS);
      await advance(LEASE_MS - 1);
      await store.leases.holdGateway(lease('g2', '{"bindings":3}'), LEASE_MS);
      expect(await store.leases.liveGateways()).toEqual([lease('g1', '{"bindings":1}'), lease('g2', '{"bindings":3}')]);
      await advance(1);
      expect(await store.leases.liveGateways()).toEqual([lease('g2', '{"bindings":3}')]);
      await store.leases.releaseGateway('g2');
      expect(await store.leases.liveGateways()).toEqual([]);
    });
  });
}
