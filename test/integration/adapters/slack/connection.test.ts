import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Interaction, SlackDouble } from '../../../doubles/slack/index.ts';
import { fastClock } from '../../../support/fast-clock.ts';
import { batchOf, question } from '../../../support/requests.ts';
import { openStage, type Stage } from './stage.ts';

const database = batchOf(question('Which database?', ['Postgres', 'SQLite']));
/** Two connections at once, waits twenty times as short, and a Slack that does not count calls. */
const lively = { secondConnectionAfterMs: 0, rateLimits: false, adapterClock: fastClock(20) } as const;

const rejections: unknown[] = [];
const note = (reason: unknown) => rejections.push(reason);
beforeEach(() => {
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
  expect(rejections.splice(0)).toEqual([]);
});

/** Presses the first option once every few milliseconds until `stop`, as someone whose screen is old. */
function pressing(stage: Stage, ts: string): { stop: () => Promise<Record<string, number>>; count: () => number } {
  const pressed: Interaction[] = [];
  const timer = setInterval(() => {
    pressed.push(
      stage.slack.deliver.action({
        user: stage.ana,
        channel: stage.channel,
        ts,
        actionId: 'handraise.o0',
        value: '1.request-1.o0',
      }),
    );
  }, 5);
  return {
    count: () => pressed.length,
    async stop() {
      clearInterval(timer);
      const results = await Promise.all(pressed.map((one) => one.settled));
      const counts: Record<string, number> = {};
      for (const result of results) {
        const key = result.kind === 'unacked' ? result.reason : result.kind;
        counts[key] = (counts[key] ?? 0) + 1;
      }
      return counts;
    },
  };
}

/** Greeted connections, once there are that many. */
async function greeted(slack: SlackDouble, count: number): Promise<void> {
  while (slack.sockets.open.filter((one) => one.greeted).length < count) {
    await slack.next('socket', (change) => change.state === 'open');
  }
}

describe('when Slack refreshes connections', () => {
  test('twenty times in a row under load, no click is lost and no rejection is left alone', async () => {
    const stage = await openStage(lively);
    const { message } = await stage.post(database);
    await greeted(stage.slack, 2);
    const load = pressing(stage, message);
    let refreshed = 0;
    const off = stage.slack.on('socket', ({ state }) => {
      if (state === 'closed') refreshed += 1;
    });
    const stop = stage.slack.sockets.rollingRefresh(250);
    while (refreshed < 20) await stage.slack.next('socket', (change) => change.state === 'closed', 20_000);
    stop();
    off();
    const sent = load.count();
    const counts = await load.stop();
    expect(sent).toBeGreaterThan(200);
    // What Slack writes in the very moment it closes cannot be acknowledged any more: at most one in two hundred.
    const { acked = 0, connection_lost: lost = 0, ...others } = counts;
    expect(others).toEqual({});
    expect(lost).toBeLessThanOrEqual(sent / 200);
    expect(stage.host.responses.length).toBeGreaterThanOrEqual(acked);
    expect(stage.adapter.health().connected).toBe(true);
    expect(stage.slack.sockets.tcp).toBeLessThanOrEqual(8);
  });

  test('opens the replacement of the only connection before it closes', async () => {
    const stage = await openStage({ rateLimits: false, adapterClock: fastClock(5) });
    const { message } = await stage.post(database);
    const load = pressing(stage, message);
    stage.slack.sockets.disconnect('refresh_requested');
    await stage.slack.next('socket', (change) => change.state === 'closed');
    expect(Object.keys(await load.stop())).toEqual(['acked']);
    expect(stage.slack.sockets.open).toHaveLength(1);
  });

  test('heeds a mere warning, too', async () => {
    const stage = await openStage(lively);
    await greeted(stage.slack, 2);
    const [old] = stage.slack.sockets.open;
    stage.slack.sockets.disconnect('warning', { id: old?.id ?? '' });
    await stage.slack.next('socket', (change) => change.state === 'open');
    const closed = await stage.slack.next('socket', (change) => change.state === 'closed');
    expect(closed.connection).toBe(old?.id);
  });
});

