import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { openRedisStore } from '../../../src/store/redis/open.ts';
import { choose, claim, mustRead, request } from '../../contracts/request-store/harness.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { type RedisServer, type RedisServerOptions, startRedisServer } from '../../support/redis-server.ts';
import { auditRowsIn, openStore } from '../../support/redis-store.ts';

/** Whatever a test opened, closed after it in reverse. */
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function server(options?: RedisServerOptions): Promise<RedisServer> {
  const started = await startRedisServer(options);
  undo.push(() => started.stop());
  return started;
}

async function proxyTo(target: RedisServer) {
  const proxy = await startCuttingProxy(target.socket);
  undo.push(() => proxy.close());
  return proxy;
}

/** Less patient than by default, to save time. */
const SOON = { commandMs: 400 };

async function storeAt(url: string, options = {}) {
  const opened = await openStore(url, { ...SOON, ...options });
  undo.push(() => opened.store.stop());
  return opened;
}

async function timed(running: Promise<unknown>): Promise<{ ms: number; thrown: unknown }> {
  const startedAt = performance.now();
  const thrown = await running.then(() => undefined).catch((reason: unknown) => reason);
  return { ms: performance.now() - startedAt, thrown };
}

const DURABLE = { args: ['--appendonly', 'yes', '--appendfsync', 'always'] };

describe('a process that is kept from running for longer than a command may take', () => {
  it("does not take its own lateness for the server's", async () => {
    const redis = await server();
    const { store, log } = await storeAt(redis.url);
    await store.open(request('r1'));
    const reading = store.read('r1');
    // The command is on its way and its answer will be there; this process reads neither.
    await new Promise(setImmediate);
    const until = performance.now() + 2 * SOON.commandMs;
    while (performance.now() < until);
    expect(await reading).toMatchObject({ requestId: 'r1' });
    expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });
});

describe('a new connection that is half open from its first moment', () => {
  it('is given up and made again', async () => {
    const redis = await server();
    const proxy = await proxyTo(redis);
    const { store } = await storeAt(proxy.url);
    await store.open(request('r1'));
    // ioredis asks for this once a connection is there, and takes it for ready when it is answered. A store has two.
    const hushed = [proxy.hushAfter('info'), proxy.hushAfter('info')];
    proxy.cut();
    await Promise.all(hushed);
    const read = () => store.read('r1').catch((thrown: unknown) => thrown);
    await expect.poll(read, { timeout: 20_000 }).toMatchObject({ requestId: 'r1' });
  });
});

describe('without Redis', () => {
  it('a store does not open: it says within 3.5 seconds where it looked', async () => {
    const opening = openRedisStore({ url: 'unix:///nowhere/redis.sock', clock: systemClock, log: recordingLog() });
    const { ms, thrown } = await timed(opening);
    expect(ms).toBeLessThan(3_500);
    expect(thrown).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ENOENT'),
      hint: expect.stringContaining('/nowhere/redis.sock'),
    });
  });

  it('a store with a wrong password says so, without the password', async () => {
    const redis = await server();
    await redis.client.config('SET', 'requirepass', ['right', 'word'].join('-'));
    const secret = ['wrong', 'word'].join('-');
    const url = redis.url.replace('unix://', `unix://default:${secret}@`);
    const { ms, thrown } = await timed(openRedisStore({ ...SOON, url, clock: systemClock, log: recordingLog() }));
    expect(ms).toBeLessThan(3_500);
    expect(thrown).toMatchObject({ code: 'unavailable', message: expect.stringContaining('WRONGPASS') });
    expect(JSON.stringify([String(thrown), thrown])).not.toContain(secret);
  });

  it('every operation fails within 3.5 seconds, and works again once it is back, with what was stored', async () => {
    const redis = await server(DURABLE);
    const { store } = await storeAt(redis.url, { commandMs: 1_000 });
    await store.open(request('r1'));
    await redis.kill();
    const operations = {
      ask: () => store.open(request('r2', { sessionId: 'another' })),
      read: () => store.read('r1'),
      verdict: () => store.claim('r1', claim()),
      delivery: () => store.confirm('r1'),
      list: () => store.listUnfinished(),
      watch: () => store.watchOwner('owner-9', () => undefined),
    };
    const failed = await Promise.all(Object.values(operations).map((operation) => timed(operation())));
    for (const { ms, thrown } of failed) {
      expect(ms).toBeLessThan(3_500);
      expect(thrown).toMatchObject({ code: 'store', message: expect.stringContaining('Redis') });
    }
    await redis.restart();
    await expect.poll(() => store.read('r1').catch(() => undefined), { timeout: 5_000 }).toBeDefined();
    expect(await store.read('r2')).toBeUndefined();
    expect((await store.claim('r1', claim())).code).toBe('done');
    expect((await store.confirm('r1')).code).toBe('done');
    expect((await auditRowsIn(redis)).map((row) => row.event)).toEqual([
      'asked',
      'shown',
      'claimed',
      'delivered',
      'ended',
    ]);
  });

  it('a verdict recorded before a crash is there after it', async () => {
    const redis = await server(DURABLE);
    const { store } = await storeAt(redis.url);
    await store.open(request('r1'));
    const { record } = await store.claim('r1', claim(choose('SQLite')));
    await redis.kill();
    await redis.restart();
    await expect.poll(() => store.read('r1').catch(() => undefined), { timeout: 5_000 }).toEqual(record);
  });
});

