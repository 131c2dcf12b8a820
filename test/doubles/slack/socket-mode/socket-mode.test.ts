import { SocketModeClient } from '@slack/socket-mode';
import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { quietLogger } from '../../../support/slack-quiet-logger.ts';
import { createClock, type SlackDouble, type SlackDoubleOptions, startSlackDouble } from '../index.ts';

let slack: SlackDouble;
let ana: string;
let ben: string;
let channel: string;
const sockets: WebSocket[] = [];
const clients: SocketModeClient[] = [];

const start = async (options: SlackDoubleOptions = {}) => {
  slack = await startSlackDouble({ clock: createClock({ flow: false }), rateLimits: false, ...options });
  ana = slack.workspace.addUser({ name: 'ana' }).id;
  ben = slack.workspace.addUser({ name: 'ben' }).id;
  channel = slack.workspace.addChannel({ name: 'general' }).id;
};

const api = (token: string) =>
  new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: quietLogger,
  });

const ticket = async () => String((await api(slack.appToken).apps.connections.open()).url);

/** A plain WebSocket that keeps its frames; `ack` answers the nth envelope. */
const connect = async (url?: string) => {
  const socket = new WebSocket(url ?? (await ticket()));
  sockets.push(socket);
  const frames: Record<string, unknown>[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    for (const wake of waiting.splice(0)) wake();
  });
  const until = async (count: number) => {
    while (frames.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  await until(1);
  const ack = (n: number, payload: object = {}) =>
    socket.send(JSON.stringify({ envelope_id: frames[n]?.['envelope_id'], payload }));
  return { socket, frames, until, ack };
};

const refusedWith = (socket: WebSocket) =>
  new Promise<number | undefined>((resolve) => {
    sockets.push(socket);
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
    socket.on('error', () => undefined);
  });

const post = async () =>
  String(
    (
      await api(slack.botToken).chat.postMessage({
        channel,
        text: 'Which?',
        blocks: [
          { type: 'actions', elements: [{ type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'A' } }] },
        ],
      })
    ).ts,
  );

beforeEach(() => start());
afterEach(async () => {
  for (const client of clients.splice(0)) await client.disconnect();
  for (const socket of sockets.splice(0)) socket.terminate();
  expect(slack.violations).toEqual([]);
  await slack.close();
});

describe('connections', () => {
  test('a hello says how many there are, and a ticket works once', async () => {
    const url = await ticket();
    const { frames } = await connect(url);
    expect(frames[0]).toMatchObject({
      type: 'hello',
      num_connections: 1,
      debug_info: { approximate_connection_time: 18_060 },
      connection_info: { app_id: slack.workspace.appId },
    });
    expect((await connect()).frames[0]).toMatchObject({ num_connections: 2 });
    expect(await refusedWith(new WebSocket(url))).toBe(401);
    expect(slack.takeViolations()).toMatchObject([{ rule: 'ticket' }]);
  });

  test('the eleventh is refused', async () => {
    for (let i = 0; i < 10; i += 1) await connect();
    expect(await refusedWith(new WebSocket(await ticket()))).toBe(408);
    expect(slack.takeViolations()).toMatchObject([{ rule: 'too_many_connections' }]);
  });

  test('two at once collide when asked to', async () => {
    await slack.close();
    await start({ sockets: { conflictWithinMs: 1000 } });
    await connect();
    expect(await refusedWith(new WebSocket(await ticket()))).toBe(409);
    await slack.clock.advance(1000);
    await connect();
  });

  test('each refusal and silence can be scripted', async () => {
    slack.faults.socket({ kind: 'refuse', status: 503 });
    expect(await refusedWith(new WebSocket(await ticket()))).toBe(503);
    slack.faults.socket({ kind: 'no_hello' });
    const mute = new WebSocket(await ticket());
    sockets.push(mute);
    await new Promise((resolve) => mute.once('open', resolve));
    expect(slack.sockets.open).toMatchObject([{ greeted: false }]);
    const click = slack.deliver.action({ user: ana, channel, ts: '1.2', actionId: 'a' });
    expect(await click.settled).toEqual({ kind: 'unacked', reason: 'no_connection' });
  });

  test('an opening that is rate limited says when to come back', async () => {
    await slack.close();
    await start({ rateLimits: {} });
    for (let i = 0; i < 4; i += 1) await ticket();
    await expect(ticket()).rejects.toMatchObject({ retryAfter: 60 });
  });

  test('the real client survives pings, and learns of their absence', async () => {
    await slack.close();
    await start({ sockets: { pingEveryMs: 20 } });
    const client = new SocketModeClient({
      appToken: slack.appToken,
      clientOptions: { slackApiUrl: slack.apiUrl },
      serverPingTimeout: 100,
      autoReconnectEnabled: false,
      logger: quietLogger,
    });
    clients.push(client);
    const { socket } = await connect();
    await client.start();
    // Ten pings are twice the client's patience.
    for (let n = 0; n < 10; n += 1) await new Promise((resolve) => socket.once('ping', resolve));
    expect(slack.sockets.open).toHaveLength(2);
    const closed = slack.next('socket', (one) => one.state === 'closed');
    slack.sockets.stopPings();
    await closed;
  });

  test('a peer that never closes keeps its TCP connection', async () => {
    slack.faults.socket({ kind: 'never_close' });
    const { socket } = await connect();
    socket.close();
    // Whatever the double would answer has come once a later request is answered.
    await ticket();
    expect(slack.sockets.tcp).toBe(1);
    expect(socket.readyState).toBe(WebSocket.CLOSING);
  });
});

