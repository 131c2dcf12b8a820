import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createClock } from '../clock.ts';
import { createEvents } from '../events.ts';
import { createCommands } from './commands.ts';
import { createFaults } from './faults.ts';
import { createForms } from './forms.ts';
import { createSocketControls } from './gateway/controls.ts';
import { createHub, SOCKET_DEFAULTS } from './gateway/hub.ts';
import { tellGuild, tellMessage } from './gateway/tell.ts';
import { createGuilds } from './guilds.ts';
import { createHttpServer } from './http-server.ts';
import { createInteractions } from './interactions.ts';
import { createLog } from './log.ts';
import { createMessages } from './messages.ts';
import { createModals } from './modals.ts';
import { createDeliver } from './operator/deliver.ts';
import { createOperator } from './operator/operator.ts';
import { createLimiter } from './rate-limits.ts';
import { loadSpec, type Spec } from './rules/spec.ts';
import { renderScreen } from './screen.ts';
import { createSnowflakes } from './snowflake.ts';
import type { DiscordDouble, DiscordDoubleOptions, DiscordEvents, UserRecord } from './types.ts';
import { until } from './until.ts';
import { createWarnings } from './warnings.ts';
import type { World } from './world.ts';

/** Starts a Discord on loopback: REST, the gateway, and the people who use it. */
export async function startDiscordDouble(options: DiscordDoubleOptions = {}): Promise<DiscordDouble> {
  const world = createWorld(options, await loadSpec(options.spec ?? true));
  const { events, log, clock, faults, guilds, hub } = world;
  const guild = guilds.addGuild(options.guild?.name ?? 'Acme', true);
  const server = createHttpServer(world);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', () => resolve());
  });
  world.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await hub.listen();

  return {
    apiUrl: `http://${world.address}/api`,
    botToken: world.token.value,
    applicationId: world.applicationId,
    botUserId: world.bot.id,
    portal: world.portal,
    clock,
    guild,
    addGuild: ({ name = 'Elsewhere', bot = false } = {}) => guilds.addGuild(name, bot),
    openDm: (userId) => guilds.openDm(userId).id,
    breakToken(broken) {
      world.token.broken = broken;
    },
    faults,
    sockets: createSocketControls(hub),
    deliver: createDeliver(world),
    violations: log.violations,
    takeViolations: () => log.violations.splice(0),
    calls: log.calls,
    mentions: log.mentions,
    get invalidRequests() {
      return world.limiter.invalidCount;
    },
    screen: (userId, channelId) => renderScreen(world, userId, channelId),
    user: (userId) => createOperator(world, userId),
    on: events.on,
    next: events.next,
    until: (userId, channelId, see, timeoutMs) => until(world, userId, channelId, see, timeoutMs),
    async close() {
      world.interactions.close();
      await hub.close();
      clock.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function createWorld(options: DiscordDoubleOptions, spec: Spec): World & { address: string } {
  const clock = options.clock ?? createClock();
  const ids = createSnowflakes(clock);
  const events = createEvents<DiscordEvents>('the Discord double');
  const log = createLog(clock, events);
  let revision = 0;
  // The first listener: whoever looks because of a change must not see what was drawn before it.
  events.on('change', () => {
    revision += 1;
  });
  const applicationId = ids.next();
  // An app's bot user has the app's own id.
  const bot: UserRecord = { id: applicationId, name: 'handraise', displayName: null, bot: true, locale: 'en-US' };
  const guilds = createGuilds(clock, ids, bot, (change) => {
    tellGuild(world, change);
    events.emit('change', {});
  });
  const hub = createHub(() => world, { ...SOCKET_DEFAULTS, ...options.sockets }, options.privilegedIntents ?? 0);
  const world: World & { address: string } = {
    address: '',
    revision: () => revision,
    clock,
    ids,
    events,
    log,
    guilds,
    messages: createMessages(clock, ids, events, guilds.channel, (how, message) => tellMessage(world, how, message)),
    interactions: createInteractions(clock, ids, events, log, (payload) => {
      hub.broadcast({ event: 'INTERACTION_CREATE', intent: 0, data: () => payload });
      return hub.sessions.size > 0;
    }),
    modals: createModals(events),
    forms: createForms(),
    warnings: createWarnings(events),
    commands: createCommands(),
    limiter: createLimiter(clock, options.rateLimits),
    faults: createFaults(),
    spec,
    bot,
    applicationId,
    portal: { interactionsEndpoint: null, isPublic: false, flags: 0 },
    // A token is locked host-wide by its hash, so two doubles must never share one.
    token: {
      value: [Buffer.from(applicationId).toString('base64url'), 'double', randomUUID()].join('.'),
      broken: false,
    },
    hub,
    host: () => world.address,
  };
  return world;
}
