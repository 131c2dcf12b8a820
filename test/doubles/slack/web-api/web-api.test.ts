import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { quietLogger } from '../../../support/slack-quiet-logger.ts';
import { createClock, type SlackDouble, type SlackDoubleOptions, startSlackDouble } from '../index.ts';

let slack: SlackDouble;
let web: WebClient;
let ana: string;
let channel: string;

const start = async (options: SlackDoubleOptions = {}) => {
  slack = await startSlackDouble({ clock: createClock({ flow: false }), ...options });
  ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  channel = slack.workspace.addChannel({ name: 'general' }).id;
  web = client(slack.botToken);
};

const client = (token?: string) =>
  new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: quietLogger,
  });

/** The platform's error answer, or the transport's code. */
const refusal = async (call: Promise<unknown>): Promise<Record<string, unknown>> => {
  const error = await call.then(
    () => undefined,
    (caught: unknown) => caught as { data?: Record<string, unknown>; code?: string; retryAfter?: number },
  );
  if (!error) throw new Error('the call went through');
  return error.data ?? { code: error.code, retryAfter: error.retryAfter };
};

beforeEach(() => start());
afterEach(async () => {
  expect(slack.violations).toEqual([]);
  await slack.close();
});

describe('refusals', () => {
  test('illegal blocks are refused with JSON pointers and recorded', async () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }];
    const told = 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]';
    expect(await refusal(web.chat.postMessage({ channel, text: 'x', blocks }))).toMatchObject({
      ok: false,
      error: 'invalid_blocks',
      errors: [told],
      response_metadata: { messages: [`[ERROR] ${told}`] },
    });
    expect(slack.takeViolations()).toMatchObject([
      { method: 'chat.postMessage', pointer: '/blocks/0/text/text', rule: 'invalid_blocks' },
    ]);
    expect(slack.screen(ana, channel).messages).toEqual([]);
  });

  test('a missing scope is named', async () => {
    await slack.close();
    await start({ scopes: ['chat:write', 'channels:history'] });
    expect(await refusal(web.conversations.info({ channel }))).toMatchObject({
      error: 'missing_scope',
      needed: 'channels:read',
      provided: expect.stringContaining('chat:write'),
    });
  });

  test('channels the bot is not in and private ones it cannot see are told apart', async () => {
    const open = slack.workspace.addChannel({ name: 'open', botIsMember: false }).id;
    const hidden = slack.workspace.addChannel({ name: 'hidden', botIsMember: false, is_private: true }).id;
    expect(await refusal(web.chat.postMessage({ channel: open, text: 'x' }))).toMatchObject({
      error: 'not_in_channel',
    });
    for (const one of [hidden, 'C404']) {
      expect(await refusal(web.chat.postMessage({ channel: one, text: 'x' }))).toMatchObject({
        error: 'channel_not_found',
      });
    }
  });

  test('tokens of the wrong kind, unknown tokens and no token are told apart', async () => {
    expect(await refusal(client('nonsense').auth.test())).toMatchObject({ error: 'invalid_auth' });
    expect(await refusal(client().auth.test())).toMatchObject({ error: 'not_authed' });
    expect(await refusal(web.apps.connections.open())).toMatchObject({ error: 'not_allowed_token_type' });
    expect(await refusal(client(slack.appToken).chat.postMessage({ channel, text: 'x' }))).toMatchObject({
      error: 'not_allowed_token_type',
    });
    slack.workspace.breakToken('bot', 'token_revoked');
    expect(await refusal(web.auth.test())).toMatchObject({ error: 'token_revoked' });
    expect(slack.takeViolations()).toHaveLength(2);
  });

  test('unknown methods and unknown arguments are violations', async () => {
    expect(await refusal(web.apiCall('chat.postMassage'))).toMatchObject({ error: 'unknown_method' });
    expect(await refusal(web.apiCall('chat.postMessage', { channel, text: 'x', colour: 'red' }))).toMatchObject({
      error: 'invalid_arguments',
    });
    expect(slack.takeViolations().map((one) => one.pointer)).toEqual(['', '/colour']);
  });

  test('a thread_ts that lost digits is refused', async () => {
    const answer = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel, text: 'x', thread_ts: 1700000000.1 }),
    });
    expect(await answer.json()).toMatchObject({ ok: false, error: 'invalid_arguments' });
    expect(slack.takeViolations()).toMatchObject([{ pointer: '/thread_ts' }]);
  });
});

