/**
 * A person (or not) as the platform vouches for them. `userId` and `workspaceId` come from the platform's own signed
 * payload; `name` is for display only and never compared. On Slack `workspaceId` is the enterprise or team id.
 */
export interface Actor {
  readonly platform: 'slack';
  readonly workspaceId: string;
  readonly userId: string;
  readonly name: string;
  /** What the platform says the account is, looked up at every click (a cached answer is at most 5 s old). */
  readonly standing: Standing;
}

/**
 * `member` a full member of our workspace · `guest` · `stranger` of a shared channel · `bot` · `deactivated` ·
 * `unverified` the platform could not be asked, so nothing is known.
 */
export type Standing = 'member' | 'guest' | 'stranger' | 'bot' | 'deactivated' | 'unverified';