describe('when connections cannot be opened again', () => {
  test('recovers after five server errors and a refused token, in all that time without a crash', async () => {
    const stage = await openStage({ rateLimits: false, adapterClock: fastClock(20) });
    stage.slack.faults.api('apps.connections.open', { kind: 'status', status: 500, times: 3 });
    stage.slack.faults.api('apps.connections.open', { kind: 'drop', times: 2 });
    stage.slack.faults.api('apps.connections.open', { kind: 'error', error: 'invalid_auth' });
    stage.slack.sockets.kill();
    await stage.slack.next('call', (call) => call.error === 'invalid_auth', 20_000);
    await stage.slack.next('socket', (change) => change.state === 'open', 20_000);
    await stage.post(database);
    stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'SQLite' });
    await stage.response();
    expect(stage.adapter.health()).toMatchObject({ connected: true, detail: 'connected to Slack' });
  });

  test('says so, with the cure, and goes on trying', async () => {
    const stage = await openStage({ rateLimits: false, adapterClock: fastClock(20) });
    stage.slack.workspace.breakToken('app', 'invalid_auth');
    stage.slack.sockets.kill();
    await stage.slack.next('call', (call) => call.error === 'invalid_auth');
    await stage.slack.next('call', (call) => call.error === 'invalid_auth');
    const { connected, detail } = stage.adapter.health();
    expect(connected).toBe(false);
    expect(detail).toMatch(/invalid_auth.*SLACK_APP_TOKEN/);
    stage.slack.workspace.breakToken('app', null);
    await stage.slack.next('socket', (change) => change.state === 'open', 20_000);
  });

  test('waits as long as Slack asks', async () => {
    const clock = fastClock(20);
    const stage = await openStage({ rateLimits: false, adapterClock: clock });
    stage.slack.faults.api('apps.connections.open', { kind: 'rate_limited', retryAfter: 20 });
    stage.slack.sockets.kill();
    await stage.slack.next('call', (call) => call.method === 'apps.connections.open');
    const told = clock.now();
    await stage.slack.next('socket', (change) => change.state === 'open');
    expect(clock.now() - told).toBeGreaterThanOrEqual(19_500);
  });

  test.each([401, 408, 409] as const)('does not run against upgrades refused with %i', async (status) => {
    const clock = fastClock(20);
    const stage = await openStage({ rateLimits: false, adapterClock: clock });
    stage.slack.faults.socket({ kind: 'refuse', status, times: 4 });
    const before = stage.slack.calls.filter((call) => call.method === 'apps.connections.open').length;
    const started = clock.now();
    stage.slack.sockets.kill();
    await stage.slack.next('socket', (change) => change.state === 'open', 20_000);
    const opens = stage.slack.calls.filter((call) => call.method === 'apps.connections.open').length - before;
    // The WebSocket client tries a 401 twice by itself.
    expect(opens).toBe(status === 401 ? 3 : 5);
    expect(clock.now() - started).toBeGreaterThan(1_000 * (opens - 1));
  });

  test('gives up on a connection that is never greeted', async () => {
    const stage = await openStage({ rateLimits: false, adapterClock: fastClock(20) });
    stage.slack.faults.socket({ kind: 'no_hello' });
    stage.slack.sockets.kill();
    await stage.slack.next('socket', (change) => change.state === 'open');
    await stage.slack.next('socket', (change) => change.state === 'open', 20_000);
    await greeted(stage.slack, 1);
    expect(stage.slack.sockets.tcp).toBeLessThanOrEqual(2);
  });
});

describe('when a connection goes silent', () => {
  test('notices and opens another one', async () => {
    const stage = await openStage({ rateLimits: false, sockets: { pingEveryMs: 500 } });
    const [old] = stage.slack.sockets.open;
    stage.slack.sockets.blackhole();
    await stage.slack.next('socket', (change) => change.state === 'open', 20_000);
    // The other side of a dead line: it would still be sent clicks.
    stage.slack.sockets.kill(old?.id ?? '');
    await stage.post(database);
    stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'SQLite' });
    await stage.response();
  });
});

