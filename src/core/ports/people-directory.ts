import type { Actor } from '../actor.ts';

/**
 * What a platform says of people at this moment. It tells facts; who may decide is policy's. Both reject with a
 * `SurfaceError` when the platform cannot be asked: then nobody is let in for it.
 */
export interface PeopleDirectory {
  /**
   * Which of these user groups somebody is in; none on a platform without them. An answer is kept for 5 s, and asked for
   * anew where somebody is missing from it, or where it has to be `fresh`.
   */
  groupsOf(userId: string, groups: readonly string[], fresh?: boolean): Promise<ReadonlySet<string>>;
  /** The account of somebody who acted before: its standing and roles as they are now, never from memory. */
  whoIs(actor: Actor): Promise<Actor>;
}
