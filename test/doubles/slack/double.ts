import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createClock } from '../clock.ts';
import { createEvents } from './events.ts';
import { createFaults } from './faults.ts';
import { createFiles } from './files.ts';
import { createForms } from './forms.ts';
import { createHttpServer } from './http-server.ts';
import { createLog } from './log.ts';
import { createMessages } from './messages.ts';
import { createDeliver } from './operator/deliver.ts';
import { createOperator } from './operator/operator.ts';
import { createPasses } from './passes.ts';
import { createRandom } from './random.ts';
import { createLimiter } from './rate-limits.ts';
import { renderScreen } from './screen.ts';
import { createSocketControls } from './socket-mode/controls.ts';
import { createDelivery } from './socket-mode/delivery.ts';
import { createHub, SOCKET_DEFAULTS } from './socket-mode/hub.ts';
import type { SlackDouble, SlackDoubleOptions } from './types.ts';
import { until } from './until.ts';
import { createViews } from './views.ts';
import { createWarnings } from './warnings.ts';
import { createWorkspace } from './workspace.ts';
import type { World } from './world.ts';

/** The scopes of handraise's app manifest. */
const SCOPES = [
  'chat:write',
  'channels:history',
  'groups:history',
  'channels:read',
  'groups:read',
  'users:read',
  'usergroups:read',
  'files:write',
];

/** Starts a Slack on loopback: the Web API, Socket Mode, and the people who use it. */
export async function startSlackDouble(options: SlackDoubleOptions = {}): Promise<SlackDouble> {
  const world = createWorld(options);
  const server = createHttpServer(world);
  const hub = createHub(world, { ...SOCKET_DEFAULTS, ...options.sockets });
  server.on('upgrade', (request, socket, head) => hub.upgrade(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', () => resolve());
  });
  const address = server.address() as AddressInfo;
  world.address = `127.0.0.1:${address.port}`;
  const delivery = createDelivery(world, hub);
  const sockets = createSocketControls(hub);
  const { events, log, workspace, clock, faults } = world;

  const double: SlackDouble = {
    apiUrl: `http://${world.address}/api/`,
    botToken: world.tokens.bot,
    appToken: world.tokens.app,
    clock,
    workspace,
    faults,
    sockets,
    deliver: createDeliver(world, delivery),
    violations: log.violations,
    takeViolations: () => log.violations.splice(0),
    calls: log.calls,
    mentions: log.mentions,
    screen: (userId, channelId) => renderScreen(world, userId, channelId),
    user: (userId) => createOperator(world, delivery, userId),
    on: events.on,
    next: events.next,
    until: (userId, channelId, see, timeoutMs) => until(world, userId, channelId, see, timeoutMs),
    async close() {
      sockets.stop();
      delivery.close();
      await hub.close();
      clock.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return double;
}

function createWorld(options: SlackDoubleOptions): World & { address: string } {
  const clock = options.clock ?? createClock();
  const random = createRandom(options.seed ?? 1);
  const events = createEvents();
  const workspace = createWorkspace(options.workspace ?? {}, random, () => events.emit('change', {}));
  let revision = 0;
  // The first listener: whoever looks because of a change must not see what was drawn before it.
  events.on('change', () => {
    revision += 1;
  });
  const world = {
    address: '',
    revision: () => revision,
    clock,
    random,
    events,
    workspace,
    log: createLog(clock, events),
    messages: createMessages(clock, events),
    views: createViews(clock, events, random),
    forms: createForms(),
    warnings: createWarnings(events),
    files: createFiles(random),
    passes: createPasses(clock, random, workspace.teamId),
    limiter: createLimiter(clock, options.rateLimits),
    faults: createFaults(),
    scopes: new Set(options.scopes ?? SCOPES),
    // Not seeded: a token is locked host-wide by its user, so two doubles must never share one.
    tokens: { bot: ['xoxb', randomUUID()].join('-'), app: ['xapp', '1', randomUUID()].join('-') },
    subscribe: options.subscribe ?? ['app_home_opened'],
    host: () => world.address,
  };
  return world;
}
