import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import { createClock } from '../../../doubles/discord/index.ts';
import { fastClock } from '../../../support/fast-clock.ts';
import { batchOf, question } from '../../../support/requests.ts';
import { openStage, type Stage } from './stage.ts';

const database = batchOf(question('Which database?', ['Postgres', 'SQLite']));

const rejections: unknown[] = [];
const note = (reason: unknown) => rejections.push(reason);
beforeEach(() => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  expect(rejections.splice(0)).toEqual([]);
});

const connected = (stage: Stage, state: boolean) =>
  expect.poll(() => stage.adapter.health().connected, { timeout: 20_000 }).toBe(state);

const clickArrives = async (stage: Stage, thread: string, count = 1) => {
  const result = await stage.discord.user(stage.ana).click({ channel: thread, label: 'SQLite' }).settled;
  expect(result).toMatchObject({ kind: 'acked', type: 6 });
  expect((await stage.response(count)).decision).toMatchObject({ sheet: [{ labels: ['SQLite'] }] });
};

describe('the connection', () => {
  test.each([
    ['told to reconnect (op 7)', (stage: Stage) => stage.discord.sockets.reconnect()],
    ['invalidated for good (op 9)', (stage: Stage) => stage.discord.sockets.invalidate(false)],
    ['invalidated and resumable (op 9)', (stage: Stage) => stage.discord.sockets.invalidate(true)],
    ['cut', (stage: Stage) => stage.discord.sockets.kill()],
    ['timed out (4009)', (stage: Stage) => stage.discord.sockets.close(4009)],
    ['closed with an error (4000)', (stage: Stage) => stage.discord.sockets.close(4000)],
  ])('that is %s comes back, and clicks arrive again', async (_, disturb) => {
    const stage = await openStage();
    const { thread } = await stage.post(database);
    const back = stage.discord.next('ready', () => true, 20_000);
    disturb(stage);
    await back;
    await connected(stage, true);
    await clickArrives(stage, thread);
  });

  test('is red while the gateway is down, and green again with it', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(database);
    await stage.discord.sockets.down();
    await connected(stage, false);
    expect(stage.adapter.health().detail).not.toContain('connected to Discord');
    await stage.adapter.checkPlace(stage.place);
    await stage.discord.sockets.up();
    await connected(stage, true);
    await clickArrives(stage, thread);
  });

  test('that Discord refuses (4004) is red and says the cure; another client takes over when the token works again', async () => {
    const stage = await openStage({ adapterClock: fastClock(60) });
    const { thread } = await stage.post(database);
    stage.discord.breakToken(true);
    stage.discord.sockets.close(4004);
    await connected(stage, false);
    expect(stage.adapter.health().detail).toMatch(/Copy the bot token again/);
    stage.discord.breakToken(false);
    const back = stage.discord.next('ready', () => true, 20_000);
    await stage.adapter.checkPlace(stage.place);
    await back;
    await connected(stage, true);
    await stage.adapter.checkPlace(stage.place);
    await clickArrives(stage, thread);
  }, 90_000);

  test('of a client that does not come back by itself is replaced', async () => {
    const stage = await openStage({ adapterClock: fastClock(20) });
    const { thread } = await stage.post(database);
    const silent = stage.discord.faults.socket({ kind: 'no_hello', times: 1 });
    stage.discord.sockets.kill();
    await connected(stage, false);
    const back = stage.discord.next('ready', () => true, 20_000);
    await back;
    expect(silent.hits).toBe(1);
    await connected(stage, true);
    await stage.adapter.checkPlace(stage.place);
    await clickArrives(stage, thread);
  }, 90_000);

  test('resumes its session, so that a click it missed arrives all the same', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(database);
    const { identifies } = stage.discord.sockets;
    stage.discord.faults.socket({ kind: 'withhold', event: 'INTERACTION_CREATE' });
    const click = stage.discord.user(stage.ana).click({ channel: thread, label: 'SQLite' });
    stage.discord.sockets.kill();
    // Whether Discord has given up on it by then (10062) or not, what was chosen counts.
    await click.settled;
    expect((await stage.response()).decision).toMatchObject({ sheet: [{ labels: ['SQLite'] }] });
    expect(stage.discord.sockets.identifies).toBe(identifies);
  });

  test('is refused at the start while too few connects are left of the day', async () => {
    const stage = await openStage({ start: false, connectsLeftToOthers: 50, sockets: { identifiesUsed: 951 } });
    await expect(stage.adapter.start(stage.host)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Discord lets this bot connect only 49 more times today.',
    });
    expect(stage.discord.sockets.identifies).toBe(0);
  });

  test('starts while its guild is unavailable: cards are posted by REST, and clicks arrive once it is back', async () => {
    const stage = await openStage({ start: false });
    stage.discord.guild.setUnavailable(true);
    await stage.adapter.start(stage.host);
    expect(stage.adapter.health().connected).toBe(true);
    const { thread } = await stage.post(database);
    stage.discord.guild.setUnavailable(false);
    await clickArrives(stage, thread);
  });

  test('answers more clicks in a second than discord.js lets other calls through', async () => {
    const stage = await openStage({ clock: createClock({ flow: false }), rateLimits: false });
    const { thread } = await stage.post(database);
    const clicks = Array.from({ length: 80 }, () =>
      stage.discord.user(stage.ana).click({ channel: thread, label: 'SQLite' }),
    );
    const results = await Promise.all(clicks.map(({ settled }) => settled));
    expect(results.map(({ kind }) => kind)).toEqual(clicks.map(() => 'acked'));
  });

  test('that is limited everywhere (429, global) still answers clicks at once', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(database);
    stage.discord.faults.api('get_channel', { kind: 'rate_limited', retryAfter: 60, scope: 'global' });
    await expect(stage.adapter.checkPlace(stage.place)).rejects.toMatchObject({ platformCode: 'ratelimited_globally' });
    await clickArrives(stage, thread);
  });

  test('with a refused token says so at the start', async () => {
    const stage = await openStage({ start: false });
    stage.discord.breakToken(true);
    await expect(stage.adapter.start(stage.host)).rejects.toMatchObject({
      permanent: true,
      message: 'Discord refuses the bot token',
    });
  });
});

