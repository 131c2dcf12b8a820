import type { ChannelRecord, GuildRecord, PermissionName } from './types.ts';

/** Bits of Discord's permission numbers that the double knows. */
export const PERMISSIONS: Readonly<Record<PermissionName, bigint>> = {
  administrator: 1n << 3n,
  view_channel: 1n << 10n,
  send_messages: 1n << 11n,
  manage_messages: 1n << 13n,
  embed_links: 1n << 14n,
  attach_files: 1n << 15n,
  read_message_history: 1n << 16n,
  mention_everyone: 1n << 17n,
  use_application_commands: 1n << 31n,
  manage_threads: 1n << 34n,
  create_public_threads: 1n << 35n,
  create_private_threads: 1n << 36n,
  send_messages_in_threads: 1n << 38n,
};

const ALL = Object.values(PERMISSIONS).reduce((sum, bit) => sum | bit, 0n);

/** What `@everyone` may do in a fresh guild, and both in a direct message, as far as it matters here. */
export const DEFAULTS = bitsOf([
  'view_channel',
  'send_messages',
  'embed_links',
  'attach_files',
  'read_message_history',
  'use_application_commands',
  'create_public_threads',
  'send_messages_in_threads',
]);

export function bitsOf(names: readonly PermissionName[]): bigint {
  return names.reduce((sum, name) => sum | PERMISSIONS[name], 0n);
}

/** A member's permissions in a channel: the guild's roles, then the channel's (for a thread: its parent's) overwrites. */
export function permissionsIn(guild: GuildRecord, channel: ChannelRecord | undefined, userId: string): bigint {
  const member = guild.members.get(userId);
  if (!member) return 0n;
  if (guild.ownerId === userId) return ALL;
  const roleIds = [guild.id, ...member.roles];
  let sum = roleIds.reduce((bits, id) => bits | (guild.roles.get(id)?.permissions ?? 0n), 0n);
  if (sum & PERMISSIONS.administrator) return ALL;
  const place = channel?.thread && channel.parentId ? guild.channels.get(channel.parentId) : channel;
  const overwrite = (id: string) => place?.overwrites.get(id) ?? { allow: 0n, deny: 0n };
  const apply = ({ allow, deny }: { allow: bigint; deny: bigint }) => {
    sum = (sum & ~deny) | allow;
  };
  apply(overwrite(guild.id));
  const ofRoles = [...member.roles].map(overwrite);
  apply({
    allow: ofRoles.reduce((bits, one) => bits | one.allow, 0n),
    deny: ofRoles.reduce((bits, one) => bits | one.deny, 0n),
  });
  apply(overwrite(userId));
  if (member.timedOutUntil !== null) sum &= PERMISSIONS.view_channel | PERMISSIONS.read_message_history;
  // Who cannot see a channel can do nothing in it.
  return sum & PERMISSIONS.view_channel ? sum : 0n;
}
