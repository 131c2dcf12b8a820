import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { parseRedisUrl } from './address.ts';
import { RedisConnection } from './connection.ts';
import type { FailureKind } from './failures.ts';
import { createKeys, DEFAULT_PREFIX } from './keys.ts';
import { loadScripts } from './scripts.ts';
import { checkServer } from './server.ts';
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
  /** Milliseconds for one command; an operation takes at most 2.5 times that, or 5 when it is read back. Default 1,000. */
  readonly commandMs?: number;
  /** How long Redis has to be there without a break before owners are judged by their leases. Default 10,000. */
  readonly ownerGraceMs?: number;
  /** Told of every command that failed, on either connection. */
  readonly onFailure?: (kind: FailureKind) => void;
}

/** Longer than owners take to come back and renew their leases, once Redis itself is back. */
const OWNER_GRACE_MS = 10_000;

/**
 * Connects and checks the server. Throws `unavailable` when none answers within 2.5 times `commandMs`, `configuration` for a
 * cluster, a server that is too old, or a URL that cannot be read. Whoever opened the store stops it.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<RedisStore> {
  const {
    clock,
    log,
    prefix = DEFAULT_PREFIX,
    includes,
    heartbeatMs,
    commandMs,
    ownerGraceMs = OWNER_GRACE_MS,
    onFailure,
  } = options;
  const address = parseRedisUrl(options.url);
  const keys = createKeys(prefix);
  const scripts = loadScripts(keys, includes);
  const limits = {
    ...(commandMs === undefined ? {} : { commandMs }),
    ...(onFailure === undefined ? {} : { onFailure }),
  };
  const commands = new RedisConnection({ ...limits, address, name: 'commands', scripts, clock, log });
  const server = await checkServer(commands, address).catch((thrown: unknown) => {
    commands.close();
    throw thrown;
  });
  const beat = heartbeatMs === undefined ? {} : { heartbeatMs };
  const channels = new WakeChannels({ ...limits, address, clock, log, ...beat });
  const serverClock = new ServerClock(commands, clock, log);
  await serverClock.measure();
  return new RedisStore({ commands, channels, keys, clock: serverClock, log, ownerGraceMs, server });
}
