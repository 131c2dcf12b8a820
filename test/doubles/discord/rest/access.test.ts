import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DiscordApp, startDiscordApp } from '../../../support/discord-app.ts';
import type { DiscordDoubleOptions } from '../index.ts';

let app: DiscordApp;

const start = async (options: DiscordDoubleOptions = {}) => {
  app = await startDiscordApp(options);
};

beforeEach(() => start());
afterEach(async () => {
  expect(app.discord.violations).toEqual([]);
  await app.stop();
});

const postTo = (channel: string) => app.call('POST', `/channels/${channel}/messages`, { content: 'x' });

describe('access', () => {
  test('a wrong or broken token is refused with 401', async () => {
    const wrong = await app.call('GET', '/users/@me', undefined, { authorization: 'Bot wrong' });
    expect(wrong).toMatchObject({ status: 401, body: { message: '401: Unauthorized', code: 0 } });
    app.discord.breakToken(true);
    expect((await app.call('GET', '/users/@me')).status).toBe(401);
    app.discord.breakToken(false);
    expect((await app.call('GET', '/users/@me')).body['id']).toBe(app.discord.botUserId);
  });

  test('a channel is unknown, unseen or not for writing, each with its own code', async () => {
    const { guild, botUserId } = app.discord;
    const hidden = guild.addChannel({ bot: false }).id;
    const mute = guild.addChannel().id;
    guild.permit(mute, botUserId, { deny: ['send_messages'] });
    const elsewhere = app.discord.addGuild().addChannel().id;
    expect((await postTo('1')).body['code']).toBe(10003);
    expect((await postTo(hidden)).body['code']).toBe(50001);
    expect((await postTo(mute)).body['code']).toBe(50013);
    expect((await postTo(elsewhere)).body['code']).toBe(50001);
    guild.deleteChannel(mute);
    expect((await postTo(mute)).body['code']).toBe(10003);
  });

  test('somebody in a time-out may look and not write; without the history there is nothing to read', async () => {
    const { guild, botUserId } = app.discord;
    await app.post({ content: 'x' });
    const path = `/channels/${app.channel}/messages`;
    guild.timeOut(botUserId, Date.now() + 60_000);
    expect((await postTo(app.channel)).body['code']).toBe(50013);
    expect((await app.call('GET', path)).body).toHaveLength(1);
    guild.timeOut(botUserId, null);
    guild.permit(app.channel, botUserId, { deny: ['read_message_history'] });
    expect((await app.call('GET', path)).body).toEqual([]);
    expect((await postTo(app.channel)).status).toBe(200);
  });

  test('guild, roles, channels and members are told', async () => {
    const { guild } = app.discord;
    const role = guild.addRole({ name: 'approvers' }).id;
    guild.giveRole(app.ana, role);
    const path = `/guilds/${guild.id}`;
    expect((await app.call('GET', path)).body).toMatchObject({ id: guild.id, owner_id: guild.ownerId });
    expect((await app.call('GET', `${path}/roles`)).body).toMatchObject([{ id: guild.id }, { id: role }]);
    expect((await app.call('GET', `${path}/channels`)).body).toMatchObject([{ id: app.channel, type: 0 }]);
    expect((await app.call('GET', `${path}/members/${app.ana}`)).body).toMatchObject({ roles: [role] });
    const eve = app.discord.addGuild().addMember({ name: 'eve' }).id;
    expect((await app.call('GET', `${path}/members/${eve}`)).body['code']).toBe(10007);
    expect((await app.call('GET', `/guilds/${app.discord.addGuild().id}`)).body['code']).toBe(50001);
  });

  test('an unknown route is answered with 404 and kept in the list', async () => {
    expect((await app.call('GET', '/nothing')).status).toBe(404);
    expect(app.discord.takeViolations()).toMatchObject([{ rule: 'unknown_route', message: 'GET /nothing' }]);
  });

  test('every answer carries the time of the double', async () => {
    await app.discord.clock.advance(86_400_000);
    const { headers } = await app.call('GET', '/users/@me');
    const off = Math.abs(Date.parse(headers.get('date') ?? '') - app.discord.clock.now());
    expect(off).toBeLessThan(1000);
  });
});

