import { describe, expect, test } from 'vitest';
import { HandraiseError } from '../../../../src/core/errors.ts';
import type { Card, QuestionsCard } from '../../../../src/core/ports/surface-adapter.ts';
import type { ScreenMessage } from '../../../doubles/slack/index.ts';
import { ANA, batchOf, question } from '../../../support/requests.ts';
import { openStage, type Stage } from './stage.ts';

const database = batchOf(question('Which database?', ['Postgres', 'SQLite'], { header: 'Database' }));
const two = batchOf(question('Which database?', ['Postgres', 'SQLite']), question('Which queue?', ['Redis', 'None']));

const click = (stage: Stage, label: string, user = stage.ana) =>
  stage.slack.user(user).click({ channel: stage.channel, label });
const notice = (stage: Stage, user = stage.ana): Promise<ScreenMessage> =>
  stage.slack.until(user, stage.channel, (screen) => screen.messages.find((message) => message.ephemeral));
const words = (message: ScreenMessage): string => JSON.stringify(message.blocks);

describe('a click', () => {
  test.each(['SQLite', 'Other…'])('on "%s" names the card it was made on', async (label) => {
    const stage = await openStage();
    const card = await stage.post(database);
    click(stage, label);
    await expect.poll(() => stage.host.touches.map((touch) => touch.card)).toEqual([card]);
  });

  test('that loses is told so in private, where the card was clicked', async () => {
    const stage = await openStage();
    await stage.post(database);
    stage.host.reply = 'Already answered by Ben <!channel> 3 s ago.';
    click(stage, 'SQLite');
    const told = await notice(stage);
    expect(told.notification).toBe('Already answered by Ben <!channel> 3 s ago.');
    expect(told.threadTs).toBeUndefined();
    expect(stage.slack.screen(stage.ben, stage.channel).messages.some((message) => message.ephemeral)).toBe(false);
    expect(stage.slack.mentions).toEqual([]);
  });

  test('on a request that is over is refused before anything is decided', async () => {
    const stage = await openStage();
    await stage.post(database);
    stage.host.cards.clear();
    click(stage, 'SQLite');
    expect((await notice(stage)).notification).toBe('Already answered by Ben 3 s ago.');
    expect(stage.host.responses).toEqual([]);
  });

  test('that Slack delivers three times counts once', async () => {
    const stage = await openStage();
    await stage.post(database);
    const first = click(stage, 'SQLite');
    const again = [stage.slack.deliver.again(first), stage.slack.deliver.again(first)];
    const results = await Promise.all([first, ...again].map((one) => one.settled));
    expect(results.map((result) => result.kind)).toEqual(['acked', 'acked', 'acked']);
    await stage.adapter.stop(1_000);
    expect(stage.host.responses).toHaveLength(1);
  });

  test('twice in a row, and by two people at once, is that many interactions', async () => {
    const stage = await openStage();
    await stage.post(database);
    click(stage, 'SQLite');
    click(stage, 'SQLite');
    click(stage, 'Postgres', stage.ben);
    await stage.response(3);
    const ids = stage.host.responses.map((response) => response.interactionId);
    expect(new Set(ids).size).toBe(3);
    expect(stage.host.responses.map((response) => response.actor.userId).sort()).toEqual(
      [stage.ana, stage.ana, stage.ben].sort(),
    );
  });

  test('is answered to Slack before anybody is asked anything', async () => {
    const stage = await openStage();
    await stage.post(database);
    stage.host.gate = new Promise(() => undefined);
    stage.slack.faults.api('users.info', { kind: 'hang' });
    expect(await click(stage, 'SQLite').settled).toMatchObject({ kind: 'acked' });
  });

  test.each([
    ['handraise.o0', '9.request-1.o0', /older version of handraise/],
    ['handraise.o7', '1.request-1.o7', /older version of handraise/],
    ['approve_grant', 'x', /does not belong to a question of handraise/],
  ])('of an unknown kind (%s, %s) is acknowledged and explained', async (actionId, value, sentence) => {
    const stage = await openStage();
    const { message: ts } = await stage.post(database);
    const forged = stage.slack.deliver.action({ user: stage.ana, channel: stage.channel, ts, actionId, value });
    expect((await forged.settled).kind).toBe('acked');
    expect((await notice(stage)).notification).toMatch(sentence);
    expect(stage.host.responses).toEqual([]);
  });

  test('redraws its own card through its own address, below the rate limits', async () => {
    const stage = await openStage();
    const ref = await stage.post(database);
    click(stage, 'SQLite');
    const { redraw, decision, actor } = await stage.response();
    const recorded: Card = {
      view: (stage.host.cards.get('request-1') as QuestionsCard).view,
      state: { phase: 'recorded', decision, actor, at: Date.UTC(2026, 7, 3, 10) },
    };
    expect(await redraw?.(ref, recorded)).toBe(true);
    const card = stage.slack.screen(stage.ben, stage.channel).messages.find((message) => message.ts === ref.message);
    expect(card?.controls).toEqual([]);
    expect(words(card as ScreenMessage)).toContain('Recorded, waiting for the agent');
    expect(await redraw?.({ ...ref, message: '1700000000.000100' }, recorded)).toBe(false);
    for (let use = 0; use < 4; use += 1) expect(await redraw?.(ref, recorded)).toBe(true);
    expect(await redraw?.(ref, recorded)).toBe(false);
    expect(stage.slack.calls.filter((call) => call.method === 'chat.update')).toEqual([]);
  });

  test('is answered through chat.postEphemeral when its own address does not work', async () => {
    const stage = await openStage();
    await stage.post(database);
    stage.host.reply = 'Too late.';
    stage.slack.faults.api('response_url', { kind: 'status', status: 404 });
    click(stage, 'SQLite');
    expect((await notice(stage)).notification).toBe('Too late.');
    expect(stage.slack.calls.map((call) => call.method)).toContain('chat.postEphemeral');
  });

  test('that the gateway cannot handle is told, and may be repeated', async () => {
    const stage = await openStage();
    await stage.post(database);
    const broken = Promise.reject(new HandraiseError('the store is gone', { code: 'store' }));
    broken.catch(() => undefined);
    stage.host.gate = broken;
    const first = click(stage, 'SQLite');
    expect((await notice(stage)).notification).toMatch(/went wrong .* click again/);
    stage.host.gate = Promise.resolve();
    stage.slack.deliver.again(first);
    expect((await stage.response()).actor.userId).toBe(stage.ana);
  });
});