describe('an interaction', () => {
  test('that comes again is not answered twice', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(database);
    const click = stage.discord.user(stage.ana).click({ channel: thread, label: 'SQLite' });
    await click.settled;
    await stage.response();
    stage.discord.deliver.again(click);
    await clickArrives(stage, thread, 2);
    expect(stage.host.responses).toHaveLength(2);
    expect(stage.discord.screen(stage.ana, thread).messages.filter((message) => message.ephemeral)).toEqual([]);
  });

  test.each([
    ['right', 0],
    ['5 s ahead', 5_000],
    ['5 s behind', -5_000],
    ['an hour ahead', 3_600_000],
  ])(
    'that is older than 15 s by Discord’s clock changes nothing, and a fresh one counts: our clock is %s',
    async (_, off) => {
      const adapterClock = { ...systemClock, now: () => systemClock.now() + off };
      const stage = await openStage({ adapterClock });
      const { thread } = await stage.post(database);
      stage.discord.faults.socket({ kind: 'withhold', event: 'INTERACTION_CREATE' });
      const click = stage.discord.user(stage.ana).click({ channel: thread, label: 'SQLite' });
      await stage.discord.clock.advance(16_000);
      await click.settled;
      // The answer to this call tells what time Discord has.
      await stage.adapter.checkPlace(stage.place);
      stage.discord.sockets.kill();
      await expect
        .poll(() => stage.log.lines.map(({ message }) => message), { timeout: 20_000 })
        .toContain('an interaction came so late that it changes nothing');
      expect(stage.host.responses).toEqual([]);
      await connected(stage, true);
      await clickArrives(stage, thread);
    },
  );

  test('that Discord knows no more (10062) decides all the same, and its card is drawn by the channel', async () => {
    const stage = await openStage();
    const ref = await stage.post(database);
    stage.discord.faults.api('create_interaction_response', { kind: 'error', code: 10062 });
    stage.discord.user(stage.ana).click({ channel: ref.thread, label: 'SQLite' });
    const { redraw, decision } = await stage.response();
    expect(decision).toMatchObject({ sheet: [{ labels: ['SQLite'] }] });
    const card = stage.host.cards.get('request-1');
    if (card === undefined) throw new Error('no card');
    expect(await redraw?.(ref, card)).toBe(false);
  });

  test('wants a form whose content is late: the person is told in private to click again', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(database);
    let open: () => void = () => undefined;
    stage.host.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const result = await stage.discord.user(stage.ana).click({ channel: thread, label: 'Other…' }).settled;
    expect(result).toMatchObject({ kind: 'acked', type: 4 });
    open();
    const told = await stage.discord.until(stage.ana, thread, (screen) =>
      screen.messages.find((message) => message.ephemeral),
    );
    expect(told.notification).toContain('Please click again');
  });

  test('of a stranger’s button is answered, and of a direct message refused by its standing', async () => {
    const stage = await openStage();
    const { thread, message } = await stage.post(database);
    stage.discord.deliver.action({ user: stage.ana, channel: thread, message, customId: 'other.bot' });
    await stage.discord.until(stage.ana, thread, (screen) => screen.messages.some((one) => one.ephemeral));
    stage.discord.deliver.action({
      user: stage.ana,
      channel: thread,
      message,
      customId: 'handraise.1.request-1.o0',
      override: { guild_id: undefined, member: undefined, user: { id: stage.ana, username: 'ana' } },
    });
    expect((await stage.response()).actor).toMatchObject({ userId: stage.ana, standing: 'stranger' });
  });
});
