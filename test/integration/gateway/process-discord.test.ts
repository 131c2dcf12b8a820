import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDiscordDouble } from '../../doubles/discord/index.ts';
import { createDesk } from '../../support/handraise.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { PINNING_ENV, SIGNING_ENV } from '../../support/verdict-keys.ts';

it('a gateway over Redis asks on Discord for a run that has no token', async () => {
  const desk = createDesk();
  const [discord, redis] = await Promise.all([startDiscordDouble(), startRedisServer()]);
  const ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  const channel = discord.guild.addChannel({ name: 'agents' }).id;
  const config = join(desk.home, 'gateway.yaml');
  const bindings = [{ match: { workspace: '*' }, discord: { channel } }];
  writeFileSync(config, JSON.stringify({ gateway: { listen: '127.0.0.1:0' }, bindings }));
  const gateway = desk.start(['gateway'], {
    withinMs: 90_000,
    env: {
      DISCORD_BOT_TOKEN: discord.botToken,
      DISCORD_API_URL: discord.apiUrl,
      HANDRAISE_REDIS_URL: redis.url,
      HANDRAISE_CONFIG: config,
      ...SIGNING_ENV,
    },
  });
  await new Promise<void>((resolve) => {
    gateway.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('/readyz')) resolve();
    });
  });
  const asking = desk.start(['ask', 'Which database?', '--option', 'Postgres=one', '--option', 'SQLite=two'], {
    withinMs: 60_000,
    env: { HANDRAISE_REDIS_URL: redis.url, ...PINNING_ENV },
  });
  const thread = await discord.until(
    ana,
    channel,
    (screen) => screen.messages.find((message) => message.thread !== undefined)?.thread?.id,
    30_000,
  );
  await discord.until(ana, thread, (screen) => screen.messages.some(({ controls }) => controls.length > 0), 20_000);
  await discord.user(ana).click({ channel: thread, label: 'SQLite' }).settled;
  const { stdout, exitCode } = await asking;
  expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({ answers: { 'Which database?': 'SQLite' } });
  expect(exitCode).toBe(0);
  await discord.until(
    ana,
    thread,
    (screen) => screen.messages.some(({ notification }) => notification.includes('Answered')),
    20_000,
  );
  gateway.kill('SIGTERM');
  await gateway;
  await Promise.all([discord.close(), redis.stop()]);
  desk.remove();
  expect(discord.violations).toEqual([]);
}, 120_000);
