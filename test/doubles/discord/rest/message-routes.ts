import { asObj, asText, type Obj } from '../../json.ts';
import type { MessageRecord } from '../messages.ts';
import { messagePayload } from '../payloads/message.ts';
import { PERMISSIONS } from '../permissions.ts';
import { isBefore, isSnowflake } from '../snowflake.ts';
import type { ChannelRecord } from '../types.ts';
import type { World } from '../world.ts';
import { botPermissions, channelFor, messageFor, sending } from './access.ts';
import { ApiError } from './api-error.ts';
import { readMessage } from './draft.ts';
import { recordMentions } from './mentions.ts';
import { type RestRequest, route } from './route.ts';

/** "The past few minutes" in which a nonce is remembered. Not published more exactly. */
const NONCE_MS = 5 * 60_000;
const OLD_MS = 3_600_000;

export const messageRoutes = [
  route('create_message', 'POST', '/channels/:/messages', create),
  route('list_messages', 'GET', '/channels/:/messages', list),
  route('get_message', 'GET', '/channels/:/messages/:', ({ world, params }) => {
    const channel = channelFor(world, params[0], 'read_message_history');
    return { body: messagePayload(world, messageFor(world, channel, params[1])) };
  }),
  route('update_message', 'PATCH', '/channels/:/messages/:', update),
  route('delete_message', 'DELETE', '/channels/:/messages/:', ({ world, params }) => {
    const channel = channelFor(world, params[0]);
    const message = messageFor(world, channel, params[1]);
    if (message.authorId !== world.bot.id) channelFor(world, params[0], 'manage_messages');
    needOpen(channel);
    world.messages.remove(message);
    return {};
  }),
  route('trigger_typing_indicator', 'POST', '/channels/:/typing', ({ world, params }) => {
    channelFor(world, params[0]);
    return {};
  }),
];

function create(request: RestRequest) {
  const { world, params, body } = request;
  const before = world.guilds.channel(params[0] ?? '');
  const channel = channelFor(world, params[0], sending(before));
  if (request.files.length > 0) channelFor(world, params[0], 'attach_files');
  const nonce = body['nonce'];
  if (body['enforce_nonce'] === true && (typeof nonce === 'string' || typeof nonce === 'number')) {
    const earlier = world.messages
      .all(channel.id)
      .find((one) => one.nonce === nonce && one.authorId === world.bot.id && world.clock.now() - one.at < NONCE_MS);
    if (earlier) return { body: messagePayload(world, earlier) };
  }
  const content = readMessage(request, {
    body,
    interaction: false,
    spec: { operation: 'create_message', body },
  });
  if (channel.thread) {
    // Writing into an archived thread opens it again, unless it is locked.
    if (channel.thread.archived && channel.thread.locked) throw new ApiError(50083);
    wake(world, channel);
  }
  const replyTo = reference(world, channel, body);
  const message = world.messages.add({
    ...content,
    channelId: channel.id,
    authorId: world.bot.id,
    ...(typeof nonce === 'string' || typeof nonce === 'number' ? { nonce } : {}),
    ...(replyTo === undefined ? {} : { replyTo, type: 19 as const }),
  });
  recordMentions(world, message, 'post');
  return { body: messagePayload(world, message) };
}

