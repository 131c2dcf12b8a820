import type { Redis } from 'ioredis';
import * as z from 'zod';
import { createKeys } from '../../src/store/redis/keys.ts';
import type { AuditSeen } from './history.ts';

const KEYS = createKeys();

const row = z.object({
  at: z.number(),
  event: z.string(),
  requestId: z.string(),
  pendingId: z.string().optional(),
  outcome: z.string().optional(),
  picks: z.array(z.string()).optional(),
  actor: z.object({ userId: z.string() }).optional(),
});

/** Every row of the audit, sealed or not, as Redis has it. */
export async function readAudit(redis: Redis): Promise<AuditSeen[]> {
  const entries = await redis.xrange(KEYS.audit, '-', '+');
  return entries.flatMap(([, fields]) =>
    fields
      .filter((_, at) => at % 2 === 1)
      .map((text): { event?: unknown } => JSON.parse(text))
      // Which rules a gateway started with is about no request.
      .filter(({ event }) => event !== 'policy_set')
      .map((read) => row.parse(read)),
  );
}

/** Whether anything is left to do for owners or gateways. */
export async function isQuiet(redis: Redis): Promise<boolean> {
  const [unfinished, work] = await Promise.all([redis.zcard(KEYS.unfinished), redis.zcard(KEYS.work)]);
  return unfinished === 0 && work === 0;
}
