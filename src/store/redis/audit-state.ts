import type { RedisConnection } from './connection.ts';
import type { Keys } from './keys.ts';

/** How far the audit in Redis is sealed, and what waits for it. */
export interface AuditState {
  /** Undefined when nothing was sealed yet, or by a version that gave chains no name. */
  readonly chain?: string;
  /** Rows sealed so far, and the hash of the last one. */
  readonly rows: number;
  readonly hash: string | undefined;
  /** Rows that are in no file yet. */
  readonly unsealed: number;
}

const AT_ONCE = 1_000;

export async function readAuditState(commands: RedisConnection, keys: Keys): Promise<AuditState> {
  const { id, chain, rows = '0', hash } = await commands.run((redis) => redis.hgetall(keys.seal), { changes: false });
  let after = id === undefined ? '-' : `(${id}`;
  let unsealed = 0;
  for (;;) {
    const from = after;
    const entries = await commands.run((redis) => redis.xrange(keys.audit, from, '+', 'COUNT', AT_ONCE), {
      changes: false,
    });
    for (const [, fields] of entries) unsealed += fields.length / 2;
    const last = entries.at(-1)?.[0];
    if (last === undefined) break;
    after = `(${last}`;
  }
  return { ...(chain === undefined ? {} : { chain }), rows: Number(rows), hash, unsealed };
}
