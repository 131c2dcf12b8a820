export type PermissionName =
  | 'administrator'
  | 'view_channel'
  | 'send_messages'
  | 'manage_messages'
  | 'embed_links'
  | 'attach_files'
  | 'read_message_history'
  | 'mention_everyone'
  | 'use_application_commands'
  | 'manage_threads'
  | 'create_public_threads'
  | 'create_private_threads'
  | 'send_messages_in_threads';

export interface AddMember {
  /** A user who exists already (of another guild), or the id for a new one. */
  readonly id?: string;
  /** The unique user name. Default `user1`, `user2`, … */
  readonly name?: string;
  /** Shown instead of the name. */
  readonly displayName?: string;
  /** Shown in this guild instead of both. */
  readonly nick?: string;
  readonly roles?: readonly string[];
  readonly bot?: boolean;
  /** The client's language. Default `en-US`. */
  readonly locale?: string;
  /** Has not passed the guild's membership screening. */
  readonly pending?: boolean;
}

export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly displayName: string | null;
  readonly bot: boolean;
  readonly locale: string;
}

/** Mutable: a test may take a role away in the middle. */
export interface MemberRecord {
  /** The user's id. */
  readonly id: string;
  readonly user: UserRecord;
  readonly joinedAt: number;
  nick: string | null;
  readonly roles: Set<string>;
  pending: boolean;
  /** End of a time-out in ms since the epoch, or null. */
  timedOutUntil: number | null;
}

export interface AddRole {
  readonly id?: string;
  readonly name?: string;
  readonly permissions?: readonly PermissionName[];
  /** Anybody may mention it. Default false. */
  readonly mentionable?: boolean;
}

export interface RoleRecord {
  readonly id: string;
  readonly name: string;
  permissions: bigint;
  readonly mentionable: boolean;
  /** Belongs to an app. */
  readonly managed: boolean;
  readonly position: number;
}

export interface AddChannel {
  readonly id?: string;
  readonly name?: string;
  /** Only these members and roles see it. Default: everybody in the guild. */
  readonly only?: readonly string[];
  /** Whether the bot sees it. Default true. */
  readonly bot?: boolean;
}

export interface Overwrite {
  readonly allow: bigint;
  readonly deny: bigint;
}

export interface ChannelRecord {
  readonly id: string;
  /** Null for a direct message. */
  readonly guildId: string | null;
  /** 0 text, 1 direct message, 11 public thread, 12 private thread. */
  readonly type: 0 | 1 | 11 | 12;
  name: string;
  readonly parentId: string | null;
  /** By role or member id. */
  readonly overwrites: Map<string, Overwrite>;
  /** The other side of a direct message. */
  readonly recipientId?: string;
  readonly thread?: ThreadState;
  lastMessageId: string | null;
}

export interface ThreadState {
  readonly ownerId: string;
  readonly createdAt: number;
  archived: boolean;
  locked: boolean;
  /** Minutes without a message. */
  autoArchive: number;
  archiveChangedAt: number;
  messageCount: number;
  readonly members: Set<string>;
}

export interface GuildRecord {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly joinedAt: number;
  readonly members: Map<string, MemberRecord>;
  readonly roles: Map<string, RoleRecord>;
  readonly channels: Map<string, ChannelRecord>;
  /** An outage of this guild: the bot sees it as unavailable. */
  unavailable: boolean;
}

/** A guild ("server") as a test builds it. The role `@everyone` has the guild's own id. */
export interface Guild {
  readonly id: string;
  readonly name: string;
  /** The member who owns it, and may do everything. */
  readonly ownerId: string;
  addMember(member?: AddMember): MemberRecord;
  addRole(role?: AddRole): RoleRecord;
  addChannel(channel?: AddChannel): ChannelRecord;
  /** Allows or denies in a channel, for a role, a member or the bot. */
  permit(
    channelId: string,
    whom: string,
    what: { allow?: readonly PermissionName[]; deny?: readonly PermissionName[] },
  ): void;
  giveRole(userId: string, roleId: string): void;
  takeRole(userId: string, roleId: string): void;
  /** A moderator puts somebody into a time-out, or ends it with null. */
  timeOut(userId: string, until: number | null): void;
  /** Somebody leaves, or is thrown out; also the bot. */
  remove(userId: string): void;
  deleteChannel(channelId: string): void;
  /** Archives or locks a thread, as a moderator does. */
  setThread(threadId: string, state: { readonly archived?: boolean; readonly locked?: boolean }): void;
  /** An outage of the guild: GUILD_DELETE with `unavailable`, and GUILD_CREATE when it is over. */
  setUnavailable(unavailable: boolean): void;
}
