import type { MessageRecord } from '../messages.ts';
import type { ChannelRecord } from '../types.ts';
import type { World } from '../world.ts';
import { needScope, readableChannel, visibleChannel } from './access.ts';
import { ApiError } from './api-error.ts';
import { apiMessage } from './api-message.ts';
import type { Args } from './arguments.ts';
import type { Method } from './method.ts';
import { page } from './pages.ts';
import { needTeam } from './people.ts';

const window = {
  cursor: 'text',
  limit: 'number',
  oldest: 'text',
  latest: 'text',
  inclusive: 'flag',
  include_all_metadata: 'flag',
} as const;

export const conversations: Readonly<Record<string, Method>> = {
  'conversations.history': {
    token: 'bot',
    tier: 3,
    required: { channel: 'text' },
    optional: window,
    run(args, world) {
      const { id } = readableChannel(world, args['channel']);
      const all = world.messages.all(id).filter((one) => !one.ephemeralTo && (!one.threadTs || one.broadcast));
      return messagePage(all.filter(within(args)).toReversed(), args, world, 100);
    },
  },
  'conversations.replies': {
    token: 'bot',
    tier: 3,
    required: { channel: 'text', ts: 'ts' },
    optional: window,
    run(args, world) {
      const { id } = readableChannel(world, args['channel']);
      const asked = world.messages.find(id, String(args['ts']));
      if (!asked || asked.ephemeralTo) throw new ApiError('thread_not_found');
      const parent = asked.threadTs ? world.messages.find(id, asked.threadTs) : asked;
      const replies = world.messages.replies(id, parent?.ts ?? asked.ts).filter(within(args));
      return messagePage([...(parent ? [parent] : []), ...replies], args, world, 1000);
    },
  },
  'conversations.info': {
    token: 'bot',
    tier: 3,
    required: { channel: 'text' },
    optional: { include_locale: 'flag', include_num_members: 'flag' },
    run(args, world) {
      const channel = visibleChannel(world, args['channel']);
      needScope(world, channel.is_private ? 'groups:read' : 'channels:read');
      return { channel: apiChannel(channel, world) };
    },
  },
  'users.conversations': {
    token: 'bot',
    tier: 3,
    optional: {
      user: 'text',
      cursor: 'text',
      limit: 'number',
      types: 'text',
      exclude_archived: 'flag',
      team_id: 'text',
    },
    run(args, world) {
      needTeam(args, world);
      const types = typesIn(args, world);
      const { botUserId, channels, users } = world.workspace;
      const user = String(args['user'] ?? botUserId);
      if (!users.has(user)) throw new ApiError('user_not_found');
      const all = [...channels.values()].filter(
        (one) =>
          one.members.has(user) &&
          // Of private channels only those that the app shares with the person.
          (!one.is_private || one.members.has(botUserId)) &&
          types.includes(one.is_private ? 'private_channel' : 'public_channel') &&
          !(args['exclude_archived'] === true && one.is_archived),
      );
      const { items, cursor } = page(all, args, 100);
      return { channels: items.map((one) => apiChannel(one, world)), response_metadata: { next_cursor: cursor } };
    },
  },
  'conversations.list': {
    token: 'bot',
    tier: 2,
    optional: { cursor: 'text', limit: 'number', types: 'text', exclude_archived: 'flag', team_id: 'text' },
    run(args, world) {
      const types = typesIn(args, world);
      const all = [...world.workspace.channels.values()].filter((one) => {
        const seen = !one.is_private || one.members.has(world.workspace.botUserId);
        const wanted = types.includes(one.is_private ? 'private_channel' : 'public_channel');
        return seen && wanted && !(args['exclude_archived'] === true && one.is_archived);
      });
      const { items, cursor } = page(all, args, 100);
      return { channels: items.map((one) => apiChannel(one, world)), response_metadata: { next_cursor: cursor } };
    },
  },
};

/** The kinds of channels that are asked for; each needs its scope. */
function typesIn(args: Args, world: World): readonly string[] {
  const types = String(args['types'] ?? 'public_channel').split(',');
  if (types.includes('public_channel')) needScope(world, 'channels:read');
  if (types.includes('private_channel')) needScope(world, 'groups:read');
  return types;
}

function messagePage(all: readonly MessageRecord[], args: Args, world: World, size: number): Record<string, unknown> {
  const { items, cursor } = page(all, args, size);
  return {
    messages: items.map((one) => apiMessage(world, one, args['include_all_metadata'] === true)),
    has_more: cursor !== '',
    ...(cursor ? { response_metadata: { next_cursor: cursor } } : {}),
  };
}

function within(args: Args): (message: MessageRecord) => boolean {
  const oldest = Number(args['oldest'] ?? 0);
  const latest = Number(args['latest'] ?? Number.POSITIVE_INFINITY);
  const edges = args['inclusive'] === true;
  return ({ ts }) => {
    const at = Number(ts);
    return edges ? at >= oldest && at <= latest : at > oldest && at < latest;
  };
}

function apiChannel(channel: ChannelRecord, world: World): Record<string, unknown> {
  return {
    id: channel.id,
    name: channel.name,
    is_channel: !channel.is_private,
    is_group: channel.is_private,
    is_private: channel.is_private,
    is_archived: channel.is_archived,
    is_member: channel.members.has(world.workspace.botUserId),
    num_members: channel.members.size,
  };
}