describe('messages', () => {
  test('replies stand in their thread, broadcast ones in the channel too', async () => {
    const parent = await web.chat.postMessage({ channel, text: 'Session' });
    const thread_ts = String(parent.ts);
    await web.chat.postMessage({ channel, thread_ts, text: 'quiet' });
    await web.chat.postMessage({ channel, thread_ts, text: 'loud', reply_broadcast: true });
    const { messages } = slack.screen(ana, channel);
    expect(messages.map((one) => one.text.plain)).toEqual(['Session', 'loud']);
    expect(messages[0]?.replies.map((one) => [one.text.plain, one.broadcast])).toEqual([
      ['quiet', false],
      ['loud', true],
    ]);
    const history = await web.conversations.history({ channel });
    expect(history.messages?.map((one) => one.text)).toEqual(['loud', 'Session']);
    const replies = await web.conversations.replies({ channel, ts: thread_ts });
    expect(replies.messages?.map((one) => one.text)).toEqual(['Session', 'quiet', 'loud']);
  });

  test('metadata comes back only to those who ask for it', async () => {
    const metadata = { event_type: 'card', event_payload: { id: 'r1' } };
    await web.chat.postMessage({ channel, text: 'x', metadata });
    const asked = await web.conversations.history({ channel, include_all_metadata: true });
    expect(asked.messages?.[0]?.metadata).toEqual(metadata);
    expect((await web.conversations.history({ channel })).messages?.[0]).not.toHaveProperty('metadata');
  });

  test('history comes in pages', async () => {
    for (const text of ['1', '2', '3']) await web.chat.postMessage({ channel, text });
    const first = await web.conversations.history({ channel, limit: 2 });
    expect(first.messages?.map((one) => one.text)).toEqual(['3', '2']);
    const cursor = String(first.response_metadata?.next_cursor);
    const second = await web.conversations.history({ channel, limit: 2, cursor });
    expect(second.messages?.map((one) => one.text)).toEqual(['1']);
    expect(second.has_more).toBe(false);
  });

  test('an update without blocks keeps the buttons, one with none removes them', async () => {
    const blocks = [
      { type: 'actions', elements: [{ type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'A' } }] },
    ];
    const { ts = '' } = await web.chat.postMessage({ channel, text: 'x', blocks });
    await web.chat.update({ channel, ts, text: 'y' });
    expect(slack.screen(ana, channel).messages[0]?.controls).toHaveLength(1);
    await web.chat.update({ channel, ts, text: 'z', blocks: [] });
    expect(slack.screen(ana, channel).messages[0]).toMatchObject({ controls: [], edited: true, text: { plain: 'z' } });
  });

  test('ephemeral messages are seen by one, and are no messages to the API', async () => {
    const bob = slack.workspace.addUser({ name: 'bob' }).id;
    slack.workspace.join(channel, bob);
    const { message_ts = '' } = await web.chat.postEphemeral({ channel, user: ana, text: 'psst' });
    expect(slack.screen(ana, channel).messages).toMatchObject([{ ephemeral: true, text: { plain: 'psst' } }]);
    expect(slack.screen(bob, channel).messages).toEqual([]);
    expect(await refusal(web.chat.update({ channel, ts: message_ts, text: 'y' }))).toMatchObject({
      error: 'message_not_found',
    });
    const eve = slack.workspace.addUser({ name: 'eve' }).id;
    expect(await refusal(web.chat.postEphemeral({ channel, user: eve, text: 'x' }))).toMatchObject({
      error: 'user_not_in_channel',
    });
  });

  test('a deleted parent with replies leaves a tombstone', async () => {
    const { ts = '' } = await web.chat.postMessage({ channel, text: 'parent' });
    await web.chat.postMessage({ channel, thread_ts: ts, text: 'child' });
    await web.chat.delete({ channel, ts });
    expect(slack.screen(ana, channel).messages).toMatchObject([
      { tombstone: true, replies: [{ text: { plain: 'child' } }] },
    ]);
  });

  test('only its own messages can be changed', async () => {
    const ts = slack.user(ana).say(channel, 'hello');
    expect(await refusal(web.chat.update({ channel, ts, text: 'y' }))).toMatchObject({ error: 'cant_update_message' });
    expect(await refusal(web.chat.delete({ channel, ts }))).toMatchObject({ error: 'cant_delete_message' });
  });

  test('a file goes up in three steps and hangs on its message', async () => {
    const { ts = '' } = await web.chat.postMessage({ channel, text: 'parent' });
    await web.filesUploadV2({ channel_id: channel, thread_ts: ts, filename: 'cmd.txt', file: Buffer.from('rm -rf ü') });
    expect(slack.screen(ana, channel).messages[0]?.replies[0]?.files).toMatchObject([
      { name: 'cmd.txt', content: 'rm -rf ü' },
    ]);
  });

  test('text beyond 40,000 characters is cut with a warning', async () => {
    const answer = await web.chat.postMessage({ channel, text: 'x'.repeat(40_001) });
    expect(answer.response_metadata?.warnings).toEqual(['message_truncated']);
    expect(slack.screen(ana, channel).messages[0]?.text.plain).toHaveLength(40_000);
  });
});