function reference(world: World, channel: ChannelRecord, body: Obj): string | undefined {
  const wanted = asObj(body['message_reference']);
  const id = asText(wanted['message_id']);
  if (id === '') return undefined;
  const found = world.messages.find(channel.id, id);
  if (found && found.ephemeralTo === undefined) return id;
  if (wanted['fail_if_not_exists'] === false) return undefined;
  const issue = { path: ['message_reference'], code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' };
  throw new ApiError(50035, { issues: [issue] });
}

function list({ world, params, query }: RestRequest) {
  const channel = channelFor(world, params[0]);
  const limit = Number(query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    const message = 'int value should be between 1 and 100.';
    throw new ApiError(50035, { issues: [{ path: ['limit'], code: 'NUMBER_TYPE_MAX', message }] });
  }
  const cursor = (key: string): string | undefined => {
    const value = query.get(key);
    if (value === null) return undefined;
    if (isSnowflake(value) || value === '0') return value;
    const issue = { path: [key], code: 'NUMBER_TYPE_COERCE', message: `Value "${value}" is not snowflake.` };
    throw new ApiError(50035, { issues: [issue] });
  };
  // Without the permission Discord answers with nothing, not with an error.
  const mayRead = botPermissions(world, world.guilds.guildOf(channel), channel) & PERMISSIONS.read_message_history;
  const seen = mayRead ? world.messages.all(channel.id).filter((one) => one.ephemeralTo === undefined) : [];
  return { body: page(seen, limit, cursor).map((one) => messagePayload(world, one)) };
}

/** Newest first. `after` takes the oldest that are newer; `around` half on each side. */
function page(
  seen: readonly MessageRecord[],
  limit: number,
  cursor: (key: string) => string | undefined,
): readonly MessageRecord[] {
  const after = cursor('after');
  const before = cursor('before');
  const around = cursor('around');
  const newestFirst = (some: readonly MessageRecord[]) => [...some].reverse();
  if (around !== undefined) {
    const half = Math.floor(limit / 2);
    const older = seen.filter((one) => isBefore(one.id, around)).slice(-half || seen.length);
    const rest = seen.filter((one) => !isBefore(one.id, around)).slice(0, half + 1);
    return newestFirst([...older, ...rest]).slice(0, limit);
  }
  if (before !== undefined) return newestFirst(seen.filter((one) => isBefore(one.id, before)).slice(-limit));
  if (after !== undefined) return newestFirst(seen.filter((one) => isBefore(after, one.id)).slice(0, limit));
  return newestFirst(seen.slice(-limit));
}

function update(request: RestRequest) {
  const { world, params, body } = request;
  const channel = channelFor(world, params[0]);
  const message = messageFor(world, channel, params[1]);
  if (message.authorId !== world.bot.id) throw new ApiError(50005);
  needOpen(channel);
  edit(request, message, body, { operation: 'update_message', body }, false);
  return { body: messagePayload(world, message) };
}

/** Changes a message in place, with the limit of edits to old ones. */
export function edit(
  request: RestRequest,
  message: MessageRecord,
  body: Obj,
  spec: { readonly operation: string; readonly body: unknown },
  interaction: boolean,
  at: readonly string[] = [],
): void {
  const { world } = request;
  const now = world.clock.now();
  const content = readMessage(request, { body, existing: message, interaction, spec, at });
  if (now - message.at > OLD_MS) {
    const recent = message.oldEdits.filter((one) => one > now - OLD_MS);
    if (recent.length >= world.limiter.oldEdits) throw new ApiError(30046);
    message.oldEdits = [...recent, now];
  }
  const thinking = message.flags & 128;
  Object.assign(message, content);
  message.failed = false;
  // What replaces "is thinking" is the response, not an edit of it.
  if (!thinking) message.editedAt = now;
  world.forms.forget(message.id);
  world.messages.changed(message);
  recordMentions(world, message, thinking ? 'post' : 'edit');
}

/** An archived thread takes no edits and no deletions. */
function needOpen(channel: ChannelRecord): void {
  if (channel.thread?.archived) throw new ApiError(50083);
}

/** A message was written into a thread: it is open, and its archiving starts anew. */
export function wake(world: World, channel: ChannelRecord): void {
  const { thread } = channel;
  if (!thread) return;
  thread.messageCount += 1;
  const opened = thread.archived;
  if (opened) Object.assign(thread, { archived: false, archiveChangedAt: world.clock.now() });
  if (opened) world.guilds.changed(channel, 'UPDATE');
  archiveLater(world, channel);
}

/** Archives a thread once nobody wrote for as long as it is set to. */
export function archiveLater(world: World, channel: ChannelRecord): void {
  const { thread } = channel;
  if (!thread) return;
  const written = thread.messageCount;
  world.clock.after(thread.autoArchive * 60_000, () => {
    if (thread.archived || thread.messageCount !== written) return;
    Object.assign(thread, { archived: true, archiveChangedAt: world.clock.now() });
    world.guilds.changed(channel, 'UPDATE');
  });
}