describe('envelopes', () => {
  test('each goes to one connection, and the seed decides which', async () => {
    const ts = await post();
    const both = [await connect(), await connect()];
    for (let i = 0; i < 40; i += 1) slack.deliver.action({ user: ana, channel, ts, actionId: `a${i}` });
    const received = () => both.map((one) => one.frames.length - 1);
    const total = () => received().reduce((a, b) => a + b);
    while (total() < 40) await Promise.race(both.map((one) => one.until(one.frames.length + 1)));
    const counts = received();
    expect(Math.min(...counts)).toBeGreaterThan(5);
  });

  test('two clicks in one tick are both written before either ack is read', async () => {
    await post();
    const { until, ack, frames } = await connect();
    const clicks = [slack.user(ana), slack.user(ben)].map((user) => user.click({ channel, action: 'a' }));
    await until(3);
    expect(frames.slice(1).map((one) => (one['payload'] as { user: { id: string } }).user.id)).toEqual([ana, ben]);
    ack(1);
    ack(2);
    expect(await Promise.all(clicks.map((one) => one.settled))).toMatchObject([{ kind: 'acked' }, { kind: 'acked' }]);
  });

  test('a click with no connection, or on one that breaks, is lost and not tried again', async () => {
    await post();
    const click = () => slack.user(ana).click({ channel, action: 'a' });
    expect(await click().settled).toEqual({ kind: 'unacked', reason: 'no_connection' });
    const { until } = await connect();
    const second = click();
    await until(2);
    slack.sockets.kill();
    expect(await second.settled).toEqual({ kind: 'unacked', reason: 'connection_lost' });
    const { frames } = await connect();
    await slack.clock.advance(400_000);
    expect(frames).toHaveLength(1);
    expect(slack.screen(ana, channel).messages[0]?.warnings).toMatchObject([{ reason: 'connection_lost' }]);
  });

  test('a half-open connection swallows what it is sent', async () => {
    await post();
    const { frames } = await connect();
    slack.sockets.blackhole();
    const click = slack.user(ana).click({ channel, action: 'a' });
    await slack.clock.advance(3000);
    expect(await click.settled).toEqual({ kind: 'unacked', reason: 'timeout' });
    expect(frames).toHaveLength(1);
    expect(slack.sockets.tcp).toBe(1);
  });

  test('an event is tried again at once, after a minute and after five until it is acknowledged', async () => {
    const { frames, until, ack } = await connect();
    const event = slack.user(ana).openHome();
    await until(2);
    await slack.clock.advance(3000);
    await slack.clock.advance(1);
    await until(3);
    await slack.clock.advance(3000);
    await slack.clock.advance(59_000);
    expect(frames).toHaveLength(3);
    await slack.clock.advance(1000);
    await until(4);
    ack(3);
    expect((await event.settled).kind).toBe('acked');
    await slack.clock.advance(600_000);
    const seen = frames
      .slice(1)
      .map((one) => ({ n: one['retry_attempt'], id: (one['payload'] as { event_id: string }).event_id }));
    expect(seen.map((one) => one.n)).toEqual([0, 1, 2]);
    expect(new Set(seen.map((one) => one.id)).size).toBe(1);
  });

  test('splits, duplicates, latency and reordering happen to envelopes', async () => {
    const ts = await post();
    const { frames, until } = await connect();
    const send = (actionId: string) => slack.deliver.action({ user: ana, channel, ts, actionId });
    const ids = () =>
      frames.slice(1).map((one) => (one['payload'] as { actions: { action_id: string }[] }).actions[0]?.action_id);
    slack.faults.socket({ kind: 'split' });
    slack.faults.socket({ kind: 'reorder' });
    send('first');
    send('ü second');
    await until(3);
    slack.faults.socket({ kind: 'duplicate' });
    const twice = send('twice');
    await until(5);
    slack.faults.socket({ kind: 'latency', ms: 30 });
    send('late');
    slack.deliver.again(twice);
    await until(7);
    expect(ids()).toEqual(['ü second', 'first', 'twice', 'twice', 'twice', 'late']);
    expect(new Set(frames.slice(3, 6).map((one) => one['envelope_id'])).size).toBe(1);
  });
});

