import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDiscordAdapter } from '../../../adapters/discord/index.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { OperatorRule } from '../../../src/core/policy/people.ts';
import type { SurfaceAdapter } from '../../../src/core/ports/surface-adapter.ts';
import { createGateway, type Gateway } from '../../../src/gateway/gateway.ts';
import type { RedisStore } from '../../../src/store/redis/store.ts';
import { type DiscordDouble, type ScreenMessage, startDiscordDouble } from '../../doubles/discord/index.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { auditRowsIn, openStore } from '../../support/redis-store.ts';
import { batchOf, question, requestOf } from '../../support/requests.ts';
import { sign } from '../../support/verdict-keys.ts';

const BATCH = batchOf(
  question('Which database?', ['Postgres', 'SQLite']),
  question('Which languages?', ['Go', 'Rust', 'Zig'], { multiSelect: true }),
);
const WITHIN_MS = 20_000;

interface Sharing {
  readonly gateway: Gateway;
  readonly adapter: SurfaceAdapter;
  readonly store: RedisStore;
}

let redis: RedisServer;
let discord: DiscordDouble;
let store: RedisStore;
let channel: string;
let [ana, ben] = ['', ''];
let gateways: Sharing[];
let stopping: Set<Sharing>;

beforeEach(async () => {
  redis = await startRedisServer();
  discord = await startDiscordDouble({ rateLimits: false });
  ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  ben = discord.guild.addMember({ name: 'ben', displayName: 'Ben' }).id;
  channel = discord.guild.addChannel({ name: 'agents' }).id;
  ({ store } = await openStore(redis.url));
  gateways = [];
  stopping = new Set();
});
afterEach(async () => {
  await Promise.all(gateways.map(stop));
  store.stop();
  await discord.close();
  await redis.stop();
  expect(discord.violations).toEqual([]);
});

/** One more gateway on the same token, with a connection to Redis of its own. */
const start = async (gatewayId: string, operators: OperatorRule | '*' = '*'): Promise<Sharing> => {
  const log = recordingLog();
  const opened = await openStore(redis.url);
  const adapter = createDiscordAdapter(
    { botToken: discord.botToken, apiUrl: discord.apiUrl },
    { clock: systemClock, log, identifyEveryMs: 0 },
  );
  const route = () => ({ places: [{ platform: 'discord', channel } as const], operators });
  const deps = { store: opened.store, adapters: [adapter], route, sign, clock: systemClock, log, gatewayId };
  const gateway = createGateway(deps);
  await gateway.start();
  const sharing = { gateway, adapter, store: opened.store };
  gateways.push(sharing);
  return sharing;
};

/** Ends what it has in hand first. */
const stop = async (sharing: Sharing) => {
  if (stopping.has(sharing)) return;
  stopping.add(sharing);
  await sharing.gateway.stop(2_000);
  sharing.store.stop();
};

const open = () => store.open(requestOf('r1', BATCH, { waitMs: 300_000 }));

const thread = async (): Promise<string> => {
  await expect.poll(async () => (await store.read('r1'))?.cards.length, { timeout: WITHIN_MS }).toBe(1);
  return (await store.read('r1'))?.cards[0]?.thread ?? '';
};

const seen = (where: string, fits: (message: ScreenMessage) => boolean, who = ana) =>
  discord.until(who, where, (screen) => screen.messages.find(fits), WITHIN_MS);
const card = (where: string, text: string) =>
  seen(where, ({ notification, ephemeral }) => !ephemeral && notification.includes(text));

/** The thread of a question of which Ana has answered the first half. */
const begun = async (): Promise<string> => {
  await open();
  const where = await thread();
  await discord.user(ana).click({ channel: where, label: 'Answer…' }).settled;
  await card(where, 'Ana is answering 0/2');
  await discord.user(ana).select({ channel: where, label: 'Choose one' }, 'SQLite')?.settled;
  await card(where, 'Ana is answering 1/2');
  return where;
};

describe('a draft of two gateways on one token', { timeout: 90_000 }, () => {
  test('is in Redis: another gateway and, after two idle minutes, another person go on with it, and only Send answers', async () => {
    const first = await start('g1');
    await start('g2');
    const where = await begun();
    await stop(first);
    await discord.user(ben).click({ channel: where, label: 'Next' }).settled;
    const told = await seen(where, ({ ephemeral }) => ephemeral, ben);
    expect(told.notification).toContain('Ana is answering this just now');
    await discord.clock.advance(121_000);
    await discord.user(ben).click({ channel: where, label: 'Next' }).settled;
    await card(where, 'Ben is answering 1/2');
    await discord.user(ben).select({ channel: where, label: 'Choose any number' }, ['Rust'])?.settled;
    await card(where, 'Ben is answering 2/2');
    expect((await store.read('r1'))?.status).toBe('open');
    await discord.user(ben).click({ channel: where, label: 'Send (2 of 2)' }).settled;
    await expect.poll(async () => (await store.read('r1'))?.status, { timeout: WITHIN_MS }).toBe('claimed');
    const { verdict } = (await store.read('r1')) ?? {};
    expect(verdict?.actor.userId).toBe(ben);
    expect(verdict?.decision).toMatchObject({
      kind: 'answers',
      sheet: [{ labels: ['SQLite'] }, { labels: ['Rust'] }],
    });
    expect(JSON.stringify(verdict?.decision)).toContain(ana);
    await store.confirm('r1');
    await card(where, 'Answered · by Ben');
  });

  test('that nobody sent is gone with the deadline, and says nothing afterwards', async () => {
    await start('g1');
    await start('g2');
    const where = await begun();
    expect(await store.readDraft('r1')).toBeDefined();
    await store.close('r1', { kind: 'timed_out', shown: true, waitedMs: 300_000 });
    expect(await store.readDraft('r1')).toBeUndefined();
    const settled = await seen(where, ({ controls, ephemeral }) => !ephemeral && controls.length === 0);
    expect(settled.notification).toMatch(/Timed out.*Options: Postgres · SQLite/s);
    expect(settled.notification).not.toContain('→');
    expect((await store.read('r1'))?.verdict).toBeUndefined();
  });
});

test('a click that both gateways refuse is audited once, and answered in private once', async () => {
  const both = [await start('g1', { discordUsers: [ana] }), await start('g2', { discordUsers: [ana] })];
  await open();
  const where = await thread();
  await discord.user(ben).click({ channel: where, label: 'Decide without us' }).settled;
  await seen(where, ({ ephemeral }) => ephemeral, ben);
  // Whatever the other one still does about it is done then.
  await Promise.all(both.map(stop));
  const refused = (await auditRowsIn(redis)).filter(({ event }) => event === 'click_refused');
  expect(refused).toMatchObject([{ requestId: 'r1', actor: { userId: ben }, reason: 'not_listed' }]);
  const { messages } = discord.screen(ben, where);
  expect(messages.filter(({ ephemeral }) => ephemeral)).toHaveLength(1);
}, 60_000);
