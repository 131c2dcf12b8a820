import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEEP_ENDED_MS } from '../../../src/store/ended-records.ts';
import { keepMsOf } from '../../../src/store/redis/lifetimes.ts';
import { claim, request, WAIT_MS } from '../../contracts/request-store/harness.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { KEYS, type OpenedStore, openStore } from '../../support/redis-store.ts';

const CARD = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' } as const;

const server = await startRedisServer();
afterAll(() => server.stop());

let opened: OpenedStore;
beforeEach(async () => {
  await server.client.flushall();
  opened = await openStore(server.url, { ownerGraceMs: 0 });
});
afterEach(() => opened.store.stop());

/** The life of a request with everything that can be written about it. */
async function wholeLife(id: string): Promise<void> {
  const { store } = opened;
  const lease = { holder: 'g1', forMs: 1_000 };
  await store.leases.holdOwner('owner-1', 60_000);
  await store.open(request(id, { pendingId: `tool-${id}` }));
  await store.recordThreadPosting('session-1', CARD, lease);
  await store.recordThread('session-1', CARD, '1.0');
  await store.recordPosting(id, CARD, lease);
  await store.recordPostFailure(id, { platform: 'slack', channel: 'C2', reason: 'x', permanent: true });
  await store.recordCard(id, CARD);
  await store.claim(id, claim());
  await store.confirm(id);
  await store.recordSettled(id, CARD);
}

describe('what a request leaves in Redis', () => {
  it('goes by itself: nothing but the audit and the leases stays for ever', async () => {
    await wholeLife('r1');
    await opened.store.leases.releaseOwner('owner-1');
    await opened.store.sweep();
    const lives = new Map<string, number>();
    for (const key of await server.client.keys('*')) lives.set(key, await server.client.pttl(key));
    const forEver = [...lives].filter(([, ms]) => ms < 0).map(([key]) => key);
    expect(forEver).toEqual([KEYS.audit]);
    lives.delete(KEYS.audit);
    for (const ms of lives.values()) expect(ms).toBeGreaterThan(KEEP_ENDED_MS);
    for (const [key, ms] of lives) if (key.includes('{r1}')) expect(ms).toBeLessThanOrEqual(keepMsOf(WAIT_MS));
  });

  it('is a record for late clicks and nothing in any list', async () => {
    for (let index = 0; index < 20; index += 1) await wholeLife(`r${index}`);
    for (const list of [KEYS.unfinished, KEYS.due, KEYS.work, KEYS.ownersRequests('owner-1')]) {
      expect(await server.client.exists(list)).toBe(0);
    }
    for (const part of ['queue', 'shown', 'pending'] as const) {
      expect(await server.client.exists(KEYS.session('session-1', part))).toBe(0);
    }
  });

  it('is cleaned away by a sweep where a record went before its lists did', async () => {
    await opened.store.open(request('r1'));
    await opened.store.open(request('r2'));
    await server.client.del(KEYS.request('r1', 'req'));
    await server.client.zadd(KEYS.due, 1, 'r1');
    await opened.store.sweep();
    expect((await opened.store.listUnfinished()).map((record) => record.requestId)).toEqual(['r2']);
    expect(await server.client.zscore(KEYS.unfinished, 'r1')).toBeNull();
    // The line goes on as if the lost one had never been.
    expect((await opened.store.open(request('r3'))).code).toBe('done');
    expect((await opened.store.read('r2'))?.status).toBe('open');
  });

  it('does not hide the others when it cannot be understood', async () => {
    await opened.store.open(request('r1', { sessionId: 'a' }));
    await opened.store.open(request('r2', { sessionId: 'b' }));
    await server.client.hset(KEYS.request('r1', 'req'), 'request', '{"requestId":"r1"}');
    expect((await opened.store.listUnfinished()).map((record) => record.requestId)).toEqual(['r2']);
    expect(opened.log.lines.map((line) => line.message)).toContain('a stored request cannot be read');
    await expect(opened.store.read('r1')).rejects.toMatchObject({ code: 'store' });
  });
});

describe('what a store knows of its server', () => {
  it.each([
    [['--appendonly', 'no'], { persistent: false, evicts: false }],
    [['--appendonly', 'yes'], { persistent: true, evicts: false }],
    [['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'], { persistent: false, evicts: true }],
    [['--maxmemory', '100mb'], { persistent: false, evicts: false }],
  ])('started with %j', async (args, facts) => {
    const other = await startRedisServer({ args });
    const { store } = await openStore(other.url);
    expect(store.server).toEqual({ version: expect.stringMatching(/^\d+\.\d+/), ...facts });
    store.stop();
    await other.stop();
  });
});

describe('a server that does not fit', () => {
  it('is refused as a cluster, with what to use instead', async () => {
    const cluster = await startRedisServer({ args: ['--cluster-enabled', 'yes'] });
    try {
      await expect(openStore(cluster.url)).rejects.toMatchObject({
        code: 'configuration',
        message: expect.stringContaining('cluster'),
        hint: expect.stringContaining('Sentinel'),
      });
    } finally {
      await cluster.stop();
    }
  });
});
