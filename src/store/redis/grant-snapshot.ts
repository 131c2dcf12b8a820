import * as z from 'zod';
import { HandraiseError, sentenceOf } from '../../core/errors.ts';
import { GRANT_ENDS, type Grant, type NewGrant } from '../../core/grants/grant.ts';
import { COVERS, SCOPES } from '../../core/proposals/contract.ts';
import { actorSchema } from './snapshot.ts';

const text = z.string();

/** What `grant_snapshot()` of `includes/grants.lua` returns, in its order. Lua's `false` arrives as null. */
export const grantSnapshot = z.tuple([text, text, text, text.nullable(), text.nullable(), text.nullable()]);
type GrantSnapshot = z.output<typeof grantSnapshot>;

const newGrant: z.ZodType<NewGrant> = z.object({
  requestId: text,
  scope: z.enum(SCOPES),
  covers: z.enum(COVERS),
  endsAt: z.int().positive().exactOptional(),
  sessionId: text,
  workspace: text,
  ownerId: text,
  turnId: text.exactOptional(),
  callId: text,
  digest: text,
  by: actorSchema.exactOptional(),
} satisfies Record<keyof NewGrant, z.ZodType>);

const end: z.ZodType<NonNullable<Grant['ended']>> = z.object({
  why: z.enum(GRANT_ENDS),
  at: z.number(),
  by: actorSchema.exactOptional(),
});

/** The grant that the stored facts amount to. Throws `store` for what is none. */
export function grantIn(requestId: string, [json, at, uses, usedBy, ended, revoked]: GrantSnapshot): Grant {
  const granted = fromJson(newGrant, json);
  if (granted.requestId !== requestId) {
    throw new HandraiseError(`The stored grant ${requestId} is that of another request.`, { code: 'store' });
  }
  const over = revoked ?? ended;
  return {
    ...granted,
    grantedAt: Number(at),
    uses: Number(uses),
    ...(usedBy === null ? {} : { usedBy }),
    ...(over === null ? {} : { ended: fromJson(end, over) }),
  };
}

function fromJson<T>(schema: z.ZodType<T>, json: string): T {
  try {
    return schema.parse(JSON.parse(json));
  } catch (cause) {
    throw new HandraiseError(`Redis holds something that is no grant: ${sentenceOf(cause)}`, { code: 'store', cause });
  }
}
