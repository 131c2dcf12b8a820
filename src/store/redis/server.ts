import * as z from 'zod';
import { HandraiseError, sentenceOf } from '../../core/errors.ts';
import type { RedisAddress } from './address.ts';
import type { RedisConnection } from './connection.ts';

/** What is worth saying of the server at start and in `doctor`. Undefined where this user may not ask. */
export interface ServerFacts {
  readonly version: string;
  /** Whether a recorded answer survives a crash of Redis (`appendonly yes`). */
  readonly persistent: boolean | undefined;
  /** Whether Redis throws keys away when its memory is full: open questions among them. */
  readonly evicts: boolean | undefined;
}

/** The oldest server with the ACL rules that keep an owner from claiming. */
const OLDEST_MAJOR = 7;

const hello = z.object({ version: z.string(), mode: z.string() });

/** Throws `unavailable` or `configuration`, each with what to do, for a server that cannot be used. */
export async function checkServer(commands: RedisConnection, address: RedisAddress): Promise<ServerFacts> {
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
  const persistence = await infoOf(commands, 'persistence');
  const memory = await infoOf(commands, 'memory');
  return {
    version,
    persistent: persistence && persistence.get('aof_enabled') === '1',
    evicts: memory && memory.get('maxmemory') !== '0' && memory.get('maxmemory_policy') !== 'noeviction',
  };
}

/** Undefined where this user may not ask. */
async function infoOf(commands: RedisConnection, section: string): Promise<Map<string, string> | undefined> {
  try {
    const text = await commands.run((redis) => redis.info(section), { changes: false });
    return new Map(
      text.split('\r\n').flatMap((line) => {
        const at = line.indexOf(':');
        return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
      }),
    );
  } catch (thrown) {
    if (sentenceOf(thrown).includes('NOPERM')) return undefined;
    throw thrown;
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
