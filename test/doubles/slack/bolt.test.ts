import { App, LogLevel } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SlackDouble, startSlackDouble } from './index.ts';

let slack: SlackDouble;
let app: App;
let ana: string;
let ben: string;
let channel: string;

beforeEach(async () => {
  slack = await startSlackDouble();
  ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  ben = slack.workspace.addUser({ name: 'ben', real_name: 'Ben' }).id;
  channel = slack.workspace.addChannel({ name: 'general' }).id;
  app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl },
  });
});

afterEach(async () => {
  await app.stop();
  await slack.close();
  expect(slack.violations).toEqual([]);
});

const question = {
  text: 'Which database?',
  blocks: [
    { type: 'section', block_id: 'q', text: { type: 'mrkdwn', text: '*Which* database?' } },
    {
      type: 'actions',
      block_id: 'answers',
      elements: [
        {
          type: 'button',
          action_id: 'a0',
          value: '0',
          text: { type: 'plain_text', text: 'Postgres & co' },
          style: 'primary',
        },
        { type: 'button', action_id: 'a1', value: '1', text: { type: 'plain_text', text: 'SQLite' } },
      ],
    },
  ],
} as const;

test('a click reaches the Bolt app, and its update reaches the screen', async () => {
  app.action(/^a\d$/, async ({ ack, body, client, action }) => {
    await ack();
    if (body.type !== 'block_actions' || action.type !== 'button') throw new Error('not a button');
    const label = 'text' in action ? action.text.text : '';
    const text = `${body.user.id} chose ${label} (${action.value})`;
    await client.chat.update({ channel: body.channel?.id ?? '', ts: body.message?.['ts'] ?? '', text, blocks: [] });
  });
  await app.start();
  const { ts } = await app.client.chat.postMessage({ channel, ...question, blocks: [...question.blocks] });
  const seen = slack.screen(ana, channel).messages[0];
  expect(seen?.ts).toBe(ts);
  expect(seen?.controls.map((one) => one.text)).toEqual(['Postgres & co', 'SQLite']);
  const click = slack.user(ana).click({ channel, label: 'Postgres & co' });
  expect((await click.settled).kind).toBe('acked');
  const after = await slack.until(ana, channel, (screen) => screen.messages.find((one) => one.edited));
  // Slack hands labels back escaped.
  expect(after.text.plain).toBe(`${ana} chose Postgres & co (0)`);
  expect(after.controls).toEqual([]);
});

test('a modal opens, refuses a submit with an error, takes the next one and closes', async () => {
  app.action('a0', async ({ ack, body, client }) => {
    await ack();
    if (body.type !== 'block_actions') throw new Error('not a button');
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'other',
        title: { type: 'plain_text', text: 'Other' },
        submit: { type: 'plain_text', text: 'Send' },
        blocks: [
          {
            type: 'input',
            block_id: 'text',
            label: { type: 'plain_text', text: 'Your answer' },
            element: { type: 'plain_text_input', action_id: 'it' },
          },
        ],
      },
    });
  });
  const submitted: unknown[] = [];
  app.view('other', async ({ ack, view }) => {
    const value = view.state.values['text']?.['it']?.value ?? '';
    submitted.push(value);
    if (value === 'no') await ack({ response_action: 'errors', errors: { text: 'Say more' } });
    else await ack();
  });
  await app.start();
  await app.client.chat.postMessage({ channel, ...question, blocks: [...question.blocks] });
  const user = slack.user(ana);
  user.click({ channel, action: 'a0' });
  const modal = await slack.until(ana, channel, (screen) => screen.modals[0]);
  expect(modal.title).toBe('Other');
  expect(slack.screen(ben, channel).modals).toEqual([]);

  expect(await user.submit().settled).toMatchObject({ kind: 'kept' });
  user.type({ label: 'Your answer' }, 'no');
  await user.submit().settled;
  expect(slack.screen(ana, channel).modals[0]?.errors).toEqual({ text: 'Say more' });
  user.type({ label: 'Your answer' }, 'Redis');
  expect((await user.submit().settled).kind).toBe('acked');
  expect(slack.screen(ana, channel).modals).toEqual([]);
  expect(submitted).toEqual(['no', 'Redis']);
});

test('an ephemeral answer is seen by one person only and can be replaced through its response_url', async () => {
  app.action('a1', async ({ ack, body, client }) => {
    await ack();
    const blocks = [
      { type: 'actions', elements: [{ type: 'button', action_id: 'ok', text: { type: 'plain_text', text: 'Fine' } }] },
    ];
    await client.chat.postEphemeral({ channel, user: body.user.id, text: 'Too late', blocks });
  });
  app.action('ok', async ({ ack, respond, body }) => {
    await ack();
    expect(body).not.toHaveProperty('message');
    await respond({ replace_original: true, text: 'Gone' });
  });
  await app.start();
  await app.client.chat.postMessage({ channel, ...question, blocks: [...question.blocks] });
  slack.user(ben).click({ channel, label: 'SQLite' });
  await slack.until(ben, channel, (screen) => screen.messages.find((one) => one.ephemeral));
  expect(slack.screen(ana, channel).messages).toHaveLength(1);
  slack.user(ben).click({ channel, label: 'Fine' });
  await slack.until(ben, channel, (screen) => screen.messages.find((one) => one.text.plain === 'Gone'));
  slack.user(ben).reload();
  expect(slack.screen(ben, channel).messages).toHaveLength(1);
});

test('a click nobody handles ends in a warning on the screen of the one who clicked', async () => {
  await app.start();
  await app.client.chat.postMessage({ channel, ...question, blocks: [...question.blocks] });
  const click = slack.user(ana).click({ channel, action: 'a0' });
  await slack.clock.advance(3001);
  expect(await click.settled).toEqual({ kind: 'unacked', reason: 'timeout' });
  const warnings = (user: string) => slack.screen(user, channel).messages[0]?.warnings;
  expect(warnings(ana)).toEqual([{ actionId: 'a0', blockId: 'answers', reason: 'timeout' }]);
  expect(warnings(ben)).toEqual([]);
});

test('the app comes back after a refresh and goes on receiving', async () => {
  const clicked: string[] = [];
  app.action('a0', async ({ ack, body }) => {
    clicked.push(body.user.id);
    await ack();
  });
  await app.start();
  await app.client.chat.postMessage({ channel, ...question, blocks: [...question.blocks] });
  const [before] = slack.sockets.open;
  const reopened = slack.next('socket', (one) => one.state === 'open', 20_000);
  slack.sockets.disconnect('refresh_requested');
  await reopened;
  expect(slack.sockets.open).toHaveLength(1);
  expect(slack.sockets.open[0]?.id).not.toBe(before?.id);
  await slack.user(ana).click({ channel, action: 'a0' }).settled;
  expect(clicked).toEqual([ana]);
}, 90_000);
