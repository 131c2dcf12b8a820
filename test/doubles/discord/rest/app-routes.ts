import { asText, isObj, type Obj } from '../../json.ts';
import type { CommandRecord } from '../commands.ts';
import { channelPayload, channelsOf } from '../payloads/channels.ts';
import { guildPayload } from '../payloads/guild.ts';
import { memberPayload, rolePayload, userPayload } from '../payloads/people.ts';
import { permissionsIn } from '../permissions.ts';
import type { Issue } from '../rules/check.ts';
import { commandList } from '../rules/command.ts';
import type { World } from '../world.ts';
import { guildFor } from './access.ts';
import { ApiError } from './api-error.ts';
import { type RestRequest, route } from './route.ts';

const DAY_MS = 86_400_000;

export const appRoutes = [
  route('get_bot_gateway', 'GET', '/gateway/bot', ({ world }) => ({ body: gatewayBot(world) })),
  route('get_gateway', 'GET', '/gateway', ({ world }) => ({ body: { url: world.hub.url() } })),
  route('get_my_user', 'GET', '/users/@me', ({ world }) => ({ body: userPayload(world.bot) })),
  route('get_user', 'GET', '/users/:', ({ world, params }) => {
    const user = world.guilds.users.get(params[0] ?? '');
    if (!user) throw new ApiError(10013);
    return { body: userPayload(user) };
  }),
  route('get_my_application', 'GET', '/applications/@me', application),
  route('get_my_oauth2_application', 'GET', '/oauth2/applications/@me', application),
  route('list_my_guilds', 'GET', '/users/@me/guilds', ({ world }) => ({
    body: [...world.guilds.guilds.values()]
      .filter((one) => one.members.has(world.bot.id))
      .map(({ id, name, ownerId, ...guild }) => ({
        id,
        name,
        icon: null,
        banner: null,
        owner: ownerId === world.bot.id,
        permissions: String(permissionsIn({ id, name, ownerId, ...guild }, undefined, world.bot.id)),
        features: [],
      })),
  })),
  route('get_guild', 'GET', '/guilds/:', ({ world, params, query }) => {
    const { approximate_member_count, approximate_presence_count, ...guild } = guildPayload(guildFor(world, params[0]));
    const counts = { approximate_member_count, approximate_presence_count };
    return { body: query.get('with_counts') === 'true' ? { ...guild, ...counts } : guild };
  }),
  route('list_guild_channels', 'GET', '/guilds/:/channels', ({ world, params }) => ({
    body: channelsOf(guildFor(world, params[0])).map((one) => channelPayload(world, one)),
  })),
  route('list_guild_roles', 'GET', '/guilds/:/roles', ({ world, params }) => ({
    body: [...guildFor(world, params[0]).roles.values()].map(rolePayload),
  })),
  route('get_guild_member', 'GET', '/guilds/:/members/:', ({ world, params }) => {
    const member = guildFor(world, params[0]).members.get(params[1] ?? '');
    if (!member) throw new ApiError(world.guilds.users.has(params[1] ?? '') ? 10007 : 10013);
    return { body: memberPayload(member) };
  }),
  route('bulk_set_application_commands', 'PUT', '/applications/:/commands', (request) => setCommands(request, null)),
  route('list_application_commands', 'GET', '/applications/:/commands', ({ world, params }) => {
    needOwn(world, params[0]);
    return { body: world.commands.list(null).map((one) => commandPayload(world, one)) };
  }),
  route('create_application_command', 'POST', '/applications/:/commands', (request) => addCommand(request, null)),
  route('bulk_set_guild_application_commands', 'PUT', '/applications/:/guilds/:/commands', (request) =>
    setCommands(request, guildFor(request.world, request.params[1]).id),
  ),
  route('list_guild_application_commands', 'GET', '/applications/:/guilds/:/commands', ({ world, params }) => {
    needOwn(world, params[0]);
    return { body: world.commands.list(guildFor(world, params[1]).id).map((one) => commandPayload(world, one)) };
  }),
  route('create_guild_application_command', 'POST', '/applications/:/guilds/:/commands', (request) =>
    addCommand(request, guildFor(request.world, request.params[1]).id),
  ),
];

/** What the gateway says about itself: where it is, and how many IDENTIFYs are left. */
function gatewayBot(world: World): unknown {
  const { options } = world.hub;
  const now = world.clock.now();
  const oldest = world.hub.identified.find((at) => at > now - DAY_MS);
  return {
    url: world.hub.url(),
    shards: 1,
    session_start_limit: {
      total: options.identifies,
      remaining: Math.max(0, options.identifies - options.identifiesUsed - world.hub.identifiedToday(now)),
      reset_after: oldest === undefined ? 0 : oldest + DAY_MS - now,
      max_concurrency: options.maxConcurrency,
    },
  };
}

function application({ world }: RestRequest) {
  return {
    body: {
      id: world.applicationId,
      name: world.bot.name,
      icon: null,
      description: '',
      summary: '',
      type: null,
      bot_public: world.portal.isPublic,
      bot_require_code_grant: false,
      verify_key: '0'.repeat(64),
      flags: world.portal.flags,
      flags_new: String(world.portal.flags),
      hook: true,
      is_monetized: false,
      redirect_uris: [],
      interactions_endpoint_url: world.portal.interactionsEndpoint,
      bot: userPayload(world.bot),
      owner: userPayload(world.bot),
      team: null,
    },
  };
}

function needOwn(world: World, applicationId: string | undefined): void {
  if (applicationId !== world.applicationId)
    throw new ApiError(20012, {
      status: 403,
      message: 'You are not authorized to perform this action on this application',
    });
}

function setCommands({ world, params, items }: RestRequest, guildId: string | null) {
  needOwn(world, params[0]);
  checkCommands(world, items);
  const commands = items.filter(isObj).map((body) => record(world, guildId, body));
  world.commands.replace(guildId, commands);
  return { body: commands.map((one) => commandPayload(world, one)) };
}

function addCommand({ world, params, body }: RestRequest, guildId: string | null) {
  needOwn(world, params[0]);
  checkCommands(world, [body]);
  const before = world.commands.list(guildId);
  const fresh = record(world, guildId, body);
  world.commands.replace(guildId, [...before.filter((one) => one.name !== fresh.name), fresh]);
  const status = before.some((one) => one.name === fresh.name) ? 200 : 201;
  return { status, body: commandPayload(world, fresh) };
}

function checkCommands(world: World, items: readonly unknown[]): void {
  const issues: Issue[] = [];
  commandList({ path: [], issues }, items);
  if (issues.length === 0) for (const one of items) issues.push(...world.spec.check('command', one));
  if (issues.length > 0) throw new ApiError(50035, { issues });
}

function record(world: World, guildId: string | null, body: Obj): CommandRecord {
  const name = asText(body['name']);
  const known = world.commands.list(guildId).find((one) => one.name === name);
  return { id: known?.id ?? world.ids.next(), guildId, name, body };
}

function commandPayload(world: World, { id, guildId, name, body }: CommandRecord): Obj {
  return {
    default_member_permissions: null,
    nsfw: false,
    type: 1,
    description: '',
    options: [],
    ...(guildId === null ? { dm_permission: true, contexts: null } : {}),
    ...body,
    id,
    name,
    application_id: world.applicationId,
    version: id,
    ...(guildId === null ? {} : { guild_id: guildId }),
  };
}