describe('rates', () => {
  beforeEach(async () => {
    await app.stop();
    await start({ rateLimits: { global: 8 } });
  });

  test('a bucket is told in headers, runs out with 429 and fills again', async () => {
    await app.discord.clock.advance(2000);
    const first = await postTo(app.channel);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset-after': '5.000',
      'x-ratelimit-bucket': expect.stringMatching(/^[0-9a-f]+$/),
    });
    for (let index = 0; index < 4; index += 1) expect((await postTo(app.channel)).status).toBe(200);
    const limited = await postTo(app.channel);
    expect(limited).toMatchObject({ status: 429, body: { global: false, retry_after: 5 } });
    expect(limited.headers.get('x-ratelimit-scope')).toBe('user');
    expect(limited.headers.get('retry-after')).toBe('5');
    const other = app.discord.guild.addChannel().id;
    expect((await postTo(other)).status).toBe(200);
    await app.discord.clock.advance(5001);
    expect((await postTo(app.channel)).status).toBe(200);
    expect(app.discord.invalidRequests).toBe(1);
  });

  test('the global limit counts everything but interactions', async () => {
    await app.discord.clock.advance(2000);
    const channels = Array.from({ length: 9 }, () => app.discord.guild.addChannel().id);
    const replies = [];
    for (const channel of channels) replies.push(await postTo(channel));
    expect(replies.map((one) => one.status)).toEqual([...Array(8).fill(200), 429]);
    expect(replies[8]).toMatchObject({ body: { global: true } });
    expect(replies[8]?.headers.get('x-ratelimit-global')).toBe('true');
    const callback = await app.call('POST', '/interactions/1/t/callback', { type: 6 });
    expect(callback.body['code']).toBe(10062);
  });

  test('401, 403 and 429 are counted for ten minutes, and too many end in a ban', async () => {
    await app.stop();
    await start({ rateLimits: { invalidRequests: 3, multiplier: 100 } });
    const hidden = app.discord.guild.addChannel({ bot: false }).id;
    for (let index = 0; index < 3; index += 1) expect((await postTo(hidden)).status).toBe(403);
    expect(app.discord.invalidRequests).toBe(3);
    const banned = await postTo(app.channel);
    expect(banned.status).toBe(429);
    expect(banned.headers.get('via')).toBeNull();
    expect(app.discord.takeViolations()).toMatchObject([{ rule: 'banned' }]);
    await app.discord.clock.advance(600_001);
    expect((await postTo(app.channel)).status).toBe(200);
  });
});

describe('faults', () => {
  test('a reply lost after its effect leaves one message, and the enforced nonce finds it', async () => {
    const fault = app.discord.faults.api('create_message', { kind: 'apply_then_drop' });
    const body = { content: 'x', nonce: 'n', enforce_nonce: true };
    await expect(app.post(body)).rejects.toThrow();
    expect(fault.hits).toBe(1);
    const id = await app.post(body);
    expect(app.discord.screen(app.ana, app.channel).messages.map((one) => one.id)).toEqual([id]);
  });

  test('statuses, codes, rates and hanging are as scripted, then over', async () => {
    const { faults } = app.discord;
    faults.api('create_message', { kind: 'status', status: 502 });
    faults.api('create_message', { kind: 'error', code: 50001 });
    faults.api('create_message', { kind: 'error', code: 0, status: 401 });
    faults.api('create_message', { kind: 'rate_limited', retryAfter: 0.5, scope: 'shared' });
    expect((await postTo(app.channel)).status).toBe(502);
    expect((await postTo(app.channel)).body['code']).toBe(50001);
    expect((await postTo(app.channel)).body).toMatchObject({ message: '401: Unauthorized' });
    expect((await postTo(app.channel)).body).toMatchObject({ retry_after: 0.5 });
    // Shared limits do not count.
    expect(app.discord.invalidRequests).toBe(2);
    faults.api('create_message', { kind: 'hang' });
    const url = `${app.discord.apiUrl}/v10/channels/${app.channel}/messages`;
    const headers = { authorization: `Bot ${app.discord.botToken}` };
    await expect(fetch(url, { method: 'POST', headers, signal: AbortSignal.timeout(300) })).rejects.toThrow(
      /timeout|aborted/,
    );
    expect((await postTo(app.channel)).status).toBe(200);
  });

  test('calls are kept with their operation, arguments and end', async () => {
    await postTo(app.channel);
    expect(app.discord.calls.at(-1)).toMatchObject({
      method: 'create_message',
      route: `POST /channels/${app.channel}/messages`,
      args: { content: 'x' },
      token: 'bot',
      status: 200,
      applied: true,
    });
  });
});
