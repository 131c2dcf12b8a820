import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDiscordAdapter } from '../../../adapters/discord/index.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { createGateway, type Gateway } from '../../../src/gateway/gateway.ts';
import type { RedisStore } from '../../../src/store/redis/store.ts';
import { type DiscordDouble, startDiscordDouble } from '../../doubles/discord/index.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { openStore } from '../../support/redis-store.ts';
import { batchOf, question, requestOf, SESSION } from '../../support/requests.ts';
import { sign } from '../../support/verdict-keys.ts';

let redis: RedisServer;
let discord: DiscordDouble;
let store: RedisStore;
let channel: string;
let people: string[];
let gateways: Gateway[];
let stores: RedisStore[];
/** What people were told in private. */
let notices: string[];
const log = recordingLog();

beforeEach(async () => {
  redis = await startRedisServer();
  discord = await startDiscordDouble({ rateLimits: false });
  people = ['ana', 'ben', 'cem', 'dia', 'eva'].map((name) => discord.guild.addMember({ name, displayName: name }).id);
  channel = discord.guild.addChannel({ name: 'agents' }).id;
  ({ store } = await openStore(redis.url));
  stores = [store];
  gateways = [];
  notices = [];
  discord.on('ephemeral', ({ text }) => notices.push(text));
});
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop(2_000)));
  for (const one of stores) one.stop();
  await discord.close();
  await redis.stop();
  expect(discord.violations).toEqual([]);
});

interface Killed {
  /** Told when this gateway's response to a click was the one that Discord took. */
  readonly onAcknowledged: () => void;
  /** Waits before each claim of this gateway; one that is killed meanwhile never comes back. */
  readonly beforeClaim: () => Promise<void>;
}

/** One more gateway on the same token, with a connection of its own to the same Redis. */
const startGateway = async (gatewayId: string, killed?: Killed) => {
  const adapter = createDiscordAdapter(
    { botToken: discord.botToken, apiUrl: discord.apiUrl },
    {
      clock: systemClock,
      log,
      identifyEveryMs: 0,
      ...(killed && { onAcknowledged: killed.onAcknowledged }),
    },
  );
  const own = (await openStore(redis.url)).store;
  stores.push(own);
  const route = () => ({ places: [{ platform: 'discord', channel } as const], operators: '*' as const });
  const deps = { adapters: [adapter], route, sign, clock: systemClock, log, gatewayId };
  const gateway = createGateway({ ...deps, store: killed === undefined ? own : claimingLate(own, killed) });
  await gateway.start();
  gateways.push(gateway);
  return { gateway, adapter };
};

/** The same store, whose claims wait. */
function claimingLate(own: RedisStore, { beforeClaim }: Killed): RedisStore {
  return new Proxy(own, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'claim') return member.bind(target);
      return async (...given: Parameters<RedisStore['claim']>) => {
        await beforeClaim();
        return target.claim(...given);
      };
    },
  });
}

const openRequest = (requestId: string) =>
  store.open(
    requestOf(requestId, batchOf(question(`Question ${requestId}?`, ['Yes', 'No'])), {
      session: { ...SESSION, sessionId: `session-${requestId}` },
      waitMs: 300_000,
    }),
  );

/** The thread of the request, once its card is recorded. */
const threadOf = async (requestId: string): Promise<string> => {
  await expect.poll(async () => (await store.read(requestId))?.cards.length, { timeout: 20_000 }).toBe(1);
  return (await store.read(requestId))?.cards[0]?.thread ?? '';
};

const AT_ONCE = 2;

describe('two gateways on one token', () => {
  test('decide each of 200 clicks once; the loser of the callback is silent', async () => {
    await startGateway('g1');
    await startGateway('g2');
    const ids = Array.from({ length: 40 }, (_, number) => `r${number}`);
    await Promise.all(ids.map(openRequest));
    const threads = await Promise.all(ids.map(threadOf));
    // Five at once on each of two cards, and again; all of it at once would only measure this machine.
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const clicks = threads
        .slice(at, at + AT_ONCE)
        .flatMap((thread) =>
          people.map((person, number) =>
            discord.user(person).click({ channel: thread, label: number % 2 === 0 ? 'Yes' : 'No' }),
          ),
        );
      const results = await Promise.all(clicks.map((click) => click.settled));
      expect(results.filter((result) => result.kind === 'acked')).toHaveLength(clicks.length);
    }
    for (const requestId of ids) {
      await expect.poll(async () => (await store.read(requestId))?.status, { timeout: 20_000 }).toBe('claimed');
      const winner = (await store.read(requestId))?.verdict?.actor.userId;
      expect(people).toContain(winner);
      await store.confirm(requestId);
    }
    // Each of the four who came too late hears so once, the winner nothing. Only where Discord's answer to a gateway got
    // lost on this machine, that gateway cannot know that the other one talks.
    await expect.poll(() => notices.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(160);
    for (const [index, requestId] of ids.entries()) {
      const { message = '' } = (await store.read(requestId))?.cards[0] ?? {};
      await discord.until(
        people[0] ?? '',
        threads[index] ?? '',
        (screen) =>
          screen.messages
            .find(({ id, controls }) => id === message && controls.length === 0)
            ?.notification.includes('Answered'),
        20_000,
      );
    }
    const unanswered = log.lines.filter(({ message }) => message === 'an interaction could not be answered').length;
    expect(notices.length).toBeLessThanOrEqual(160 + unanswered);
  }, 90_000);

  test('lose nothing when the one that answered the click dies right after it', async () => {
    let answeredBy: (gatewayId: string) => void = () => undefined;
    const answered = new Promise<string>((resolve) => {
      answeredBy = resolve;
    });
    const dying = (gatewayId: string): Killed => ({
      onAcknowledged: () => answeredBy(gatewayId),
      beforeClaim: async () => {
        // Dead is whoever answered: nothing it began goes on.
        if ((await answered) === gatewayId) await new Promise(() => undefined);
      },
    });
    await startGateway('g1', dying('g1'));
    await startGateway('g2', dying('g2'));
    await openRequest('r1');
    const thread = await threadOf('r1');
    discord.user(people[0] ?? '').click({ channel: thread, label: 'Yes' });
    expect(['g1', 'g2']).toContain(await answered);
    await expect.poll(async () => (await store.read('r1'))?.status, { timeout: 20_000 }).toBe('claimed');
    expect((await store.read('r1'))?.verdict?.actor.userId).toBe(people[0]);
    await store.confirm('r1');
    await discord.until(
      people[0] ?? '',
      thread,
      (screen) => screen.messages.some((message) => message.notification.includes('Answered')),
      20_000,
    );
  }, 60_000);
});
