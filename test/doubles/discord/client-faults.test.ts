import { Client, DiscordAPIError, GatewayIntentBits, type Interaction, MessageFlags, Status } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { button, row, text, v2 } from '../../support/discord-app.ts';
import { type DiscordDouble, type DiscordDoubleOptions, startDiscordDouble } from './index.ts';

let discord: DiscordDouble;
let clients: Client[];
let ana: string;
let channel: string;

const start = async (options: DiscordDoubleOptions = {}) => {
  discord = await startDiscordDouble(options);
  clients = [];
  ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  channel = discord.guild.addChannel({ name: 'agents' }).id;
};

beforeEach(() => start());
afterEach(async () => {
  for (const client of clients) await client.destroy();
  await discord.close();
  expect(discord.violations).toEqual([]);
});

/** A client without the library's own five seconds between two IDENTIFYs. */
const newClient = (intents: number[] = [GatewayIntentBits.Guilds]) => {
  const client = new Client({
    intents,
    rest: { api: discord.apiUrl, timeout: 1000, retries: 0 },
    waitGuildTimeout: 200,
    allowedMentions: { parse: [] },
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }) },
  });
  // Without a listener an error of the client would end the process.
  client.on('error', () => undefined);
  clients.push(client);
  return client;
};

const login = async (client = newClient()) => {
  const ready = new Promise<void>((resolve) => client.once('clientReady', () => resolve()));
  await client.login(discord.botToken);
  await ready;
  return client;
};

const answering = (client: Client, act: (interaction: Interaction) => Promise<unknown>) => {
  const ended: unknown[] = [];
  client.on('interactionCreate', (interaction) => {
    act(interaction).then(
      () => ended.push('ok'),
      (error: unknown) => ended.push(error instanceof DiscordAPIError ? error.code : error),
    );
  });
  return ended;
};

const card = async (client: Client) => {
  const place = await client.channels.fetch(channel);
  if (!place?.isSendable()) throw new Error('cannot post');
  return place.send({ ...(v2(text('# Pick'), row(button('a'))) as object), flags: MessageFlags.IsComponentsV2 });
};

const deferred = async (interaction: Interaction) => {
  if (interaction.isMessageComponent()) await interaction.deferUpdate();
};

/**
 * The client's own view of being back. Whoever acts on it earlier, on the server's, meets faults of the library: a
 * `destroy` in the middle of connecting hangs, and an op 9 right after RESUMED throws inside it.
 */
const back = (client: Client, how: 'shardResume' | 'shardReady') =>
  new Promise<void>((resolve) => {
    client.once(how, () => resolve());
  });

test('after a cut the client resumes and is brought the clicks that it missed, in time or too late to answer', async () => {
  const client = await login();
  const ended = answering(client, deferred);
  await card(client);
  const noticed = discord.next('socket', (one) => one.state === 'closed');
  const replay = discord.next('ready', (one) => one.how === 'resume', 20_000);
  const resumed = back(client, 'shardResume');
  discord.sockets.kill();
  await noticed;
  const late = discord.user(ana).click({ channel, label: 'A' });
  await discord.clock.advance(3001);
  const early = discord.user(ana).click({ channel, label: 'A' });
  expect((await replay).replayed).toBeGreaterThan(1);
  await resumed;
  expect(await late.settled).toEqual({ kind: 'unacked', reason: 'timeout' });
  expect(await early.settled).toMatchObject({ kind: 'acked' });
  await expect.poll(() => ended.map(String).sort()).toEqual(['10062', 'ok']);
});

test('op 7 is followed by RESUME; op 9 by RESUME or IDENTIFY, as it says', async () => {
  const client = await login();
  const steps: [act: () => void, how: 'shardResume' | 'shardReady'][] = [
    [() => discord.sockets.reconnect(), 'shardResume'],
    [() => discord.sockets.invalidate(true), 'shardResume'],
    [() => discord.sockets.invalidate(false), 'shardReady'],
  ];
  for (const [act, how] of steps) {
    const again = back(client, how);
    act();
    await again;
  }
  expect(discord.sockets).toMatchObject({ identifies: 2, resumes: 2 });
}, 90_000);

test('4009 and 4000 bring the client back, 4004 does not, and only the shard knows', async () => {
  const client = await login();
  for (const [code, how] of [
    [4000, 'shardResume'],
    [4009, 'shardReady'],
  ] as const) {
    const again = back(client, how);
    discord.sockets.close(code);
    await again;
  }
  const gone = new Promise((resolve) => client.once('shardDisconnect', ({ code }) => resolve(code)));
  discord.sockets.close(4004);
  expect(await gone).toBe(4004);
  expect(client.isReady()).toBe(true);
  expect(client.ws.shards.first()?.status).toBe(Status.Disconnected);
  await expect.poll(() => discord.sockets.open).toEqual([]);
}, 90_000);

test('disallowed intents make the login fail', async () => {
  const client = newClient([GatewayIntentBits.Guilds, GatewayIntentBits.MessageContent]);
  await expect(client.login(discord.botToken)).rejects.toThrow(/disallowed intents/i);
  expect(discord.takeViolations()).toMatchObject([{ rule: 'disallowed_intents' }]);
});