describe('people', () => {
  test('guests, strangers and the deactivated are recognisable', async () => {
    const guest = slack.workspace.addUser({ is_ultra_restricted: true });
    const stranger = slack.workspace.addUser({ is_stranger: true });
    expect((await web.users.info({ user: guest.id })).user).toMatchObject({
      is_restricted: true,
      is_ultra_restricted: true,
    });
    expect((await web.users.info({ user: stranger.id })).user).toMatchObject({ is_stranger: true });
    expect(stranger.team_id).not.toBe(slack.workspace.teamId);
    guest.deleted = true;
    expect((await web.users.info({ user: guest.id })).user?.deleted).toBe(true);
    expect(await refusal(web.users.info({ user: 'U404' }))).toMatchObject({ error: 'user_not_found' });
  });

  test('a user group lists its members', async () => {
    const group = slack.workspace.addUserGroup({ handle: 'oncall', users: [ana] });
    expect((await web.usergroups.users.list({ usergroup: group.id })).users).toEqual([ana]);
    expect(await refusal(web.usergroups.users.list({ usergroup: 'S404' }))).toMatchObject({ error: 'no_such_subteam' });
  });
});

describe('rate limits and faults', () => {
  test('the sixth post at once to a channel has to wait a second of the clock', async () => {
    for (const text of '12345') await web.chat.postMessage({ channel, text });
    expect(await refusal(web.chat.postMessage({ channel, text: '6' }))).toMatchObject({ retryAfter: 1 });
    await slack.clock.advance(1000);
    await web.chat.postMessage({ channel, text: '6' });
    expect(slack.screen(ana, channel).messages).toHaveLength(6);
    expect(slack.calls.map((one) => one.status)).toEqual([200, 200, 200, 200, 200, 429, 200]);
  });

  test('a reply that is lost after its effect leaves one message', async () => {
    slack.faults.api('chat.postMessage', { kind: 'apply_then_drop' });
    expect(await refusal(web.chat.postMessage({ channel, text: 'once' }))).toMatchObject({
      code: 'slack_webapi_request_error',
    });
    expect(slack.screen(ana, channel).messages).toHaveLength(1);
    expect(slack.calls[0]).toMatchObject({ applied: true });
    expect(slack.calls[0]?.status).toBeUndefined();
  });

  test('faults strike in order, skip and run out', async () => {
    const dropped = slack.faults.api('chat.*', { kind: 'drop', skip: 1 });
    slack.faults.api('chat.postMessage', { kind: 'status', status: 500, match: (call) => call.args['text'] === 'c' });
    slack.faults.api('auth.test', { kind: 'rate_limited', retryAfter: 7 });
    slack.faults.api('users.info', { kind: 'error', error: 'fatal_error' });
    slack.faults.api('users.info', { kind: 'wrong_content_type' });
    slack.faults.api('users.info', { kind: 'delay', ms: 1 });
    await web.chat.postMessage({ channel, text: 'a' });
    expect(await refusal(web.chat.postMessage({ channel, text: 'b' }))).toMatchObject({
      code: 'slack_webapi_request_error',
    });
    expect(await refusal(web.chat.postMessage({ channel, text: 'c' }))).toMatchObject({
      code: 'slack_webapi_http_error',
    });
    expect(await refusal(web.auth.test())).toMatchObject({ retryAfter: 7 });
    expect(await refusal(web.users.info({ user: ana }))).toMatchObject({ error: 'fatal_error' });
    await web.users.info({ user: ana }).catch(() => undefined);
    expect((await web.users.info({ user: ana })).ok).toBe(true);
    expect(slack.screen(ana, channel).messages.map((one) => one.text.plain)).toEqual(['a']);
    expect(dropped.hits).toBe(1);
  });

  test('an effect can hide behind an HTTP error, and a call can hang until the double closes', async () => {
    slack.faults.api('chat.postMessage', { kind: 'apply_then_status', status: 500 });
    const hung = slack.faults.api('auth.test', { kind: 'hang' });
    expect(await refusal(web.chat.postMessage({ channel, text: 'once' }))).toMatchObject({
      code: 'slack_webapi_http_error',
    });
    expect(slack.screen(ana, channel).messages).toHaveLength(1);
    const waiting = refusal(web.auth.test());
    // A later call is answered while the first hangs.
    await web.users.info({ user: ana });
    expect(hung.hits).toBe(1);
    await slack.close();
    expect(await waiting).toMatchObject({ code: 'slack_webapi_request_error' });
    await start();
  });

  test('one tier does not slow another, and a multiplier speeds up all', async () => {
    for (let i = 0; i < 20; i += 1) await web.users.list({});
    expect(await refusal(web.users.list({}))).toMatchObject({ retryAfter: 3 });
    await web.users.info({ user: ana });
    await slack.close();
    await start({ rateLimits: { multiplier: 60 } });
    for (let i = 0; i < 20; i += 1) await web.users.list({});
    await slack.clock.advance(1000);
    for (let i = 0; i < 20; i += 1) await web.users.list({});
  });
});
