import type { Actor } from '../actor.ts';
import type { Offer, Scope } from '../proposals/contract.ts';

/** What a person allowed, as the owner that was told so stores it. Named by the request that asked for it. */
export interface NewGrant extends Pick<Offer, 'covers' | 'endsAt'> {
  readonly requestId: string;
  readonly scope: Scope;
  readonly sessionId: string;
  /** Real path. The grant is good in this one only. */
  readonly workspace: string;
  /** The owner's incarnation: a turn is its own, whatever another process calls its turns. */
  readonly ownerId: string;
  /** The turn in which it was asked, where that is known. */
  readonly turnId?: string;
  /** The call that asked: the only one that `this-call` is good for. */
  readonly callId: string;
  /** Digest of the action that was on the card. */
  readonly digest: string;
  /** Absent where no person decided (a script of a test). */
  readonly by?: Actor;
}

/**
 * Why a grant is over. `used`: its one call was served · `drifted`: what would have run was not what was on the card ·
 * `not_delivered`: the agent was gone before it heard · `owner_stopped`: the process that it was for has ended.
 */
export const GRANT_ENDS = [
  'used',
  'turn_ended',
  'session_ended',
  'time_limit',
  'workspace_changed',
  'revoked',
  'drifted',
  'not_delivered',
  'owner_stopped',
] as const;
export type GrantEnd = (typeof GRANT_ENDS)[number];

/** A grant as the store keeps it. Times are the store's, in milliseconds since the epoch. */
export interface Grant extends NewGrant {
  readonly grantedAt: number;
  /** Calls it has served. */
  readonly uses: number;
  /** The call it served last. */
  readonly usedBy?: string;
  readonly ended?: { readonly why: GrantEnd; readonly at: number; readonly by?: Actor };
}

/** Whether it is still good for anything. */
export function isActive({ ended, endsAt }: Grant, now: number): boolean {
  return ended === undefined && (endsAt === undefined || now < endsAt);
}
