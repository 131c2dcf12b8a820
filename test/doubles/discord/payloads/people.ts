import type { APIGuildMember, APIInteractionGuildMember, APIRole, APIUser } from 'discord-api-types/v10';
import type { GuildRecord, MemberRecord, RoleRecord, UserRecord } from '../types.ts';

/** No flag of a bit set. A plain number, since Discord's enumerations name no zero. */
export const NONE: number = 0;

export function userPayload(user: UserRecord): APIUser {
  return {
    id: user.id,
    username: user.name,
    discriminator: '0',
    global_name: user.displayName,
    avatar: null,
    avatar_decoration_data: null,
    banner: null,
    accent_color: null,
    public_flags: NONE,
    flags: NONE,
    primary_guild: null,
    ...(user.bot ? { bot: true } : {}),
  } satisfies APIUser;
}

/** Roles as they are at this moment: an interaction brings them fresh. */
export function memberPayload(member: MemberRecord): APIGuildMember {
  return {
    user: userPayload(member.user),
    nick: member.nick,
    avatar: null,
    banner: null,
    roles: [...member.roles],
    joined_at: new Date(member.joinedAt).toISOString(),
    premium_since: null,
    deaf: false,
    mute: false,
    flags: NONE,
    pending: member.pending,
    communication_disabled_until: member.timedOutUntil === null ? null : new Date(member.timedOutUntil).toISOString(),
  } satisfies APIGuildMember;
}

export function interactionMember(member: MemberRecord, permissions: bigint): APIInteractionGuildMember {
  return { ...memberPayload(member), user: userPayload(member.user), permissions: String(permissions) };
}

export function rolePayload(role: RoleRecord): APIRole {
  return {
    id: role.id,
    name: role.name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: String(role.permissions),
    managed: role.managed,
    mentionable: role.mentionable,
    flags: NONE,
  } satisfies APIRole;
}

/** What a person is called in a place. */
export function nameOf(user: UserRecord, guild?: GuildRecord): string {
  return guild?.members.get(user.id)?.nick ?? user.displayName ?? user.name;
}
