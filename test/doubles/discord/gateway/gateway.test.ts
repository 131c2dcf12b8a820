import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { button, type DiscordApp, row, startDiscordApp } from '../../../support/discord-app.ts';
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

const card = () => app.post({ content: 'Pick', components: [row(button('a'))] });
const click = () => app.discord.user(app.ana).click({ channel: app.channel, label: 'A' });
const names = (from: { readonly t: string }[]) => from.map(({ t }) => t);

describe('sessions', () => {
  test('READY names the guilds as unavailable, and GUILD_CREATE brings each', async () => {
    await app.line.next((frame) => frame['t'] === 'GUILD_CREATE');
    const [ready, guild] = app.line.dispatches;
    expect(ready).toMatchObject({ s: 1, t: 'READY', d: { v: 10, guilds: [{ unavailable: true }], application: {} } });
    expect(guild).toMatchObject({ s: 2, t: 'GUILD_CREATE', d: { id: app.discord.guild.id, unavailable: false } });
  });

  test('a heartbeat is acknowledged', async () => {
    app.line.send(1, 2);
    expect(await app.line.next((frame) => frame['op'] === 11)).toBeDefined();
  });

  test('RESUME brings what was missed, in order, and then RESUMED', async () => {
    const id = await card();
    const { sessionId } = app.line;
    await app.line.next((frame) => frame['t'] === 'MESSAGE_CREATE');
    const seq = app.line.dispatches.at(-1)?.s ?? 0;
    const noticed = app.discord.next('socket', (one) => one.state === 'closed');
    app.discord.sockets.kill();
    await noticed;
    const pending = click();
    await app.call('PATCH', `/channels/${app.channel}/messages/${id}`, { content: 'Changed' });
    const line = await app.connect({ resume: { sessionId, seq } });
    expect(names(line.dispatches)).toEqual(['INTERACTION_CREATE', 'MESSAGE_UPDATE', 'RESUMED']);
    expect(line.dispatches.map(({ s }) => s)).toEqual([seq + 1, seq + 2, seq + 3]);
    expect(app.discord.sockets).toMatchObject({ identifies: 1, resumes: 1, sessions: 1 });
    // The click is not lost as long as its three seconds last.
    const missed = line.dispatches[0]?.d ?? {};
    expect((await app.respond(missed, 6)).status).toBe(204);
    expect(await pending.settled).toMatchObject({ kind: 'acked' });
  });

  test('a click without any session fails at once', async () => {
    await card();
    const noticed = app.discord.next('socket', (one) => one.state === 'closed');
    app.line.ws.close(1000);
    await noticed;
    expect(await click().settled).toEqual({ kind: 'unacked', reason: 'no_connection' });
  });

  test('a session that is unknown, too old or closed for good cannot be resumed', async () => {
    const { sessionId } = app.line;
    const resume = async () => {
      const line = await app.connect({ resume: { sessionId, seq: 2 } });
      return (await line.next((frame) => frame['op'] === 9))['d'];
    };
    app.line.ws.close(1000);
    await app.line.closed();
    expect(await resume()).toBe(false);
    const second = await app.connect();
    const noticed = app.discord.next('socket', (one) => one.state === 'closed');
    second.ws.terminate();
    await noticed;
    await app.discord.clock.advance(181_000);
    expect(app.discord.sockets.sessions).toBe(0);
  });

  test('a sequence number from the future is closed with 4007', async () => {
    const { sessionId } = app.line;
    const line = await app.connect({ resume: { sessionId, seq: 99 } });
    expect(await line.closed()).toBe(4007);
    expect(app.discord.takeViolations()).toMatchObject([{ rule: 'invalid_seq' }]);
  });

  test('intents decide what is heard', async () => {
    const deaf = await app.connect({ intents: 0 });
    const guildsOnly = await app.connect({ intents: 1 });
    await card();
    app.discord.guild.addChannel();
    click();
    await guildsOnly.next((frame) => frame['t'] === 'INTERACTION_CREATE');
    await app.respond(await app.interaction(), 6);
    await expect.poll(() => names(deaf.dispatches)).toEqual(['READY', 'INTERACTION_CREATE']);
    expect(names(guildsOnly.dispatches)).toEqual(['READY', 'GUILD_CREATE', 'CHANNEL_CREATE', 'INTERACTION_CREATE']);
    await expect.poll(() => names(app.line.dispatches)).toContain('MESSAGE_CREATE');
  });

  test('the content of others is blank without its privileged intent', async () => {
    app.discord.user(app.ana).say(app.channel, 'secret');
    const heard = await app.line.next((frame) => frame['t'] === 'MESSAGE_CREATE');
    expect(heard['d']).toMatchObject({ content: '', author: { id: app.ana } });
  });
});