describe('starting', () => {
  test('opens the second connection when it is told to', async () => {
    const stage = await openStage({ rateLimits: false, secondConnectionAfterMs: 10_000, adapterClock: fastClock(50) });
    expect(stage.slack.sockets.open).toHaveLength(1);
    await greeted(stage.slack, 2);
  });

  test.each([
    ['bot', 'invalid_auth', /SLACK_BOT_TOKEN/],
    ['bot', 'account_inactive', /install it again/],
    ['app', 'invalid_auth', /SLACK_APP_TOKEN/],
  ] as const)('with a %s token that is %s is refused with the cure', async (kind, code, cure) => {
    const stage = await openStage({ start: false });
    stage.slack.workspace.breakToken(kind, code);
    await expect(stage.adapter.start(stage.host)).rejects.toMatchObject({
      code: 'surface',
      platformCode: code,
      hint: expect.stringMatching(cure),
    });
    expect(stage.slack.sockets.open).toEqual([]);
  });

  test('without a scope that everything needs names the scope', async () => {
    const stage = await openStage({ start: false, scopes: ['chat:write', 'channels:history'] });
    await expect(stage.adapter.start(stage.host)).rejects.toMatchObject({
      platformCode: 'missing_scope',
      hint: expect.stringContaining('users:read'),
    });
  });

  test('survives a Slack that fails twice, and gives up on one that never answers', async () => {
    const stage = await openStage({ start: false, rateLimits: false, adapterClock: fastClock(20) });
    stage.slack.faults.api('apps.connections.open', { kind: 'status', status: 503, times: 2 });
    await stage.adapter.start(stage.host);
    const other = await openStage({ start: false, rateLimits: false, adapterClock: fastClock(20) });
    other.slack.faults.api('apps.connections.open', { kind: 'status', status: 503, times: 1_000 });
    await expect(other.adapter.start(other.host)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('stopping', () => {
  test('waits for a click that is being handled, then closes everything', async () => {
    const stage = await openStage(lively);
    await stage.post(database);
    await greeted(stage.slack, 2);
    let release: () => void = () => undefined;
    stage.host.gate = new Promise((resolve) => {
      release = resolve;
    });
    await stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'SQLite' }).settled;
    const stopped = stage.adapter.stop(60_000);
    release();
    await stopped;
    expect(stage.host.responses).toHaveLength(1);
    while (stage.slack.sockets.open.length > 0) {
      await stage.slack.next('socket', (change) => change.state === 'closed');
    }
  });

  test('does not wait longer than it may', async () => {
    const stage = await openStage();
    await stage.post(database);
    stage.host.gate = new Promise(() => undefined);
    await stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'SQLite' }).settled;
    const started = performance.now();
    await stage.adapter.stop(200);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('works while a connection is being opened, and while Slack does not answer its goodbye', async () => {
    const stage = await openStage(lively);
    await greeted(stage.slack, 2);
    stage.slack.faults.api('apps.connections.open', { kind: 'delay', ms: 300, times: 2 });
    const asked = stage.slack.sockets.open.length;
    expect(asked).toBe(2);
    stage.slack.sockets.blackhole(stage.slack.sockets.open[0]?.id ?? '');
    stage.slack.sockets.kill(stage.slack.sockets.open[1]?.id ?? '');
    await stage.slack.next('socket', (change) => change.state === 'closed');
    await stage.adapter.stop(100);
    expect(stage.adapter.health().connected).toBe(false);
  });

  test('loses an acknowledgement without losing the click', async () => {
    const stage = await openStage({ rateLimits: false, adapterClock: fastClock(20) });
    const { message } = await stage.post(database);
    const off = stage.slack.on('frame', ({ connection }) => stage.slack.sockets.kill(connection));
    const clicked = stage.slack.deliver.action({
      user: stage.ana,
      channel: stage.channel,
      ts: message,
      actionId: 'handraise.o0',
      value: '1.request-1.o0',
    });
    off();
    expect(await clicked.settled).toEqual({ kind: 'unacked', reason: 'connection_lost' });
    expect((await stage.response()).decision).toMatchObject({ sheet: [{ labels: ['Postgres'] }] });
  });
});
