import type { MessageRecord } from '../messages.ts';
import type { World } from '../world.ts';
import { visibleChannel, writableChannel } from './access.ts';
import { ApiError } from './api-error.ts';
import { apiMessage } from './api-message.ts';
import { contentArguments, readContent, recordMentions } from './content.ts';
import type { Method } from './method.ts';

export const chat: Readonly<Record<string, Method>> = {
  'chat.postMessage': {
    token: 'bot',
    scopes: ['chat:write'],
    required: { channel: 'text' },
    optional: { ...contentArguments, thread_ts: 'ts', reply_broadcast: 'flag' },
    run(args, world) {
      const channel = writableChannel(world, args['channel']).id;
      const threadTs = threadOf(world, channel, args['thread_ts']);
      const { warnings, blocks, metadata, ...content } = readContent(args, world);
      if (content.text === '' && (blocks?.length ?? 0) === 0) throw new ApiError('no_text');
      const message = world.messages.add({
        channel,
        user: world.workspace.botUserId,
        ...content,
        blocks: blocks ?? [],
        ...(metadata ? { metadata } : {}),
        ...(threadTs ? { threadTs, broadcast: args['reply_broadcast'] === true } : {}),
      });
      recordMentions(world, 'chat.postMessage', message);
      const warned = warnings.length > 0 ? { warning: warnings.join(','), response_metadata: { warnings } } : {};
      return { channel, ts: message.ts, message: apiMessage(world, message), ...warned };
    },
  },
  'chat.update': {
    token: 'bot',
    scopes: ['chat:write'],
    tier: 3,
    required: { channel: 'text', ts: 'ts' },
    optional: { ...contentArguments, reply_broadcast: 'flag' },
    run(args, world) {
      const message = ownMessage(world, args['channel'], args['ts'], 'cant_update_message');
      const { blocks, metadata, text, parseNames, autoLink } = readContent(args, world);
      if (args['text'] === undefined && blocks === undefined) throw new ApiError('no_text');
      // Blocks that are not mentioned stay, buttons and all.
      if (blocks) message.blocks = blocks;
      if (args['text'] !== undefined) Object.assign(message, { text, parseNames, autoLink });
      if (metadata) message.metadata = metadata;
      message.edited = { user: world.workspace.botUserId, ts: world.messages.newTs() };
      world.messages.changed(message);
      recordMentions(world, 'chat.update', message);
      return { channel: message.channel, ts: message.ts, text: message.text, message: apiMessage(world, message) };
    },
  },
  'chat.delete': {
    token: 'bot',
    scopes: ['chat:write'],
    tier: 3,
    required: { channel: 'text', ts: 'ts' },
    run(args, world) {
      const message = ownMessage(world, args['channel'], args['ts'], 'cant_delete_message');
      world.messages.remove(message);
      return { channel: message.channel, ts: message.ts };
    },
  },
  'chat.postEphemeral': {
    token: 'bot',
    scopes: ['chat:write'],
    tier: 4,
    required: { channel: 'text', user: 'text' },
    optional: { ...contentArguments, thread_ts: 'ts' },
    run(args, world) {
      const { id: channel, members } = writableChannel(world, args['channel']);
      const user = String(args['user']);
      if (!members.has(user)) throw new ApiError('user_not_in_channel');
      const threadTs = threadOf(world, channel, args['thread_ts']);
      const { blocks, text, parseNames, autoLink } = readContent(args, world);
      if (text === '' && (blocks?.length ?? 0) === 0) throw new ApiError('no_text');
      const message = world.messages.add({
        channel,
        user: world.workspace.botUserId,
        ephemeralTo: user,
        text,
        parseNames,
        autoLink,
        blocks: blocks ?? [],
        ...(threadTs ? { threadTs } : {}),
      });
      recordMentions(world, 'chat.postEphemeral', message);
      return { message_ts: message.ts };
    },
  },
  'chat.getPermalink': {
    token: 'bot',
    required: { channel: 'text', message_ts: 'ts' },
    run(args, world) {
      const { id: channel } = visibleChannel(world, args['channel']);
      const message = world.messages.find(channel, String(args['message_ts']));
      if (!message || message.ephemeralTo) throw new ApiError('message_not_found');
      const thread = message.threadTs ? `?thread_ts=${message.threadTs}&cid=${channel}` : '';
      const path = `archives/${channel}/p${message.ts.replace('.', '')}${thread}`;
      return { channel, permalink: `https://${world.workspace.domain}.slack.com/${path}` };
    },
  },
};

/** The parent's ts, checked; replies to a reply are a mistake of the client. */
export function threadOf(world: World, channel: string, ts: unknown): string | undefined {
  if (ts === undefined) return undefined;
  const parent = world.messages.find(channel, String(ts));
  if (!parent) throw new ApiError('thread_not_found');
  if (parent.threadTs || parent.ephemeralTo) {
    throw new ApiError('cannot_reply_to_message', [
      { pointer: '/thread_ts', message: 'must be the ts of a parent message' },
    ]);
  }
  return parent.ts;
}

function ownMessage(world: World, channel: unknown, ts: unknown, refusal: string): MessageRecord {
  const { id } = visibleChannel(world, channel);
  const message = world.messages.find(id, String(ts));
  // An ephemeral message is no message for the API.
  if (!message || message.ephemeralTo || message.tombstone) throw new ApiError('message_not_found');
  if (message.user !== world.workspace.botUserId) throw new ApiError(refusal);
  return message;
}