describe('closing', () => {
  const broken = async (d: object) => {
    const line = await app.connect({ intents: 0 });
    line.ws.terminate();
    const fresh = await app.connect();
    fresh.send(2, d);
    return fresh;
  };

  test('a second IDENTIFY, an unknown opcode, no JSON and too many frames', async () => {
    const line = await broken({});
    expect(await line.closed()).toBe(4005);
    const second = await app.connect();
    second.send(77, null);
    expect(await second.closed()).toBe(4001);
    const third = await app.connect();
    third.ws.send('{');
    expect(await third.closed()).toBe(4002);
    const fourth = await app.connect();
    for (let index = 0; index < 121; index += 1) fourth.send(1, null);
    expect(await fourth.closed()).toBe(4008);
    const rules = app.discord.takeViolations().map((one) => one.rule);
    expect(rules).toEqual(['already_identified', 'unknown_opcode', 'no_json', 'too_many_frames']);
  });

  test('privileged intents that are not switched on: 4014; intents that do not exist: 4013', async () => {
    expect(await (await app.connect({ intents: 1 << 15 })).closed()).toBe(4014);
    expect(await (await app.connect({ intents: 1 << 30 })).closed()).toBe(4013);
    app.discord.takeViolations();
    await app.stop();
    await start({ privilegedIntents: 1 << 15 });
    const line = await app.connect({ intents: 1 | (1 << 9) | (1 << 15) });
    app.discord.user(app.ana).say(app.channel, 'heard');
    expect((await line.next((frame) => frame['t'] === 'MESSAGE_CREATE'))['d']).toMatchObject({ content: 'heard' });
  });

  test('a broken token: 4004', async () => {
    const { url } = (await app.call('GET', '/gateway/bot')).body;
    expect(url).toMatch(/^ws:/);
    app.discord.faults.socket({ kind: 'close', code: 4004 });
    expect(await (await app.connect()).closed()).toBe(4004);
  });

  test('op 7, op 9 and closing on demand', async () => {
    app.discord.sockets.reconnect();
    await app.line.next((frame) => frame['op'] === 7);
    app.discord.sockets.invalidate(true);
    expect((await app.line.next((frame) => frame['op'] === 9))['d']).toBe(true);
    expect(app.discord.sockets.sessions).toBe(1);
    app.discord.sockets.close(4009);
    expect(await app.line.closed()).toBe(4009);
  });

  test('a gateway that is down refuses TCP, and comes back on the same port', async () => {
    const { url } = (await app.call('GET', '/gateway/bot')).body;
    await app.discord.sockets.down();
    await app.line.closed();
    await expect(fetch(String(url).replace('ws', 'http'))).rejects.toThrow();
    await app.discord.sockets.up();
    expect((await app.call('GET', '/gateway/bot')).body['url']).toBe(url);
    expect((await app.connect()).dispatches[0]?.t).toBe('READY');
  });
});

describe('starts', () => {
  test('IDENTIFYs are counted, told, come back after a day, and too many cost the token', async () => {
    await app.stop();
    await start({ sockets: { identifies: 3, identifiesUsed: 1 } });
    const left = async () => {
      const { body } = await app.call('GET', '/gateway/bot');
      return (body['session_start_limit'] as { remaining: number }).remaining;
    };
    expect(await left()).toBe(1);
    await app.connect();
    expect(await left()).toBe(0);
    await app.discord.clock.advance(86_400_001);
    expect(await left()).toBe(2);
    await app.connect();
    await app.connect();
    expect(await (await app.connect()).closed()).toBe(4004);
    expect(app.discord.takeViolations()).toMatchObject([{ rule: 'identifies_used_up' }]);
    expect((await app.call('GET', '/users/@me')).status).toBe(401);
  });

  test('more IDENTIFYs at once than allowed are sent away with op 9', async () => {
    await app.stop();
    await start({ sockets: { maxConcurrency: 1 } });
    const early = await app.connect();
    expect((await early.next((frame) => frame['op'] === 9))['d']).toBe(false);
    await app.discord.clock.advance(5001);
    expect((await app.connect()).dispatches[0]?.t).toBe('READY');
  });
});

describe('several connections with one token', () => {
  test('all stay and hear every event; the first response wins and the second gets 40060', async () => {
    const second = await app.connect();
    await card();
    const pending = click();
    const mine = await app.interaction();
    const theirs = (await second.next((frame) => frame['t'] === 'INTERACTION_CREATE'))['d'] as typeof mine;
    expect(theirs).toEqual(mine);
    expect(app.discord.sockets.open).toHaveLength(2);
    expect((await app.respond(mine, 6)).status).toBe(204);
    expect((await app.respond(theirs, 6)).body['code']).toBe(40060);
    expect(await pending.settled).toMatchObject({ kind: 'acked', type: 6 });
    // Two connections, two responses: nobody is to blame. A third is one too many.
    expect(app.discord.violations).toEqual([]);
    await app.respond(mine, 6);
    expect(app.discord.takeViolations()).toMatchObject([{ rule: 'answered_twice' }]);
  });
});

describe('outages', () => {
  test('a guild goes away and comes back', async () => {
    app.discord.guild.setUnavailable(true);
    const gone = await app.line.next((frame) => frame['t'] === 'GUILD_DELETE');
    expect(gone['d']).toEqual({ id: app.discord.guild.id, unavailable: true });
    const line = await app.connect();
    expect(names(line.dispatches)).toEqual(['READY']);
    app.discord.guild.setUnavailable(false);
    await line.next((frame) => frame['t'] === 'GUILD_CREATE');
  });

  test('zombies, withheld events and duplicates', async () => {
    const { faults, sockets } = app.discord;
    sockets.stopAcks();
    app.line.send(1, null);
    faults.socket({ kind: 'withhold', event: 'MESSAGE_CREATE' });
    faults.socket({ kind: 'duplicate' });
    await card();
    await card();
    await expect.poll(() => names(app.line.dispatches).filter((one) => one === 'MESSAGE_CREATE')).toHaveLength(2);
    const [one, two] = app.line.dispatches.filter(({ t }) => t === 'MESSAGE_CREATE');
    expect(one?.s).toBe(two?.s);
    await expect(
      Promise.race([app.line.next((frame) => frame['op'] === 11), app.call('GET', '/users/@me')]),
    ).resolves.toMatchObject({ status: 200 });
  });

  test('the next upgrade is refused as scripted', async () => {
    app.discord.faults.socket({ kind: 'refuse', status: 503 });
    const refused = app.discord.next('socket', (one) => one.state === 'refused');
    const connecting = app.connect();
    connecting.catch(() => undefined);
    expect((await refused).open).toBe(1);
  });
});