describe('acks', () => {
  test('a button takes an empty ack only', async () => {
    await post();
    const { until, ack } = await connect();
    slack.user(ana).click({ channel, action: 'a' });
    await until(2);
    const acked = slack.next('ack');
    ack(1, { text: 'hello' });
    await acked;
    expect(slack.takeViolations()).toMatchObject([
      { method: 'ack:block_actions', pointer: '/payload/text', rule: 'bad_ack' },
    ]);
  });

  test('unknown envelopes, foreign connections and strange frames are violations', async () => {
    await post();
    const both = [await connect(), await connect()];
    const click = slack.user(ana).click({ channel, action: 'a' });
    await Promise.race(both.map((one) => one.until(2)));
    const other = both.find((one) => one.frames.length === 1);
    const seen = slack.next('violation', (one) => one.message.includes('unknown members'));
    other?.socket.send(JSON.stringify({ envelope_id: click.envelopeId, payload: {} }));
    other?.socket.send(JSON.stringify({ envelope_id: 'nobody' }));
    other?.socket.send('half a fra');
    other?.socket.send(JSON.stringify({ envelope_id: click.envelopeId, body: {} }));
    await seen;
    const rules = slack.takeViolations().map((one) => one.rule);
    expect(rules).toEqual(['ack_elsewhere', 'ack_unknown_envelope', 'ack_frame', 'ack_frame']);
  });

  test('disconnect frames carry their reason, and a warning does not close', async () => {
    const { frames, until, socket } = await connect();
    slack.sockets.disconnect('warning');
    await until(2);
    expect(frames[1]).toMatchObject({ type: 'disconnect', reason: 'warning' });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    slack.sockets.disconnect('link_disabled');
    await closed;
    expect(frames[2]).toMatchObject({ reason: 'link_disabled' });
  });

  test('a refresh comes after the connection time', async () => {
    const { frames, until } = await connect();
    await slack.clock.advance(18_060_000);
    await until(2);
    expect(frames[1]).toMatchObject({ type: 'disconnect', reason: 'refresh_requested' });
  });
});
