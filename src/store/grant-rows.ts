import type { Actor } from '../core/actor.ts';
import type { Grant, NewGrant } from '../core/grants/grant.ts';
import type { AuditRow } from '../core/ports/audit-sink.ts';
import type { GrantUse } from '../core/ports/grant-store.ts';
import { by } from './audit-rows.ts';

type Facts = Omit<AuditRow, 'at' | 'event' | 'requestId' | 'sessionId' | 'ownerId'>;

/** What the row says besides which grant it is about: one function for each of its events. */
export const GRANT_ROW_FACTS = {
  granted: ({ scope, covers, endsAt, turnId, workspace, digest, by: actor }: NewGrant): Facts => ({
    ...(actor === undefined ? {} : by(actor)),
    grant: {
      scope,
      covers,
      ...(endsAt === undefined ? {} : { endsAt }),
      ...(turnId === undefined ? {} : { turnId }),
      workspace,
      digest,
    },
  }),
  grant_used: ({ tool, effect, digest }: GrantUse): Facts => ({ proposal: { tool, effect, digest } }),
  grant_ended: (why: NonNullable<Grant['ended']>['why']): Facts => ({ reason: why }),
  grant_revoked: (actor: Actor): Facts => by(actor),
  refusal_lifted: (actor: Actor): Facts => by(actor),
} as const satisfies Partial<Record<AuditRow['event'], (subject: never) => Facts>>;

export type GrantEvent = keyof typeof GRANT_ROW_FACTS;

export function grantRow(
  event: GrantEvent,
  about: Pick<NewGrant, 'requestId'> & Partial<Pick<NewGrant, 'sessionId' | 'ownerId'>>,
  facts: Facts,
  at: number,
): AuditRow {
  const { requestId, sessionId, ownerId } = about;
  return {
    at,
    event,
    requestId,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(ownerId === undefined ? {} : { ownerId }),
    ...facts,
  };
}