test('a zombie is noticed by its missing acknowledgements and resumed', async () => {
  await discord.close();
  await start({ sockets: { heartbeatMs: 300 } });
  const client = await login();
  const again = back(client, 'shardResume');
  discord.sockets.stopAcks();
  await again;
  expect(discord.sockets.open).toHaveLength(1);
});

test('a gateway that is gone for a while loses the session: IDENTIFY, nothing is replayed', async () => {
  const client = await login();
  const again = discord.next('ready', (one) => one.how === 'identify', 20_000);
  const ready = back(client, 'shardReady');
  let lost = 0;
  client.on('shardReconnecting', () => {
    lost += 1;
  });
  await discord.sockets.down();
  // The connection, and then the first attempt to come back.
  await expect.poll(() => lost, { timeout: 20_000 }).toBeGreaterThan(1);
  await discord.sockets.up();
  expect((await again).replayed).toBe(0);
  await ready;
}, 90_000);

test('of two clients with one token each hears the click, one answers and the other gets 40060', async () => {
  const [one, two] = [await login(), await login()];
  const ended = [...[answering(one, deferred), answering(two, deferred)]];
  await card(one);
  expect(await discord.user(ana).click({ channel, label: 'A' }).settled).toMatchObject({ kind: 'acked' });
  await expect.poll(() => ended.flat().map(String).sort()).toEqual(['40060', 'ok']);
});

test('a handler that is too late gets 10062', async () => {
  const client = await login();
  let answer: () => void = () => undefined;
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const heard = new Promise<void>((resolve) => client.once('interactionCreate', () => resolve()));
  const ended = answering(client, async (interaction) => {
    await late;
    await deferred(interaction);
  });
  await card(client);
  const click = discord.user(ana).click({ channel, label: 'A' });
  await heard;
  await discord.clock.advance(3001);
  expect(await click.settled).toEqual({ kind: 'unacked', reason: 'timeout' });
  answer();
  await expect.poll(() => ended).toEqual([10062]);
  expect(discord.takeViolations()).toMatchObject([{ rule: 'unanswered' }]);
});

test('REST: 429 is waited for, a hanging call ends in the timeout, one 401 costs the client its token', async () => {
  const client = await login();
  discord.faults.api('create_message', { kind: 'rate_limited', retryAfter: 0.2, scope: 'global' });
  const before = performance.now();
  await card(client);
  expect(performance.now() - before).toBeGreaterThan(190);
  const hanging = discord.faults.api('create_message', { kind: 'hang' });
  await expect(card(client)).rejects.toThrow(/abort/i);
  expect(hanging.hits).toBe(1);
  discord.faults.api('create_message', { kind: 'error', code: 0, status: 401 });
  await expect(card(client)).rejects.toThrow();
  await expect(card(client)).rejects.toThrow(/Expected token to be set/);
  client.rest.setToken(discord.botToken);
  await card(client);
});

test('a guild that is withheld does not keep the client from getting ready', async () => {
  discord.faults.socket({ kind: 'no_guilds' });
  const client = await login();
  expect(client.guilds.cache.get(discord.guild.id)?.available).toBe(false);
});

test('a slash command is registered, used and answered with a private Components V2 message', async () => {
  const client = await login();
  await client.application?.commands.set([{ name: 'pending', description: 'What is open' }], discord.guild.id);
  const ended = answering(client, async (interaction) => {
    if (!interaction.isChatInputCommand()) throw new Error('not a command');
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply({ ...(v2(text('Nothing is open.')) as object), flags: MessageFlags.IsComponentsV2 });
    await interaction.followUp({ content: 'Later', flags: MessageFlags.Ephemeral });
  });
  discord.user(ana).command(channel, 'pending');
  await expect.poll(() => ended).toEqual(['ok']);
  expect(discord.screen(ana, channel).messages).toMatchObject([
    { notification: 'Nothing is open.', ephemeral: true, command: 'pending' },
    { notification: 'Later', ephemeral: true },
  ]);
});

test('threads, roles, members and files go through the library', async () => {
  const client = await login();
  const message = await card(client);
  const thread = await message.startThread({ name: 'session', autoArchiveDuration: 60 });
  await thread.send({ content: 'inside', files: [{ attachment: Buffer.from('whole'), name: 'command.txt' }] });
  expect(discord.screen(ana, thread.id).messages[0]?.files).toMatchObject([{ name: 'command.txt', content: 'whole' }]);
  const role = discord.guild.addRole({ name: 'approvers' });
  discord.guild.giveRole(ana, role.id);
  const guild = await client.guilds.fetch(discord.guild.id);
  const member = await guild.members.fetch(ana);
  expect(member.roles.cache.has(role.id)).toBe(true);
  await thread.setArchived(true);
  await expect(thread.messages.edit(String(thread.lastMessageId), 'x')).rejects.toMatchObject({ code: 50083 });
});
