import { Redis } from 'ioredis';
import { systemClock } from '../../src/core/clock.ts';
import { openRedisStore } from '../../src/store/redis/open.ts';
import type { RedisStore } from '../../src/store/redis/store.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { type Figure, percentile } from './figures.ts';
import { answer, costOf, QUIET, requestOf } from './pending.ts';

/** Rounds take turns, so that a noisy moment hits all of them. */
const ROUNDS = 9;
const PENDING = [10, 1_000, 10_000] as const;

/** What a request costs Redis (open, claim, confirm) while few or many of other sessions are pending. */
export async function benchRedisPending(): Promise<Figure[]> {
  const servers = await Promise.all(PENDING.map(() => startRedisServer({ args: DURABLE })));
  const stores = await Promise.all(servers.map(openOn));
  try {
    for (const [at, store] of stores.entries()) await fill(store, PENDING[at] ?? 0);
    const samples: number[][] = PENDING.map(() => []);
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [at, store] of stores.entries()) {
        const cost = await costOf(store, round);
        // The first warms the engine up.
        if (round > 0) samples[at]?.push(cost);
      }
    }
    // Of the quieter rounds: three servers and whatever else runs share the machine's cores.
    const [few = 0, some = 0, many = 0] = samples.map((costs) => percentile(costs, 0.25));
    const baseline = { name: 'with 10 pending', value: few };
    return [
      { name: 'Redis store: a request with 1,000 pending', unit: 'µs', ours: some, baseline },
      { name: 'Redis store: a request with 10,000 pending', unit: 'µs', ours: many, baseline, limit: 1.3 },
    ];
  } finally {
    for (const store of stores) store.stop();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

const CLAIMS = 4_000;
const CLIENTS = 8;
const AT_ONCE = 50;
const BARE = "if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end redis.call('SET', KEYS[1], ARGV[1]) return 1";

/** Claims a second over eight connections, fifty at once, beside a script that only sets a key, as often over as many. */
export async function benchClaims(): Promise<Figure[]> {
  const server = await startRedisServer({ args: DURABLE });
  const stores = await Promise.all(Array.from({ length: CLIENTS }, () => openOn(server)));
  const bare = Array.from({ length: CLIENTS }, () => new Redis({ path: server.socket }));
  try {
    await fill(stores[0] as RedisStore, CLAIMS);
    const sha = String(await bare[0]?.script('LOAD', BARE));
    const theirs = await perSecond((n) =>
      bare[n % CLIENTS]?.evalsha(sha, 1, `bare:${n}`, JSON.stringify(answer(`${n}`))),
    );
    const ours = await perSecond(async (n) => {
      const result = await stores[n % CLIENTS]?.claim(`pending-${n}`, answer(`click-${n}`));
      if (result?.code !== 'done') throw new Error(`the claim was refused: ${result?.code}`);
    });
    const baseline = { name: 'a script that only sets a key', value: theirs };
    return [{ name: 'claims a second over Redis', unit: '/s', ours, baseline }];
  } finally {
    for (const store of stores) store.stop();
    for (const client of bare) client.disconnect();
    await server.stop();
  }
}

const DURABLE = ['--appendonly', 'yes'];

function openOn(server: RedisServer): Promise<RedisStore> {
  return openRedisStore({ url: server.url, clock: systemClock, log: QUIET });
}

async function fill(store: RedisStore, pending: number): Promise<void> {
  await inParallel(pending, async (n) => {
    const opened = await store.open(requestOf(`pending-${n}`));
    if (opened.code !== 'done') throw new Error(`a request could not be opened: ${opened.code}`);
  });
}

async function perSecond(work: (n: number) => Promise<unknown> | undefined): Promise<number> {
  const begun = process.hrtime.bigint();
  await inParallel(CLAIMS, work);
  return CLAIMS / (Number(process.hrtime.bigint() - begun) / 1e9);
}

async function inParallel(count: number, work: (n: number) => Promise<unknown> | undefined): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
