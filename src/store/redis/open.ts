import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { HandraiseError } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { parseRedisUrl, type RedisAddress } from './address.ts';
import { RedisConnection } from './connection.ts';
import { createKeys, DEFAULT_PREFIX } from './keys.ts';
import { loadScripts } from './scripts.ts';
import { ServerClock } from './server-clock.ts';
import { RedisStore } from './store.ts';
import { WakeChannels } from './wake-channels.ts';

export interface RedisStoreOptions {
  /** What `parseRedisUrl` takes. */
  readonly url: string;
  /** Times its waits and heartbeats. Deadlines of requests are judged by the server's clock alone. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Default `handraise:`. */
  readonly prefix?: string;
  /** Parts of scripts to put in place of others, by the name of their include; tests move the store's clock with it. */
  readonly includes?: Readonly<Record<string, string>>;
  /** Milliseconds between two pings of the subscriber. Default 1,000. */
  readonly heartbeatMs?: number;
  /** How long Redis has to be there without a break before owners are judged by their leases. Default 10,000. */
  readonly ownerGraceMs?: number;
}

/** The oldest server with the ACL rules that keep an owner from claiming. */
const OLDEST_MAJOR = 7;

/** Longer than owners take to come back and renew their leases, once Redis itself is back. */
const OWNER_GRACE_MS = 10_000;

const hello = z.object({ version: z.string(), mode: z.string() });

/**
 * Connects and checks the server. Throws `unavailable` when there is none within two seconds, `configuration` for a
 * cluster, a server that is too old, or a URL that cannot be read. Whoever opened the store stops it.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<RedisStore> {
  const { clock, log, prefix = DEFAULT_PREFIX, includes, heartbeatMs, ownerGraceMs = OWNER_GRACE_MS } = options;
  const address = parseRedisUrl(options.url);
  const keys = createKeys(prefix);
  const commands = new RedisConnection({ address, name: 'commands', scripts: loadScripts(keys, includes), clock, log });
  try {
    await checkServer(commands, address);
  } catch (thrown) {
    commands.close();
    throw thrown;
  }
  const beat = heartbeatMs === undefined ? {} : { heartbeatMs };
  const channels = new WakeChannels({ address, clock, log, ...beat });
  const serverClock = new ServerClock(commands, clock, log);
  await serverClock.measure();
  return new RedisStore({ commands, channels, keys, clock: serverClock, log, ownerGraceMs });
}

async function checkServer(commands: RedisConnection, address: RedisAddress): Promise<void> {
  const flat = await commands
    .run((redis) => redis.call('HELLO'))
    .catch((cause: unknown) => {
      const sentence = cause instanceof Error ? cause.message : 'Redis cannot be reached';
      throw new HandraiseError(`${sentence}.`, { code: 'unavailable', hint: hintFor(address), cause });
    });
  const { version, mode } = hello.parse(pairs(flat));
  if (mode === 'cluster') {
    throw new HandraiseError('This Redis is a cluster, which handraise does not support.', {
      code: 'configuration',
      hint: 'Use a single server, or one with Sentinel: one small server carries thousands of open questions.',
    });
  }
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    throw new HandraiseError(`This Redis is version ${version}; handraise needs ${OLDEST_MAJOR}.0 or newer.`, {
      code: 'configuration',
    });
  }
}

function pairs(flat: unknown): Record<string, unknown> {
  const list = Array.isArray(flat) ? flat : [];
  return Object.fromEntries(list.flatMap((value, at) => (at % 2 === 0 ? [[String(value), list[at + 1]]] : [])));
}

function hintFor({ path, host, port, sentinels }: RedisAddress): string {
  const where = path ?? (sentinels === undefined ? `${host}:${port}` : 'the sentinels');
  return `Is a server listening at ${where}, and does it take this user and password? HANDRAISE_REDIS_URL names it.`;
}
