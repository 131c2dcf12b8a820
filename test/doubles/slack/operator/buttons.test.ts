import { afterEach, beforeEach, expect, test } from 'vitest';
import { button, options, plain, type SlackApp, startSlackApp } from '../../../support/slack-app.ts';
import type { SlackDoubleOptions } from '../index.ts';

let app: SlackApp;
let slack: SlackApp['slack'];
let web: SlackApp['web'];
let bodies: SlackApp['bodies'];
let ana: string;
let channel: string;

const start = async (options: SlackDoubleOptions = {}) => {
  app = await startSlackApp(options);
  ({ slack, web, bodies, ana, channel } = app);
};

beforeEach(() => start());
afterEach(async () => {
  expect(slack.violations).toEqual([]);
  await app.stop();
});

test('what is not on the screen cannot be clicked, and the error shows the screen', async () => {
  await app.post(button('a'), button('b'));
  expect(() => slack.user(ana).click({ channel, action: 'c' })).toThrow(
    /No control fits .*\n#general as Ana sees it[\s\S]*\[A\]/,
  );
  expect(() => slack.user(ana).click({ channel })).toThrow(/2 controls fit/);
  const eve = slack.workspace.addUser({ name: 'eve', is_restricted: true }).id;
  expect(() => slack.user(eve).click({ channel, action: 'a' })).toThrow(/cannot see it/);
});

test('a click carries what Slack sends', async () => {
  const ts = await app.post(button('a', { style: 'primary' }));
  expect(await slack.user(ana).click({ channel, message: ts, label: 'A' }).settled).toMatchObject({ kind: 'acked' });
  expect(bodies[0]).toMatchObject({
    type: 'block_actions',
    user: { id: ana, username: 'ana', name: 'ana', team_id: slack.workspace.teamId },
    team: { id: slack.workspace.teamId, domain: 'acme' },
    enterprise: null,
    is_enterprise_install: false,
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
    channel: { id: channel, name: 'general' },
    message: { ts, text: 'Pick', bot_id: slack.workspace.botId },
    state: { values: {} },
    response_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/actions\//),
    actions: [
      {
        type: 'button',
        action_id: 'a',
        block_id: 'b',
        value: 'a',
        style: 'primary',
        text: plain('A'),
        action_ts: expect.any(String),
      },
    ],
  });
});

test('on Grid the ids and the nullable parts are those of Grid', async () => {
  await app.stop();
  await start({ workspace: { grid: { orgInstall: true } } });
  await app.post(button('a'));
  await slack.user(ana).click({ channel, action: 'a' }).settled;
  expect(ana).toMatch(/^W/);
  expect(bodies[0]).toMatchObject({
    team: null,
    enterprise: { id: slack.workspace.enterpriseId },
    is_enterprise_install: true,
  });
});

test('a confirm has to be answered, and a refused one sends nothing', async () => {
  await app.post(
    button('a', {
      confirm: { title: plain('Sure?'), text: plain('It pushes.'), confirm: plain('Push'), deny: plain('No') },
    }),
  );
  const target = { channel, action: 'a' };
  expect(() => slack.user(ana).click(target)).toThrow(/It pushes/);
  expect(await slack.user(ana).click({ ...target, confirm: false }).settled).toEqual({ kind: 'kept', errors: {} });
  expect((await slack.user(ana).click({ ...target, confirm: true }).settled).kind).toBe('acked');
  expect(bodies).toHaveLength(1);
});

test('a stale screen still clicks the old button of a message that has changed', async () => {
  const ts = await app.post(button('a'));
  const old = slack.user(ana).stale(channel);
  await web.chat.update({ channel, ts, text: 'Done', blocks: [] });
  expect(() => slack.user(ana).click({ channel, action: 'a' })).toThrow(/No control/);
  await old.click({ action: 'a' }).settled;
  expect(bodies[0]).toMatchObject({ message: { text: 'Done' }, actions: [{ action_id: 'a', value: 'a' }] });
});

test('choices in a message are sent as they are made and travel in the state', async () => {
  await app.post({ type: 'static_select', action_id: 's', placeholder: plain('Colour'), options }, button('a'));
  await slack.user(ana).select({ channel, label: 'Colour' }, 'GREEN')?.settled;
  expect(bodies[0]).toMatchObject({ actions: [{ type: 'static_select', selected_option: { value: 'green' } }] });
  await slack.user(ana).click({ channel, action: 'a' }).settled;
  expect(bodies[1]).toMatchObject({ state: { values: { b: { s: { selected_option: { value: 'green' } } } } } });
  expect(slack.screen(ana, channel).messages[0]?.controls[0]?.options.filter((one) => one.selected)).toHaveLength(1);
});
