import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../src/core/outcomes.ts';
import type { Card } from '../../../../src/core/ports/surface-adapter.ts';
import type { ScreenMessage } from '../../../doubles/slack/index.ts';
import { openCard } from '../../../support/recording-host.ts';
import { ANA, batchOf, question, SESSION } from '../../../support/requests.ts';
import { openStage, type Stage } from './stage.ts';

const database = batchOf(question('Which database?', ['Postgres', 'SQLite'], { header: 'Database' }));
const at = Date.UTC(2026, 7, 3, 10);

const messages = (stage: Stage): readonly ScreenMessage[] => stage.slack.screen(stage.ana, stage.channel).messages;
const ended = (card: Card, outcome: Outcome): Card => ({ ...card, state: { phase: 'ended', outcome, actor: ANA, at } });

describe('posting', () => {
  test('says when Slack wants a pause', async () => {
    const stage = await openStage();
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    stage.slack.faults.api('chat.postMessage', { kind: 'rate_limited', retryAfter: 7 });
    await expect(stage.adapter.post(stage.place, thread, openCard(database))).rejects.toMatchObject({
      platformCode: 'ratelimited',
      retryAfterMs: 7_000,
      ambiguous: false,
    });
    expect(stage.slack.calls.filter((call) => call.method === 'chat.postMessage')).toHaveLength(2);
  });

  test.each([
    ['its reply is lost', { kind: 'apply_then_drop' }],
    ['a gateway fails behind it', { kind: 'apply_then_status', status: 502 }],
  ] as const)('is tried once when %s, and the card can be found', async (_, fault) => {
    const stage = await openStage();
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    stage.slack.faults.api('chat.postMessage', fault);
    const posting = stage.adapter.post(stage.place, thread, openCard(database));
    await expect(posting).rejects.toMatchObject({ ambiguous: true, permanent: false });
    const found = await stage.adapter.findCard(stage.place, thread, 'request-1');
    expect(found).toMatchObject({ channel: stage.channel, thread });
    expect(found?.message).toBe(messages(stage).find((message) => message.broadcast)?.ts);
    expect(await stage.adapter.findCard(stage.place, undefined, 'request-1')).toEqual(found);
    expect(messages(stage).filter((message) => message.broadcast)).toHaveLength(1);
  });

  test('that never answers ends in time, and is found not to have happened', async () => {
    const stage = await openStage();
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    stage.slack.faults.api('chat.postMessage', { kind: 'hang' });
    const started = performance.now();
    const posting = stage.adapter.post(stage.place, thread, openCard(database));
    await expect(posting).rejects.toMatchObject({ platformCode: 'timeout', ambiguous: true });
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(await stage.adapter.findCard(stage.place, thread, 'request-1')).toBeUndefined();
  });

  test('to a thread that was opened with a lost reply finds the thread', async () => {
    const stage = await openStage();
    stage.slack.faults.api('chat.postMessage', { kind: 'apply_then_drop' });
    await expect(stage.adapter.openThread(stage.place, SESSION)).rejects.toMatchObject({ ambiguous: true });
    expect(await stage.adapter.findThread(stage.place, SESSION.sessionId)).toBe(messages(stage)[0]?.ts);
    expect(await stage.adapter.findThread(stage.place, 'session-2')).toBeUndefined();
  });

  test('never sends what could ping, link or unfurl', async () => {
    const stage = await openStage();
    await stage.post(
      batchOf({ ...question('<!channel> https://evil.example', ['<@U1>', '@here']), header: '<!here>' }),
    );
    expect(stage.slack.mentions).toEqual([]);
    for (const { args } of stage.slack.calls.filter((call) => call.method === 'chat.postMessage')) {
      expect(args).toMatchObject({ parse: 'none', link_names: 'false', unfurl_links: 'false', unfurl_media: 'false' });
    }
  });
});

