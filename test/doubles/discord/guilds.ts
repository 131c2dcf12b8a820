import type { Clock } from '../clock.ts';
import { bitsOf, DEFAULTS, PERMISSIONS } from './permissions.ts';
import type { Snowflakes } from './snowflake.ts';
import type { AddMember, ChannelRecord, Guild, GuildRecord, MemberRecord, UserRecord } from './types.ts';

/** What other parts tell sessions when a guild changes; the payload is made when it is sent. */
export type GuildChange =
  | { readonly kind: 'guild'; readonly guild: GuildRecord }
  | { readonly kind: 'guild_gone'; readonly guild: GuildRecord }
  | { readonly kind: 'channel'; readonly how: 'CREATE' | 'UPDATE' | 'DELETE'; readonly channel: ChannelRecord }
  | { readonly kind: 'thread'; readonly how: 'CREATE' | 'UPDATE' | 'DELETE'; readonly channel: ChannelRecord }
  | { readonly kind: 'role'; readonly guild: GuildRecord; readonly roleId: string }
  | { readonly kind: 'member'; readonly guild: GuildRecord; readonly member: MemberRecord };

export interface GuildStore {
  readonly guilds: ReadonlyMap<string, GuildRecord>;
  readonly users: ReadonlyMap<string, UserRecord>;
  /** Every channel, thread and direct message. */
  channel(id: string): ChannelRecord | undefined;
  guildOf(channel: ChannelRecord): GuildRecord | undefined;
  addGuild(name: string, bot: boolean): Guild;
  addThread(channel: ChannelRecord): void;
  openDm(userId: string): ChannelRecord;
  /** Says that a channel or thread was changed in place. */
  changed(channel: ChannelRecord, how: 'CREATE' | 'UPDATE' | 'DELETE'): void;
}

