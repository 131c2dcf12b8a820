import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { newRandomId } from '../../../src/core/ids.ts';
import type { RequestRecord } from '../../../src/core/request.ts';
import { ChatPrompter } from '../../../src/prompt/chat-prompter.ts';
import { type KeptLease, keepLease } from '../../../src/store/keep-lease.ts';
import { choose, claim, request } from '../../contracts/request-store/harness.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { KEYS, type OpenedStore, openStore } from '../../support/redis-store.ts';
import { batchOf, question, SESSION } from '../../support/requests.ts';
import { claimSigned, verify } from '../../support/verdict-keys.ts';

const CARD = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' } as const;
const BATCH = batchOf(question('Which database?', ['Postgres', 'SQLite']));

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function redis(args: readonly string[] = []) {
  const server = await startRedisServer({ args });
  undo.push(() => server.stop());
  return server;
}

async function open(url: string, options = {}) {
  const opened = await openStore(url, options);
  undo.push(() => opened.store.stop());
  return opened;
}

/** An owner process' part: its own connections, its own session. */
async function owner({ store, log }: OpenedStore, sessionId: string) {
  const prompter = await ChatPrompter.start({
    store,
    ownerId: newRandomId(),
    session: { ...SESSION, sessionId },
    clock: store.clock,
    newId: newRandomId,
    log,
    verify,
    waitMs: 60_000,
    surfaces: 1,
  });
  undo.push(() => prompter.stop());
  return prompter;
}

/** What a gateway does, without a chat platform: the card of whatever a session has open. */
async function cardOf({ store }: OpenedStore, sessionId: string): Promise<RequestRecord> {
  let found: RequestRecord | undefined;
  await expect
    .poll(async () => {
      const unfinished = await store.listUnfinished();
      found = unfinished.find((record) => record.session.sessionId === sessionId && record.status === 'open');
      return found;
    })
    .toBeDefined();
  if (found === undefined) throw new Error('no request is open');
  await store.recordCard(found.requestId, CARD);
  return found;
}

/** An owner's lease, renewed until the test ends or the result is stopped. */
async function renewing({ store, log }: OpenedStore, ownerId: string, forMs: number): Promise<KeptLease> {
  const hold = (ms: number) => store.leases.holdOwner(ownerId, ms);
  const lease = await keepLease({ hold, forMs, what: 'owner', clock: systemClock, log });
  undo.push(() => lease.stop());
  return lease;
}

const signal = () => new AbortController().signal;