describe('who clicked', () => {
  test.each([
    ['guest', { is_restricted: true }],
    ['guest', { is_ultra_restricted: true, is_restricted: true }],
    ['stranger', { is_stranger: true }],
    ['bot', { is_bot: true }],
    ['deactivated', { deleted: true }],
  ] as const)('is known to be a %s', async (standing, flags) => {
    const stage = await openStage();
    const cleo = stage.slack.workspace.addUser({ name: 'cleo', ...flags }).id;
    stage.slack.workspace.join(stage.channel, cleo);
    const { message: ts } = await stage.post(database);
    stage.slack.deliver.action({
      user: cleo,
      channel: stage.channel,
      ts,
      actionId: 'handraise.o0',
      value: '1.request-1.o0',
    });
    expect((await stage.response()).actor).toMatchObject({ userId: cleo, standing });
  });

  test('is unverified when Slack does not say, and is asked again at the next click', async () => {
    const stage = await openStage();
    await stage.post(database);
    stage.slack.faults.api('users.info', { kind: 'error', error: 'internal_error' });
    click(stage, 'SQLite');
    expect((await stage.response()).actor.standing).toBe('unverified');
    click(stage, 'SQLite');
    expect((await stage.response(2)).actor.standing).toBe('member');
    click(stage, 'SQLite');
    await stage.response(3);
    expect(stage.slack.calls.filter((call) => call.method === 'users.info')).toHaveLength(2);
  });

  test('is a stranger when the payload names another team, whatever Slack says of the id', async () => {
    const stage = await openStage();
    const { message: ts } = await stage.post(database);
    stage.slack.deliver.action({
      user: stage.ana,
      channel: stage.channel,
      ts,
      actionId: 'handraise.o0',
      value: '1.request-1.o0',
      override: { user: { id: stage.ana, name: 'ana', team_id: 'TELSEWHERE' } },
    });
    expect((await stage.response()).actor.standing).toBe('stranger');
  });

  test.each([false, true])('is a member on Enterprise Grid (whole organisation: %s)', async (orgInstall) => {
    const stage = await openStage({ workspace: { grid: { name: 'Acme', orgInstall } } });
    await stage.post(database);
    expect(stage.adapter.workspaceId).toBe(stage.slack.workspace.enterpriseId);
    click(stage, 'SQLite');
    const { actor } = await stage.response();
    expect(actor).toMatchObject({ standing: 'member', workspaceId: stage.slack.workspace.enterpriseId });
    expect(actor.userId).toMatch(/^W/);
  });
});

