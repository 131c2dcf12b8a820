import type { ChannelRecord } from '../types.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';

export function needScope(world: World, scope: string): void {
  if (world.scopes.has(scope)) return;
  throw new ApiError('missing_scope', [], { needed: scope, provided: [...world.scopes].join(',') });
}

/** A channel the bot may know of: a private one it is not in does not exist for it. */
export function visibleChannel(world: World, id: unknown): ChannelRecord {
  const channel = world.workspace.channels.get(String(id));
  const hidden = channel?.is_private && !channel.members.has(world.workspace.botUserId);
  if (!channel || hidden) throw new ApiError('channel_not_found');
  return channel;
}

export function readableChannel(world: World, id: unknown): ChannelRecord {
  const channel = visibleChannel(world, id);
  needScope(world, channel.is_private ? 'groups:history' : 'channels:history');
  if (!channel.members.has(world.workspace.botUserId)) throw new ApiError('not_in_channel');
  return channel;
}

export function writableChannel(world: World, id: unknown): ChannelRecord {
  const channel = visibleChannel(world, id);
  if (channel.is_archived) throw new ApiError('is_archived');
  if (!channel.members.has(world.workspace.botUserId) && !world.scopes.has('chat:write.public')) {
    throw new ApiError('not_in_channel');
  }
  return channel;
}