describe('a server that stops answering', () => {
  it('keeps nobody waiting for more than 5 seconds, and what could not be told is in the record', async () => {
    const redis = await server();
    const { store } = await storeAt(redis.url);
    await store.open(request('r1'));
    redis.freeze();
    const { ms, thrown } = await timed(store.claim('r1', claim(choose('SQLite'), { interactionId: 'click-a' })));
    redis.resume();
    expect(ms).toBeLessThan(5_000);
    expect(thrown).toMatchObject({ code: 'store' });
    // Either the frozen server still read the claim, or it did not: the record says, and the next click is judged by it.
    await expect.poll(() => store.read('r1').catch(() => undefined)).toBeDefined();
    const { status } = await mustRead(store, 'r1');
    const again = await store.claim('r1', claim(choose('SQLite'), { interactionId: 'click-a' }));
    expect(again.code).toBe(status === 'claimed' ? 'repeated' : 'done');
  });
});

describe('a failover', () => {
  it('to another server behind the same address is followed, without a lost or repeated claim', async () => {
    const [old, next] = [await server(), await server()];
    const proxy = await proxyTo(old);
    const { store } = await storeAt(proxy.url);
    await store.open(request('r1'));
    // What the failover carries over: the data as of the moment of the switch.
    await copy(old, next);
    proxy.leadTo(next.socket);
    await old.client.call('REPLICAOF', '127.0.0.1', '1');
    expect((await store.claim('r1', claim(choose('SQLite')))).code).toBe('done');
    expect((await store.confirm('r1')).code).toBe('done');
    expect((await auditRowsIn(next)).map((row) => row.event)).toEqual([
      'asked',
      'shown',
      'claimed',
      'delivered',
      'ended',
    ]);
  });

  it('that leaves a replica for good is told as such, and undone without a restart', async () => {
    const redis = await server();
    const { store } = await storeAt(redis.url);
    await store.open(request('r1'));
    await redis.client.call('REPLICAOF', '127.0.0.1', '1');
    const { ms, thrown } = await timed(store.claim('r1', claim()));
    expect(ms).toBeLessThan(3_500);
    expect(thrown).toMatchObject({ code: 'store', message: expect.stringContaining('READONLY') });
    await redis.client.call('REPLICAOF', 'NO', 'ONE');
    await expect
      .poll(() =>
        store
          .claim('r1', claim())
          .then((result) => result.code)
          .catch(() => 'none'),
      )
      .toBe('done');
  });
});

describe('wake-ups', () => {
  it('come again after the subscriber was cut, and what was missed is named first', async () => {
    const redis = await server();
    const proxy = await proxyTo(redis);
    const owner = await storeAt(proxy.url);
    const gateway = await storeAt(redis.url);
    const woken: string[] = [];
    await owner.store.watchOwner('owner-1', (id) => woken.push(id));
    await owner.store.open(request('r1', { sessionId: 'a' }));
    await owner.store.open(request('r2', { sessionId: 'b' }));
    await expect.poll(() => woken.length).toBe(2);
    woken.length = 0;

    proxy.refuses = true;
    proxy.cut();
    await gateway.store.claim('r1', claim());
    proxy.refuses = false;
    const startedAt = performance.now();
    await expect.poll(() => woken, { timeout: 5_000 }).toContain('r1');
    console.info(
      `a claim whose publish was lost: heard ${Math.round(performance.now() - startedAt)} ms after the network came back`,
    );
    expect(woken.toSorted()).toEqual(['r1', 'r2']);

    woken.length = 0;
    await gateway.store.claim('r2', claim());
    await expect.poll(() => woken).toEqual(['r2']);
  });

  it('come again after the subscriber was half open, which it notices by itself', async () => {
    const redis = await server();
    const proxy = await proxyTo(redis);
    const owner = await storeAt(proxy.url, { heartbeatMs: 200 });
    const gateway = await storeAt(redis.url);
    const woken: string[] = [];
    await owner.store.watchOwner('owner-1', (id) => woken.push(id));
    await owner.store.open(request('r1'));
    await expect.poll(() => woken.length).toBe(1);
    woken.length = 0;

    proxy.hush();
    const startedAt = performance.now();
    await gateway.store.claim('r1', claim());
    await expect.poll(() => woken, { timeout: 5_000 }).toEqual(['r1']);
    console.info(`a half-open subscriber: recovered after ${Math.round(performance.now() - startedAt)} ms`);
    expect(await owner.store.read('r1')).toMatchObject({ status: 'claimed' });
  });

  it('of all open requests reach a gateway whose subscriber was cut', async () => {
    const redis = await server();
    const proxy = await proxyTo(redis);
    const gateway = await storeAt(proxy.url);
    const owner = await storeAt(redis.url);
    const woken: string[] = [];
    await gateway.store.watchRequests((id) => woken.push(id));
    proxy.refuses = true;
    proxy.cut();
    await owner.store.open(request('r1'));
    proxy.refuses = false;
    await expect.poll(() => woken, { timeout: 5_000 }).toEqual(['r1']);
  });
});

async function copy(from: RedisServer, to: RedisServer): Promise<void> {
  for (const key of await from.client.keys('*')) {
    const dump = await from.client.dumpBuffer(key);
    if (dump !== null) await to.client.restore(key, Math.max(0, await from.client.pttl(key)), dump, 'REPLACE');
  }
}
