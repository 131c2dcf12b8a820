/** The chat platforms there is an adapter for. */
export const PLATFORMS = ['slack', 'discord'] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * A person (or not) as the platform vouches for them. `userId` and `workspaceId` come from the platform's own signed
 * payload; `name` is for display only and never compared. `workspaceId` is Slack's enterprise or team id, Discord's guild
 * id. `local` is a user of this machine, as the kernel vouches for them: `workspaceId` is the host's name, `userId` the
 * user's name.
 */
export interface Actor {
  readonly platform: Platform | 'local';
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

/** Through what somebody acted; set by whoever vouches for them, never by the caller. The audit's `source`. */
export type Source = Platform | 'cli';

/** What kind of somebody that is: a person's account on a chat platform, or a user of the operating system. */
export type ActorKind = 'chat_user' | 'os_user';

export function sourceOf({ platform }: Pick<Actor, 'platform'>): Source {
  return platform === 'local' ? 'cli' : platform;
}

export function kindOf({ platform }: Pick<Actor, 'platform'>): ActorKind {
  return platform === 'local' ? 'os_user' : 'chat_user';
}