export function createGuilds(
  clock: Clock,
  ids: Snowflakes,
  bot: UserRecord,
  tell: (change: GuildChange) => void,
): GuildStore {
  const guilds = new Map<string, GuildRecord>();
  const users = new Map<string, UserRecord>([[bot.id, bot]]);
  const dms = new Map<string, ChannelRecord>();

  const channel = (id: string) => {
    for (const guild of guilds.values()) {
      const found = guild.channels.get(id);
      if (found) return found;
    }
    return dms.get(id);
  };

  const addUser = (spec: AddMember): UserRecord => {
    const known = spec.id === undefined ? undefined : users.get(spec.id);
    if (known) return known;
    const user = {
      id: spec.id ?? ids.next(),
      name: spec.name ?? `user${users.size}`,
      displayName: spec.displayName ?? null,
      bot: spec.bot ?? false,
      locale: spec.locale ?? 'en-US',
    };
    users.set(user.id, user);
    return user;
  };

  const join = (guild: GuildRecord, spec: AddMember): MemberRecord => {
    const user = addUser(spec);
    const member: MemberRecord = {
      id: user.id,
      user,
      joinedAt: clock.now(),
      nick: spec.nick ?? null,
      roles: new Set(spec.roles ?? []),
      pending: spec.pending ?? false,
      timedOutUntil: null,
    };
    guild.members.set(user.id, member);
    tell({ kind: 'member', guild, member });
    return member;
  };

  const change = (one: ChannelRecord, how: 'CREATE' | 'UPDATE' | 'DELETE') =>
    tell(one.thread ? { kind: 'thread', how, channel: one } : { kind: 'channel', how, channel: one });

  return {
    guilds,
    users,
    channel,
    guildOf: (one) => (one.guildId === null ? undefined : guilds.get(one.guildId)),
    changed: change,
    addThread(thread) {
      guilds.get(thread.guildId ?? '')?.channels.set(thread.id, thread);
      change(thread, 'CREATE');
    },
    openDm(userId) {
      const known = [...dms.values()].find((one) => one.recipientId === userId);
      if (known) return known;
      const user = users.get(userId);
      if (!user) throw new Error(`The Discord double has no user ${userId}`);
      const dm: ChannelRecord = {
        id: ids.next(),
        guildId: null,
        type: 1,
        name: user.name,
        parentId: null,
        overwrites: new Map(),
        recipientId: userId,
        lastMessageId: null,
      };
      dms.set(dm.id, dm);
      return dm;
    },
    addGuild(name, withBot) {
      const owner = addUser({ name: `owner${guilds.size || ''}`, displayName: 'Owner' });
      const guild: GuildRecord = {
        id: ids.next(),
        name,
        ownerId: owner.id,
        joinedAt: clock.now(),
        members: new Map(),
        roles: new Map(),
        channels: new Map(),
        unavailable: false,
      };
      const role = { name: '@everyone', permissions: DEFAULTS, mentionable: false, managed: false, position: 0 };
      guild.roles.set(guild.id, { id: guild.id, ...role });
      join(guild, { id: owner.id });
      if (withBot) join(guild, { id: bot.id });
      guilds.set(guild.id, guild);
      if (withBot) tell({ kind: 'guild', guild });
      return handle(guild);
    },
  };

  function handle(guild: GuildRecord): Guild {
    const find = <T>(from: ReadonlyMap<string, T>, id: string, what: string): T => {
      const found = from.get(id);
      if (found) return found;
      throw new Error(`The guild ${guild.name} has no ${what} ${id}; there are: ${[...from.keys()].join(', ')}`);
    };
    const setRole = (userId: string, act: (roles: Set<string>) => void) => {
      const member = find(guild.members, userId, 'member');
      act(member.roles);
      tell({ kind: 'member', guild, member });
    };
    return {
      id: guild.id,
      name: guild.name,
      ownerId: guild.ownerId,
      addMember: (spec = {}) => join(guild, spec),
      addRole(spec = {}) {
        const role = {
          id: spec.id ?? ids.next(),
          name: spec.name ?? `role${guild.roles.size}`,
          permissions: bitsOf(spec.permissions ?? []),
          mentionable: spec.mentionable ?? false,
          managed: false,
          position: guild.roles.size,
        };
        guild.roles.set(role.id, role);
        tell({ kind: 'role', guild, roleId: role.id });
        return role;
      },
      addChannel(spec = {}) {
        const added: ChannelRecord = {
          id: spec.id ?? ids.next(),
          guildId: guild.id,
          type: 0,
          name: spec.name ?? `channel${guild.channels.size + 1}`,
          parentId: null,
          overwrites: new Map(),
          lastMessageId: null,
        };
        const see = PERMISSIONS.view_channel;
        if (spec.only) {
          added.overwrites.set(guild.id, { allow: 0n, deny: see });
          for (const id of spec.only) added.overwrites.set(id, { allow: see, deny: 0n });
        }
        const botSees = spec.bot ?? true;
        if (spec.only || !botSees) {
          added.overwrites.set(bot.id, botSees ? { allow: see, deny: 0n } : { allow: 0n, deny: see });
        }
        guild.channels.set(added.id, added);
        change(added, 'CREATE');
        return added;
      },
      permit(channelId, whom, { allow = [], deny = [] }) {
        const one = find(guild.channels, channelId, 'channel');
        one.overwrites.set(whom, { allow: bitsOf(allow), deny: bitsOf(deny) });
        change(one, 'UPDATE');
      },
      giveRole: (userId, roleId) => setRole(userId, (roles) => roles.add(find(guild.roles, roleId, 'role').id)),
      takeRole: (userId, roleId) => setRole(userId, (roles) => roles.delete(roleId)),
      timeOut(userId, until) {
        const member = find(guild.members, userId, 'member');
        member.timedOutUntil = until;
        tell({ kind: 'member', guild, member });
      },
      remove(userId) {
        find(guild.members, userId, 'member');
        guild.members.delete(userId);
        if (userId === bot.id) tell({ kind: 'guild_gone', guild });
      },
      deleteChannel(channelId) {
        const one = find(guild.channels, channelId, 'channel');
        guild.channels.delete(channelId);
        change(one, 'DELETE');
      },
      setThread(threadId, state) {
        const one = find(guild.channels, threadId, 'channel');
        if (!one.thread) throw new Error(`${one.name} is not a thread`);
        Object.assign(one.thread, state, { archiveChangedAt: clock.now() });
        change(one, 'UPDATE');
      },
      setUnavailable(unavailable) {
        guild.unavailable = unavailable;
        tell(unavailable ? { kind: 'guild_gone', guild } : { kind: 'guild', guild });
      },
    };
  }
}
