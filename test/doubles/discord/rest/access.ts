import type { MessageRecord } from '../messages.ts';
import { DEFAULTS, PERMISSIONS, permissionsIn } from '../permissions.ts';
import type { ChannelRecord, GuildRecord, PermissionName } from '../types.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';

/** A channel that the bot sees, or the error Discord gives. */
export function channelFor(world: World, id: string | undefined, ...needs: readonly PermissionName[]): ChannelRecord {
  const channel = world.guilds.channel(id ?? '');
  if (!channel) throw new ApiError(10003);
  const guild = world.guilds.guildOf(channel);
  const has = botPermissions(world, guild, channel);
  if (!(has & PERMISSIONS.view_channel)) throw new ApiError(50001);
  for (const need of needs) if (!(has & PERMISSIONS[need])) throw new ApiError(50013);
  return channel;
}

export function botPermissions(world: World, guild: GuildRecord | undefined, channel: ChannelRecord): bigint {
  return guild ? permissionsIn(guild, channel, world.bot.id) : DEFAULTS;
}

/** A guild that the bot is in. Discord tells the two ways of not being there apart. */
export function guildFor(world: World, id: string | undefined): GuildRecord {
  const guild = world.guilds.guilds.get(id ?? '');
  if (!guild) throw new ApiError(10004);
  if (!guild.members.has(world.bot.id)) throw new ApiError(50001);
  return guild;
}

/** A message that everybody may see. Ephemerals are reached through their interaction only. */
export function messageFor(world: World, channel: ChannelRecord, id: string | undefined): MessageRecord {
  const message = world.messages.find(channel.id, id ?? '');
  if (!message || message.ephemeralTo !== undefined) throw new ApiError(10008);
  return message;
}

/** The permission that writing takes: threads have one of their own. */
export function sending(channel: ChannelRecord | undefined): PermissionName {
  return channel?.thread ? 'send_messages_in_threads' : 'send_messages';
}