describe('owners on one Redis', () => {
  it('each receive the answer to their own question, whichever gateway took the click', async () => {
    const server = await redis();
    const sessions = Array.from({ length: 8 }, (_, index) => `session-${index}`);
    const gateways = await Promise.all([open(server.url), open(server.url), open(server.url)]);
    const asked = sessions.map(async (sessionId) => {
      const prompter = await owner(await open(server.url), sessionId);
      const result = await prompter.ask(BATCH, { signal: signal() });
      await result.delivered();
      return result.outcome;
    });
    const typed = (index: number) =>
      ({ kind: 'answers', sheet: [{ status: 'answered', labels: [], other: `for ${index}` }] }) as const;
    for (const [index, sessionId] of sessions.entries()) {
      const gateway = gateways[index % 3];
      if (gateway === undefined) throw new Error('no gateway');
      const { requestId } = await cardOf(gateway, sessionId);
      expect((await claimSigned(gateway.store, requestId, claim(typed(index)))).code).toBe('done');
    }
    const outcomes = await Promise.all(asked);
    expect(outcomes).toEqual(sessions.map((_, index) => ({ kind: 'answered', sheet: typed(index).sheet })));
    expect(await gateways[0]?.store.listUnfinished()).toEqual([]);
  });

  it('continue within the poll interval when the publish of a claim is lost', async () => {
    const server = await redis();
    const moves = readFileSync(new URL('../../../src/store/redis/scripts/includes/moves.lua', import.meta.url), 'utf8');
    const dumb = await open(server.url, {
      includes: { moves: moves.replaceAll("redis.call('PUBLISH'", "type('PUBLISH'") },
    });
    const prompter = await owner(await open(server.url), 'session-1');
    const asked = prompter.ask(BATCH, { signal: signal() });
    const { requestId } = await cardOf(dumb, 'session-1');
    await claimSigned(dumb.store, requestId, claim(choose('SQLite')));
    const startedAt = performance.now();
    const { outcome } = await asked;
    const ms = Math.round(performance.now() - startedAt);
    console.info(`a publish that was lost for good: the owner went on after ${ms} ms (poll: 2,000)`);
    expect(outcome).toMatchObject({ kind: 'answered' });
    expect(ms).toBeLessThan(2_500);
  });

  it('wait on through a crash of Redis, and receive what is recorded after it', async () => {
    const server = await redis(['--appendonly', 'yes', '--appendfsync', 'always']);
    const gateway = await open(server.url);
    const [one, two] = [await owner(await open(server.url), 'one'), await owner(await open(server.url), 'two')];
    const asked = [one.ask(BATCH, { signal: signal() }), two.ask(BATCH, { signal: signal() })];
    const [first, second] = [await cardOf(gateway, 'one'), await cardOf(gateway, 'two')];
    await server.kill();
    await server.restart();
    await expect
      .poll(() => claimSigned(gateway.store, first.requestId, claim()).then((result) => result.code, String), {
        timeout: 20_000,
      })
      .toMatch(/^(done|repeated)$/);
    await claimSigned(gateway.store, second.requestId, claim());
    const results = await Promise.all(asked);
    expect(results.map((result) => result.outcome.kind)).toEqual(['answered', 'answered']);
    for (const result of results) await result.delivered();
    expect(await gateway.store.listUnfinished()).toEqual([]);
  });

  it('that come back within their lease keep their requests', async () => {
    const server = await redis();
    const proxy = await startCuttingProxy(server.socket);
    undo.push(() => proxy.close());
    const gateway = await open(server.url, { ownerGraceMs: 0 });
    const opened = await open(proxy.url);
    const prompter = await owner(opened, 'session-1');
    const asked = prompter.ask(BATCH, { signal: signal() });
    const { requestId, ownerId } = await cardOf(gateway, 'session-1');
    const lease = await renewing(opened, ownerId, 9_000);
    const left = async () => Number(await server.client.zscore(KEYS.owners, ownerId)) - Date.now();
    proxy.refuses = true;
    proxy.cut();
    // It is renewed every three seconds: with less than 5 s left, a renewal is overdue.
    await expect.poll(left, { timeout: 20_000 }).toBeLessThan(5_000);
    expect(await gateway.store.sweep()).toEqual([]);
    proxy.refuses = false;
    await expect.poll(left, { timeout: 20_000 }).toBeGreaterThan(6_000);
    await lease.stop();
    expect(await gateway.store.sweep()).toEqual([]);
    await claimSigned(gateway.store, requestId, claim());
    expect((await asked).outcome.kind).toBe('answered');
  });

  it('are not taken for lost because Redis was away longer than a lease', async () => {
    const server = await redis(['--appendonly', 'yes', '--appendfsync', 'always']);
    const gateway = await open(server.url, { ownerGraceMs: 5_000 });
    const [living, dead] = [await open(server.url), await open(server.url)];
    await living.store.open(request('living', { ownerId: 'living', sessionId: 'a' }));
    await dead.store.open(request('dead', { ownerId: 'dead', sessionId: 'b' }));
    await renewing(living, 'living', 1_500);
    await dead.store.leases.holdOwner('dead', 1_500);
    await server.kill();
    const killedAt = Date.now();
    await expect.poll(() => Date.now() - killedAt, { timeout: 20_000 }).toBeGreaterThan(1_700);
    await server.restart();
    const swept: string[] = [];
    const sweep = async () => {
      swept.push(...(await gateway.store.sweep().catch(() => [])));
      return swept;
    };
    await expect.poll(sweep, { timeout: 20_000, interval: 20 }).toContain('dead');
    expect(swept).toEqual(['dead']);
    expect((await gateway.store.read('living'))?.status).toBe('open');
  });

  it('that are lost are swept, and one that lives on under a lost lease is told so', async () => {
    const server = await redis();
    const gateway = await open(server.url, { ownerGraceMs: 0 });
    const opened = await open(server.url);
    const prompter = await owner(opened, 'session-1');
    const asked = prompter.ask(BATCH, { signal: signal() });
    const record = await cardOf(gateway, 'session-1');
    await opened.store.leases.holdOwner(record.ownerId, 100);
    await expect.poll(() => gateway.store.sweep(), { timeout: 20_000 }).toEqual([record.requestId]);
    expect((await asked).outcome).toEqual({ kind: 'owner_lost' });
  });

  it('whose clock is an hour ahead keep the server’s deadlines', async () => {
    const server = await redis();
    const gateway = await open(server.url);
    const ahead = { ...systemClock, now: () => Date.now() + 3_600_000 };
    const prompter = await owner(await open(server.url, { clock: ahead }), 'session-1');
    const asked = prompter.ask(BATCH, { signal: signal() });
    const { requestId } = await cardOf(gateway, 'session-1');
    await claimSigned(gateway.store, requestId, claim());
    expect((await asked).outcome.kind).toBe('answered');
  });
});
