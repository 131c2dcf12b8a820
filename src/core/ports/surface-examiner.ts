import type { Actor } from '../actor.ts';
import type { CardRef } from '../request.ts';
import type { Place, SurfaceAdapter } from './surface-adapter.ts';

/** Whom a chat token speaks for. */
export interface SurfaceAccount {
  /** The workspace's own name, and its address where there is one; where one token is for many, the app's. */
  readonly workspace: string;
  /**
   * Permissions of the token without which nothing works, those without which only some channels do, and those without
   * which nobody is shown what is open for them. Empty where the platform gives them by channel.
   */
  readonly missing: Readonly<Record<'always' | 'sometimes' | 'forInbox', readonly string[]>>;
  /** What else is or may be in the way, with what to do. */
  readonly obstacles: readonly Obstacle[];
  /** Adds the app to a workspace with everything it needs. Undefined where the platform has no such address. */
  readonly invite?: string;
}

/** Something about the app that is wrong (`fail`) or may become so (`warn`). */
export interface Obstacle {
  readonly level: 'warn' | 'fail';
  /** Stable, for scripts: `connects`, `interactions`, `command`. */
  readonly name: string;
  readonly what: string;
  readonly cure: string;
}

/** Full members, as far as they were counted. `about`: somebody among them may be a bot. */
export interface MemberCount {
  readonly members: number;
  readonly how: 'exactly' | 'at-least' | 'about';
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
  /** What the platform says of an account now, where cards go there. `unverified` where it does not know it. */
  standingOf(userId: string, place: Place): Promise<Pick<Actor, 'name' | 'standing'>>;
  /** What a role is called there; undefined where there is none of that id, and on platforms without roles. */
  roleNamed(roleId: string, place: Place): Promise<string | undefined>;
  countMembers(place: Place): Promise<MemberCount>;
  /** Deletes a card and what leads to it, as far as the app may. What is gone already is no error. */
  remove(ref: CardRef): Promise<void>;
}