describe('opening a form', () => {
  test('shows at once that it is on its way when the question is late, then fills it', async () => {
    const stage = await openStage();
    await stage.post(two);
    let release: () => void = () => undefined;
    stage.host.gate = new Promise((resolve) => {
      release = resolve;
    });
    const clicked = click(stage, 'Answer…');
    const loading = await stage.slack.until(stage.ana, stage.channel, (screen) => screen.modals[0]);
    expect(loading.submit).toBeUndefined();
    expect(JSON.stringify(loading.blocks)).toContain('One moment');
    expect((await clicked.settled).kind).toBe('acked');
    release();
    await stage.slack.until(stage.ana, stage.channel, (screen) => screen.modals[0]?.submit);
    stage.slack.user(stage.ana).select({ block: 'q0.pick' }, 'SQLite');
    stage.slack.user(stage.ana).submit();
    expect((await stage.response()).decision).toMatchObject({ sheet: [{ labels: ['SQLite'] }, { status: 'skipped' }] });
  });

  test('turns into the refusal when that is what the late look-up says', async () => {
    const stage = await openStage();
    await stage.post(two);
    let release: () => void = () => undefined;
    stage.host.gate = new Promise((resolve) => {
      release = resolve;
    });
    stage.host.cards.clear();
    click(stage, 'Answer…');
    await stage.slack.until(stage.ana, stage.channel, (screen) => screen.modals[0]);
    release();
    await stage.slack.until(stage.ana, stage.channel, (screen) =>
      JSON.stringify(screen.modals).includes('Already answered by Ben 3 s ago.'),
    );
  });

  test('is refused in private when the answer comes in time', async () => {
    const stage = await openStage();
    await stage.post(two);
    stage.host.cards.clear();
    click(stage, 'Answer…');
    expect((await notice(stage)).notification).toBe('Already answered by Ben 3 s ago.');
    expect(stage.slack.screen(stage.ana, stage.channel).modals).toEqual([]);
  });

  test('is not undone by closing the loading view', async () => {
    const stage = await openStage();
    await stage.post(two);
    let release: () => void = () => undefined;
    stage.host.gate = new Promise((resolve) => {
      release = resolve;
    });
    click(stage, 'Answer…');
    await stage.slack.until(stage.ana, stage.channel, (screen) => screen.modals[0]);
    stage.slack.user(stage.ana).closeModal();
    const updated = stage.slack.next('call', (call) => call.method === 'views.update');
    release();
    expect((await updated).error).toBe('not_found');
    await stage.adapter.stop(1_000);
    expect(stage.slack.screen(stage.ana, stage.channel).messages.some((message) => message.ephemeral)).toBe(false);
  });

  test.each([
    ['expired_trigger_id', { kind: 'error', error: 'expired_trigger_id' }],
    ['a rate limit', { kind: 'rate_limited', retryAfter: 30 }],
    ['a lost connection', { kind: 'drop' }],
  ] as const)('asks to click again after %s', async (_, fault) => {
    const stage = await openStage();
    await stage.post(two);
    stage.slack.faults.api('views.open', fault);
    click(stage, 'Answer…');
    expect((await notice(stage)).notification).toMatch(/Please click again/);
    click(stage, 'Answer…');
    await stage.slack.until(stage.ana, stage.channel, (screen) => screen.modals[0]);
  });

  test('is not delayed by a rate limit on posting', async () => {
    const stage = await openStage();
    await stage.post(two);
    stage.slack.faults.api('chat.postMessage', { kind: 'rate_limited', retryAfter: 30, times: 3 });
    const card = stage.host.cards.get('request-1') as QuestionsCard;
    const posting = stage.adapter.post(stage.place, '1700000000.000100', card);
    await expect(posting).rejects.toMatchObject({ platformCode: 'ratelimited', retryAfterMs: 30_000 });
    const again = stage.adapter.post(stage.place, '1700000000.000100', card);
    again.catch(() => undefined);
    const started = performance.now();
    click(stage, 'Answer…');
    await stage.slack.until(stage.ana, stage.channel, (screen) => screen.modals[0]);
    expect(performance.now() - started).toBeLessThan(1_000);
    await expect(again).rejects.toMatchObject({ platformCode: 'ratelimited' });
  });
});

