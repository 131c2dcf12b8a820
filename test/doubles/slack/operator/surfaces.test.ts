import { afterEach, beforeEach, expect, test } from 'vitest';
import { button, plain, type SlackApp, startSlackApp } from '../../../support/slack-app.ts';
import { drawScreen, type SlackDoubleOptions } from '../index.ts';

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

test('a response_url works five times within half an hour', async () => {
  await app.post(button('a'));
  await slack.user(ana).click({ channel, action: 'a' }).settled;
  const url = String(bodies[0]?.['response_url']);
  const respond = async (body: object) =>
    (
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).text();
  expect(await respond({ text: 'only you' })).toBe('ok');
  expect(await respond({ text: 'all', response_type: 'in_channel' })).toBe('ok');
  expect(await respond({ text: 'new', replace_original: true })).toBe('ok');
  expect(slack.screen(ana, channel).messages.map((one) => [one.text.plain, one.ephemeral, one.edited])).toEqual([
    ['new', false, true],
    ['only you', true, false],
    ['all', false, false],
  ]);
  expect(await respond({ delete_original: true })).toBe('ok');
  expect(await respond({ text: 'fifth' })).toBe('ok');
  expect(await respond({ text: 'sixth' })).toContain('used_url');
  await slack.clock.advance(30 * 60_000 + 1);
  expect(await respond({ text: 'late' })).toContain('expired_url');
  expect(slack.screen(ana, channel).messages.map((one) => one.text.plain)).toEqual(['only you', 'all', 'fifth']);
});

test('the Home tab has its own controls', async () => {
  await web.views.publish({
    user_id: ana,
    view: { type: 'home', blocks: [{ type: 'actions', elements: [button('h') as never] }] },
  });
  await slack.user(ana).click({ action: 'h', where: 'home' }).settled;
  expect(bodies[0]).toMatchObject({
    container: { type: 'view' },
    view: { type: 'home' },
    actions: [{ action_id: 'h' }],
  });
  expect(bodies[0]).not.toHaveProperty('response_url');
});

test('pings and links in what the bot sends are recorded, inert text is not', async () => {
  const inert = '&lt;!channel&gt; &lt;@U1&gt;';
  await web.chat.postMessage({ channel, text: inert, blocks: [{ type: 'section', text: plain('<!here>') }] });
  expect(slack.mentions).toEqual([]);
  await web.chat.postMessage({ channel, text: `<!channel> <@${ana}> <https://x.example|y>` });
  expect(slack.mentions.map((one) => [one.kind, one.target, one.pointer])).toEqual([
    ['channel', 'channel', '/text'],
    ['user', ana, '/text'],
    ['link', 'https://x.example', '/text'],
  ]);
});

test('a forged click reaches the app with whatever it claims', async () => {
  await slack.deliver.action({ user: 'U404', channel, ts: '1.2', actionId: 'gone', override: { team: null } }).settled;
  expect(bodies[0]).toMatchObject({ user: { id: 'U404' }, team: null, actions: [{ action_id: 'gone' }] });
});

test('a screen can be read as text', async () => {
  await app.post(button('a'));
  expect(drawScreen(slack.screen(ana, channel))).toMatch(/^#general as Ana sees it\n {2}handraise [\d.]+\n {4}\[A\]/);
});
