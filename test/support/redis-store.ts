import { systemClock } from '../../src/core/clock.ts';
import type { AuditRow } from '../../src/core/ports/audit-sink.ts';
import { createKeys } from '../../src/store/redis/keys.ts';
import { openRedisStore, type RedisStoreOptions } from '../../src/store/redis/open.ts';
import type { RedisStore } from '../../src/store/redis/store.ts';
import { recordingLog } from './recording-log.ts';
import type { RedisServer } from './redis-server.ts';

export const KEYS = createKeys();

/** Instead of the server's own clock: a key that the test moves. */
const TEST_CLOCK = 'test-clock';
const NOW_BY_KEY = `local function now_ms() return tonumber(redis.call('GET', '${TEST_CLOCK}')) end`;

export interface OpenedStore {
  readonly store: RedisStore;
  readonly log: ReturnType<typeof recordingLog>;
}

/** A store by the machine's clock and the server's. */
export async function openStore(url: string, options: Partial<RedisStoreOptions> = {}): Promise<OpenedStore> {
  const log = recordingLog();
  return { store: await openRedisStore({ url, clock: systemClock, log, ...options }), log };
}

/** A store whose clock the test moves. */
export interface StoreByTestClock extends OpenedStore {
  now(): number;
  advance(ms: number): Promise<void>;
  /** For `openStore`: further stores by the same clock. */
  readonly sameClock: Pick<RedisStoreOptions, 'includes'>;
}

/** Empties the server first. */
export async function openStoreByTestClock(server: RedisServer): Promise<StoreByTestClock> {
  let now = Date.UTC(2026, 7, 3, 10);
  await server.client.flushall();
  await server.client.set(TEST_CLOCK, now);
  const sameClock = { includes: { now: NOW_BY_KEY } };
  const opened = await openStore(server.url, { ...sameClock, ownerGraceMs: 0 });
  return {
    ...opened,
    sameClock,
    now: () => now,
    async advance(ms) {
      now += ms;
      await server.client.set(TEST_CLOCK, now);
    },
  };
}

/** Every row in the stream, oldest first. */
export async function auditRowsIn(server: RedisServer): Promise<AuditRow[]> {
  const entries = await server.client.xrange(KEYS.audit, '-', '+');
  return entries.flatMap(([, fields]) => fields.flatMap((field, at) => (at % 2 === 1 ? [JSON.parse(field)] : [])));
}

const ASIDE = 'audit-aside';

/** From now on the stream takes no rows: its key holds something else. */
export async function breakAudit({ client }: RedisServer): Promise<void> {
  if ((await client.exists(KEYS.audit)) === 1) await client.rename(KEYS.audit, ASIDE);
  await client.set(KEYS.audit, 'not a stream');
}

export async function mendAudit({ client }: RedisServer): Promise<void> {
  await client.del(KEYS.audit);
  if ((await client.exists(ASIDE)) === 1) await client.rename(ASIDE, KEYS.audit);
}
