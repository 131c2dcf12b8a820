import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type DiscordDouble, startDiscordDouble } from '../../doubles/discord/index.ts';
import { createDesk, type Desk } from '../../support/handraise.ts';

/** Each test starts processes one after the other; a busy machine takes its time for each. */
vi.setConfig({ testTimeout: 120_000 });

let desk: Desk;
let discord: DiscordDouble;
let ana: string;
let channel: string;
beforeEach(async () => {
  desk = createDesk();
  discord = await startDiscordDouble();
  ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  channel = discord.guild.addChannel({ name: 'agents' }).id;
});
afterEach(async () => {
  await discord.close();
  desk.remove();
  expect(discord.violations).toEqual([]);
});

const start = () =>
  desk.start(['ask', 'Which database?', '--option', 'Postgres=runs already', '--option', 'SQLite=one file'], {
    env: {
      DISCORD_BOT_TOKEN: discord.botToken,
      DISCORD_API_URL: discord.apiUrl,
      HANDRAISE_DISCORD_CHANNEL: channel,
    },
  });

const thread = () =>
  discord.until(
    ana,
    channel,
    (screen) => screen.messages.find((message) => message.thread !== undefined)?.thread?.id,
    45_000,
  );

it('asks on Discord with nothing but its token and a channel, and prints what was clicked', async () => {
  const asking = start();
  const where = await thread();
  await discord.until(ana, where, (screen) => screen.messages.some((message) => message.controls.length > 0), 45_000);
  await discord.user(ana).click({ channel: where, label: 'SQLite' }).settled;
  const { stdout, stderr, exitCode } = await asking;
  expect(String(Buffer.from(stderr))).toBe('');
  expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({ answers: { 'Which database?': 'SQLite' } });
  expect(exitCode).toBe(0);
});

it('says which token is refused, and ends with 69', async () => {
  discord.breakToken(true);
  const { stderr, exitCode } = await start();
  expect(String(Buffer.from(stderr))).toMatch(/Discord refuses the bot token\n {2}Copy the bot token again/);
  expect(exitCode).toBe(69);
});

it('names the permission that the bot lacks, and ends with 69 before anything is posted', async () => {
  discord.guild.permit(channel, discord.botUserId, { deny: ['send_messages_in_threads'] });
  const { stderr, exitCode } = await start();
  expect(String(Buffer.from(stderr))).toMatch(
    /lacks in this channel: Send Messages in Threads\n {2}Give it to the bot or its role: "Edit Channel", "Permissions"/,
  );
  expect(exitCode).toBe(69);
  expect(discord.calls.filter(({ method }) => method === 'create_message')).toEqual([]);
});

it('leaves the last connects of the day to gateways that stay, and ends with 69', async () => {
  await discord.close();
  discord = await startDiscordDouble({ sockets: { identifiesUsed: 951 } });
  ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  channel = discord.guild.addChannel({ name: 'agents' }).id;
  const { stderr, exitCode } = await start();
  expect(String(Buffer.from(stderr))).toMatch(/Discord lets this bot connect only 49 more times today/);
  expect(exitCode).toBe(69);
});
