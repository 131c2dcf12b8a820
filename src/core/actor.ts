/** The chat platforms there is an adapter for. */
export const PLATFORMS = ['slack', 'discord'] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * A person (or not) as the platform vouches for them. `userId` and `workspaceId` come from the platform's own signed
 * payload; `name` is for display only and never compared. `workspaceId` is Slack's enterprise or team id, Discord's guild id.
 */
export interface Actor {
  readonly platform: Platform;
  readonly workspaceId: string;
  readonly userId: string;
  readonly name: string;
  /** What the platform says the account is, looked up at every click (a cached answer is at most 5 s old). */
  readonly standing: Standing;
  /** Discord: ids of the roles the person had at this very click, as the interaction says. */
  readonly roles?: readonly string[];
}

/**
 * `member` a full member of our workspace · `guest` · `stranger` of a shared channel · `bot` · `deactivated` ·
 * `unverified` the platform could not be asked, so nothing is known.
 */
export type Standing = 'member' | 'guest' | 'stranger' | 'bot' | 'deactivated' | 'unverified';