describe('a submitted form', () => {
  const submitTyped = async (stage: Stage) => {
    click(stage, 'Other…');
    await stage.slack.until(stage.ana, stage.channel, (screen) => screen.modals[0]);
    stage.slack.user(stage.ana).type({ label: 'Your answer' }, 'Use *DuckDB*,\nbecause <it> is small');
    return stage.slack.user(stage.ana).submit();
  };

  test('that is refused afterwards gives back what was typed', async () => {
    const stage = await openStage();
    await stage.post(database);
    stage.host.reply = 'Already answered by Ben 1 s ago.';
    expect((await (await submitTyped(stage)).settled).kind).toBe('acked');
    const told = await notice(stage);
    expect(told.notification).toBe('Already answered by Ben 1 s ago.');
    expect(words(told)).toContain('Use *DuckDB*,\\nbecause <it> is small');
  });

  test('that comes when the request is over gives it back, too', async () => {
    const stage = await openStage();
    await stage.post(database);
    click(stage, 'Other…');
    await stage.slack.until(stage.ana, stage.channel, (screen) => screen.modals[0]);
    stage.host.cards.clear();
    stage.slack.user(stage.ana).type({ label: 'Your answer' }, 'DuckDB');
    stage.slack.user(stage.ana).submit();
    const told = await notice(stage);
    expect(words(told)).toContain('DuckDB');
    expect(stage.host.responses).toEqual([]);
  });

  test('redraws the card through the click that opened it', async () => {
    const stage = await openStage();
    const ref = await stage.post(database);
    await submitTyped(stage);
    const { redraw, decision } = await stage.response();
    const { view } = stage.host.cards.get('request-1') as QuestionsCard;
    const at = Date.UTC(2026, 7, 3, 10);
    expect(await redraw?.(ref, { view, state: { phase: 'recorded', decision, actor: ANA, at } })).toBe(true);
    expect(stage.slack.calls.filter((call) => call.method === 'chat.update')).toEqual([]);
  });

  test('whose acknowledgement was lost may be changed and sent again', async () => {
    const stage = await openStage();
    await stage.post(database);
    const first = await submitTyped(stage);
    await stage.response();
    stage.slack.deliver.again(first);
    const { payload } = first;
    const changed = JSON.parse(JSON.stringify(payload).replace('DuckDB', 'Redis')) as Record<string, unknown>;
    await stage.slack.deliver.envelope('interactive', changed).settled;
    const second = await stage.response(2);
    expect(second.decision).toMatchObject({ sheet: [{ other: expect.stringContaining('Redis') }] });
    expect(stage.host.responses).toHaveLength(2);
  });
});
