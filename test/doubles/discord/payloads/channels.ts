import type { APIDMChannel, APIPublicThreadChannel, APITextChannel, APIThreadChannel } from 'discord-api-types/v10';
import type { ChannelRecord, GuildRecord } from '../types.ts';
import type { World } from '../world.ts';
import { NONE, userPayload } from './people.ts';

export function channelPayload(world: World, channel: ChannelRecord): APITextChannel | APIThreadChannel | APIDMChannel {
  if (channel.thread) return threadPayload(channel);
  return channel.type === 1 ? dmPayload(world, channel) : textPayload(world, channel);
}

export function textPayload(world: World, channel: ChannelRecord): APITextChannel {
  const guild = world.guilds.guildOf(channel);
  return {
    id: channel.id,
    type: 0,
    guild_id: channel.guildId ?? '',
    name: channel.name,
    position: [...(guild?.channels.values() ?? [])].indexOf(channel),
    parent_id: channel.parentId,
    topic: null,
    nsfw: false,
    rate_limit_per_user: 0,
    last_message_id: channel.lastMessageId,
    last_pin_timestamp: null,
    flags: NONE,
    permission_overwrites: [...channel.overwrites].map(([id, { allow, deny }]) => ({
      id,
      type: guild?.roles.has(id) ? 0 : 1,
      allow: String(allow),
      deny: String(deny),
    })),
  } satisfies APITextChannel;
}

export function threadPayload(channel: ChannelRecord): APIPublicThreadChannel {
  const { thread } = channel;
  if (!thread) throw new Error(`${channel.name} is not a thread`);
  return {
    id: channel.id,
    type: 11,
    guild_id: channel.guildId ?? '',
    parent_id: channel.parentId ?? '',
    owner_id: thread.ownerId,
    name: channel.name,
    last_message_id: channel.lastMessageId,
    last_pin_timestamp: null,
    rate_limit_per_user: 0,
    flags: NONE,
    message_count: thread.messageCount,
    total_message_sent: thread.messageCount,
    member_count: Math.min(50, thread.members.size),
    applied_tags: [],
    thread_metadata: {
      archived: thread.archived,
      locked: thread.locked,
      auto_archive_duration: thread.autoArchive,
      archive_timestamp: new Date(thread.archiveChangedAt).toISOString(),
      create_timestamp: new Date(thread.createdAt).toISOString(),
    },
  } satisfies APIPublicThreadChannel;
}

function dmPayload(world: World, channel: ChannelRecord): APIDMChannel {
  const other = world.guilds.users.get(channel.recipientId ?? '');
  return {
    id: channel.id,
    type: 1,
    name: null,
    flags: NONE,
    last_message_id: channel.lastMessageId,
    last_pin_timestamp: null,
    recipients: other ? [userPayload(other)] : [],
  } satisfies APIDMChannel;
}

export function channelsOf(guild: GuildRecord): readonly ChannelRecord[] {
  return [...guild.channels.values()].filter((one) => !one.thread);
}

export function activeThreadsOf(guild: GuildRecord): readonly ChannelRecord[] {
  return [...guild.channels.values()].filter((one) => one.thread && !one.thread.archived);
}
