import { asText } from '../../json.ts';
import { channelPayload, threadPayload } from '../payloads/channels.ts';
import type { ChannelRecord, ThreadState } from '../types.ts';
import { channelFor, guildFor, messageFor } from './access.ts';
import { ApiError } from './api-error.ts';
import { archiveLater } from './message-routes.ts';
import { type RestRequest, route } from './route.ts';

export const channelRoutes = [
  route('get_channel', 'GET', '/channels/:', ({ world, params }) => ({
    body: channelPayload(world, channelFor(world, params[0])),
  })),
  route('update_channel', 'PATCH', '/channels/:', update),
  route('create_thread', 'POST', '/channels/:/threads', (request) => {
    const channel = channelFor(request.world, request.params[0], 'create_public_threads');
    const type = request.body['type'] === 11 ? 11 : 12;
    if (type === 12) channelFor(request.world, request.params[0], 'create_private_threads');
    return { status: 201, body: start(request, channel, request.world.ids.next(), type) };
  }),
  route('create_thread_from_message', 'POST', '/channels/:/messages/:/threads', (request) => {
    const { world, params } = request;
    const channel = channelFor(world, params[0], 'create_public_threads');
    const message = messageFor(world, channel, params[1]);
    // Such a thread has its message's id.
    if (world.guilds.channel(message.id)) throw new ApiError(160004);
    const body = start(request, channel, message.id, 11);
    world.messages.changed(message);
    return { status: 201, body };
  }),
  route('list_active_threads', 'GET', '/guilds/:/threads/active', ({ world, params }) => {
    const guild = guildFor(world, params[0]);
    const threads = [...guild.channels.values()].filter((one) => one.thread && !one.thread.archived);
    return { body: { threads: threads.map(threadPayload), members: [] } };
  }),
  route('join_thread', 'PUT', '/channels/:/thread-members/@me', ({ world, params }) => {
    channelFor(world, params[0]).thread?.members.add(world.bot.id);
    return {};
  }),
  route('add_thread_member', 'PUT', '/channels/:/thread-members/:', ({ world, params }) => {
    const channel = channelFor(world, params[0]);
    const guild = world.guilds.guildOf(channel);
    if (!guild?.members.has(params[1] ?? '')) throw new ApiError(10007);
    channel.thread?.members.add(params[1] ?? '');
    return {};
  }),
  route('create_dm', 'POST', '/users/@me/channels', ({ world, body }) => {
    const id = asText(body['recipient_id']);
    if (!world.guilds.users.has(id)) throw new ApiError(10013);
    return { body: channelPayload(world, world.guilds.openDm(id)) };
  }),
];

function start(request: RestRequest, parent: ChannelRecord, id: string, type: 11 | 12): unknown {
  const { world, body, method } = request;
  if (parent.type !== 0) throw new ApiError(50024);
  const issues = world.spec.check(method, body);
  const name = asText(body['name']);
  if (issues.length > 0 || name === '' || [...name].length > 100) {
    const own = { path: ['name'], code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be between 1 and 100 in length.' };
    throw new ApiError(50035, { issues: issues.length > 0 ? issues : [own] });
  }
  const now = world.clock.now();
  const thread: ThreadState = {
    ownerId: world.bot.id,
    createdAt: now,
    archived: false,
    locked: false,
    autoArchive: typeof body['auto_archive_duration'] === 'number' ? body['auto_archive_duration'] : 4320,
    archiveChangedAt: now,
    messageCount: 0,
    members: new Set([world.bot.id]),
  };
  const channel: ChannelRecord = {
    id,
    guildId: parent.guildId,
    type,
    name,
    parentId: parent.id,
    overwrites: new Map(),
    thread,
    lastMessageId: null,
  };
  world.guilds.addThread(channel);
  archiveLater(world, channel);
  world.events.emit('change', { channel: parent.id });
  return threadPayload(channel);
}

/** Of a thread: renamed, archived, locked, opened again. */
function update({ world, params, body }: RestRequest) {
  const channel = channelFor(world, params[0]);
  const { thread } = channel;
  if (!thread) throw new ApiError(50013);
  const issues = world.spec.check('update_channel', body);
  if (issues.length > 0) throw new ApiError(50035, { issues });
  const { archived, locked, name, auto_archive_duration: autoArchive } = body;
  if (thread.archived && archived !== false) throw new ApiError(50083);
  const moderates = () => channelFor(world, params[0], 'manage_threads');
  if (typeof locked === 'boolean' || thread.ownerId !== world.bot.id) moderates();
  if (thread.locked && archived === false) moderates();
  if (typeof locked === 'boolean') thread.locked = locked;
  if (typeof archived === 'boolean') Object.assign(thread, { archived, archiveChangedAt: world.clock.now() });
  if (typeof autoArchive === 'number') thread.autoArchive = autoArchive;
  if (typeof name === 'string' && name !== '') channel.name = name;
  world.guilds.changed(channel, 'UPDATE');
  archiveLater(world, channel);
  return { body: threadPayload(channel) };
}