describe('a card', () => {
  test('is updated in place, also twice the same', async () => {
    const stage = await openStage();
    const ref = await stage.post(database);
    const settled = ended(openCard(database), {
      kind: 'answered',
      sheet: [{ status: 'answered', labels: ['SQLite'], notes: 'small <it> is' }],
    });
    await stage.adapter.update(ref, settled);
    const drawn = () => messages(stage).find((message) => message.ts === ref.message);
    expect(drawn()?.controls).toEqual([]);
    expect(drawn()?.notification).toBe('[answered by Ana] Database: Which database? in api (main)');
    expect(JSON.stringify(drawn()?.blocks)).toContain('small <it> is');
    const before = JSON.stringify(drawn()?.blocks);
    await stage.adapter.update(ref, settled);
    expect(JSON.stringify(drawn()?.blocks.map(({ blockId: _, ...block }) => block))).toBe(
      JSON.stringify((JSON.parse(before) as { blockId: string }[]).map(({ blockId: _, ...block }) => block)),
    );
    expect(await stage.adapter.findCard(stage.place, ref.thread, 'request-1')).toEqual(ref);
  });

  test('of a run nobody remembers is retired', async () => {
    const stage = await openStage();
    const ref = await stage.post(database);
    await stage.adapter.retire(ref, { kind: 'owner_lost' });
    const drawn = messages(stage).find((message) => message.ts === ref.message);
    expect(drawn?.controls).toEqual([]);
    expect(drawn?.notification).toBe('[agent gone] a question of an earlier run');
  });

  test('of a run nobody remembers needs no retiring once somebody deleted it', async () => {
    const stage = await openStage();
    const ref = await stage.post(database);
    const gone = { ...ref, message: '1700000000.000100' };
    await expect(stage.adapter.retire(gone, { kind: 'owner_lost' })).resolves.toBeUndefined();
  });

  test('that was deleted cannot be updated, and says so', async () => {
    const stage = await openStage();
    const ref = await stage.post(database);
    await expect(
      stage.adapter.update({ ...ref, message: '1700000000.000100' }, openCard(database)),
    ).rejects.toMatchObject({ platformCode: 'message_not_found', permanent: true });
  });

  test('of another app with our metadata on it is not taken for ours', async () => {
    const stage = await openStage();
    const metadata = { event_type: 'handraise_card', event_payload: { request_id: 'request-2', v: 1 } };
    const forged = { type: 'message', ts: '1700000000.000100', bot_id: 'BOTHER', text: '', metadata };
    stage.slack.faults.api('conversations.history', {
      kind: 'status',
      status: 200,
      body: JSON.stringify({ ok: true, messages: [forged], has_more: false }),
    });
    expect(await stage.adapter.findCard(stage.place, undefined, 'request-2')).toBeUndefined();
  });
});

describe('a place', () => {
  test('where the app is a member is fine', async () => {
    const stage = await openStage();
    await expect(stage.adapter.checkPlace(stage.place)).resolves.toBeUndefined();
  });

  test('that the app was not invited to says how to invite it', async () => {
    const stage = await openStage();
    const channel = stage.slack.workspace.addChannel({ name: 'other', botIsMember: false }).id;
    await expect(stage.adapter.checkPlace({ platform: 'slack', channel })).rejects.toMatchObject({
      platformCode: 'not_in_channel',
      permanent: true,
      hint: expect.stringContaining('/invite @handraise'),
    });
  });

  test('that is private and unknown, or does not exist, says so', async () => {
    const stage = await openStage();
    const hidden = stage.slack.workspace.addChannel({ name: 'hidden', is_private: true, botIsMember: false }).id;
    for (const channel of [hidden, 'C0000000000']) {
      await expect(stage.adapter.checkPlace({ platform: 'slack', channel })).rejects.toMatchObject({
        platformCode: 'channel_not_found',
        permanent: true,
        hint: expect.stringMatching(/channel id.*\/invite/),
      });
    }
  });

  test('whose history the token may not read names the scope', async () => {
    const stage = await openStage({ scopes: ['chat:write', 'users:read'] });
    await expect(stage.adapter.checkPlace(stage.place)).rejects.toMatchObject({
      platformCode: 'missing_scope',
      hint: expect.stringContaining('channels:history'),
    });
  });

  test('that was archived meanwhile is a permanent failure of the post', async () => {
    const stage = await openStage();
    const ref = await stage.post(database);
    const channel = stage.slack.workspace.addChannel({ name: 'old' });
    channel.is_archived = true;
    await expect(
      stage.adapter.post({ platform: 'slack', channel: channel.id }, ref.thread, openCard(database)),
    ).rejects.toMatchObject({ platformCode: 'is_archived', permanent: true });
  });
});

test('a bot token that is refused later turns health red and back', async () => {
  const stage = await openStage();
  const ref = await stage.post(database);
  stage.slack.workspace.breakToken('bot', 'token_revoked');
  await expect(stage.adapter.update(ref, openCard(database))).rejects.toMatchObject({ permanent: true });
  expect(stage.adapter.health()).toMatchObject({
    connected: false,
    detail: expect.stringMatching(/token_revoked.*SLACK_BOT_TOKEN/),
  });
  stage.slack.workspace.breakToken('bot', null);
  await stage.adapter.update(ref, openCard(database));
  expect(stage.adapter.health().connected).toBe(true);
});
