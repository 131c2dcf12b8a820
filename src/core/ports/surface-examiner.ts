import type { Actor } from '../actor.ts';
import type { CardRef } from '../request.ts';
import type { Place, SurfaceAdapter } from './surface-adapter.ts';

/** Whom a chat token speaks for. */
export interface SurfaceAccount {
  /** The workspace's own name, and its address where there is one. */
  readonly workspace: string;
  /**
   * Permissions without which nothing works, those without which only some channels do, and those without which nobody is
   * shown what is open for them.
   */
  readonly missing: Readonly<Record<'always' | 'sometimes' | 'forInbox', readonly string[]>>;
}

/** Full members, as far as they were counted. */
export interface MemberCount {
  readonly members: number;
  /** There may be more. */
  readonly atLeast: boolean;
}

/** How a message that was posted to try a channel came to its end. */
export interface TriedPlace {
  /** False: it is still there. */
  readonly removed: boolean;
}

/**
 * What `doctor` asks of a platform, each question by itself, without taking clicks. Every call is bounded by the adapter's
 * own limit for one call and rejects with a `SurfaceError` that holds the cure; nothing is tried twice.
 */
export interface SurfaceExaminer extends Pick<SurfaceAdapter, 'platform' | 'findCard' | 'retire'> {
  /** Before every other call. */
  identify(): Promise<SurfaceAccount>;
  /**
   * Opens a connection until the platform greets it, and closes it. Resolves to how many connections the app then had,
   * ours included, where the platform says so. A click that comes meanwhile is lost to its person, who can click again:
   * only the holder of the token's lock may call it.
   */
  greet(): Promise<number | undefined>;
  /** Posts a message that says what it is, and deletes it. One whose posting is in doubt is looked for. */
  tryPlace(place: Place): Promise<TriedPlace>;
  /** What the platform says of an account now. `unverified` where it does not know it. */
  standingOf(userId: string): Promise<Pick<Actor, 'name' | 'standing'>>;
  countMembers(): Promise<MemberCount>;
  /** Deletes a card and the parent of its thread. One that is gone already is no error. */
  remove(ref: CardRef): Promise<void>;
}
