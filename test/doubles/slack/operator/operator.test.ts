import { SocketModeClient } from '@slack/socket-mode';
import type { ModalView } from '@slack/types';
import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClock, drawScreen, type SlackDouble, type SlackDoubleOptions, startSlackDouble } from '../index.ts';

interface Incoming {
  readonly body: { type: string; trigger_id: string; view: { id: string; hash: string } } & Record<string, unknown>;
  readonly ack: (payload?: Record<string, unknown>) => Promise<void>;
}

let slack: SlackDouble;
let web: WebClient;
let socket: SocketModeClient;
let ana: string;
let channel: string;
/** What the app does with each interaction; the default acknowledges. */
let onInteraction: (incoming: Incoming) => Promise<unknown>;
let bodies: Incoming['body'][];

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => 'error' as never,
  setName: () => undefined,
};

const start = async (options: SlackDoubleOptions = {}) => {
  slack = await startSlackDouble({ clock: createClock({ flow: false }), rateLimits: false, ...options });
  ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  channel = slack.workspace.addChannel({ name: 'general' }).id;
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };
  web = new WebClient(slack.botToken, { ...clientOptions, logger: quiet });
  socket = new SocketModeClient({ appToken: slack.appToken, clientOptions: { ...clientOptions }, logger: quiet });
  onInteraction = ({ ack }) => ack();
  bodies = [];
  socket.on('interactive', (incoming: Incoming) => {
    bodies.push(incoming.body);
    void onInteraction(incoming);
  });
  await socket.start();
};

beforeEach(() => start());
afterEach(async () => {
  await socket.disconnect();
  expect(slack.violations).toEqual([]);
  await slack.close();
});

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const options = ['red', 'green', 'blue'].map((value) => ({ text: plain(value.toUpperCase()), value }));
const post = async (...elements: object[]) =>
  String(
    (
      await web.chat.postMessage({
        channel,
        text: 'Pick',
        blocks: [{ type: 'actions', block_id: 'b', elements: elements as never }],
      })
    ).ts,
  );
const button = (id: string, extra: object = {}) => ({
  type: 'button',
  action_id: id,
  value: id,
  text: plain(id.toUpperCase()),
  ...extra,
});
const modal = (extra: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  callback_id: 'm',
  title: plain('Answer'),
  submit: plain('Send'),
  blocks: [
    {
      type: 'input',
      block_id: 'one',
      label: plain('One'),
      element: { type: 'radio_buttons', action_id: 'v', options },
    },
    {
      type: 'input',
      block_id: 'many',
      label: plain('Many'),
      optional: true,
      element: { type: 'checkboxes', action_id: 'v', options },
    },
    {
      type: 'input',
      block_id: 'menu',
      label: plain('Menu'),
      optional: true,
      element: { type: 'static_select', action_id: 'v', options },
    },
    {
      type: 'input',
      block_id: 'multi',
      label: plain('Multi'),
      optional: true,
      element: { type: 'multi_static_select', action_id: 'v', options },
    },
    {
      type: 'input',
      block_id: 'other',
      label: plain('Other'),
      optional: true,
      element: { type: 'plain_text_input', action_id: 'v', max_length: 5 },
    },
  ],
  ...extra,
});
/** Opens a modal by clicking a button. */
const openModal = async (view = modal()) => {
  await post(button('open'));
  onInteraction = async ({ ack, body }) => {
    await ack();
    await web.views.open({ trigger_id: body.trigger_id, view });
  };
  slack.user(ana).click({ channel, action: 'open' });
  await slack.until(ana, channel, (screen) => screen.modals[0]);
  onInteraction = ({ ack }) => ack();
};

describe('buttons', () => {
  test('what is not on the screen cannot be clicked, and the error shows the screen', async () => {
    await post(button('a'), button('b'));
    expect(() => slack.user(ana).click({ channel, action: 'c' })).toThrow(
      /No control fits .*\n#general as Ana sees it[\s\S]*\[A\]/,
    );
    expect(() => slack.user(ana).click({ channel })).toThrow(/2 controls fit/);
    const eve = slack.workspace.addUser({ name: 'eve', is_restricted: true }).id;
    expect(() => slack.user(eve).click({ channel, action: 'a' })).toThrow(/cannot see it/);
  });

  test('a click carries what Slack sends', async () => {
    const ts = await post(button('a', { style: 'primary' }));
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
    await socket.disconnect();
    await slack.close();
    await start({ workspace: { grid: { orgInstall: true } } });
    await post(button('a'));
    await slack.user(ana).click({ channel, action: 'a' }).settled;
    expect(ana).toMatch(/^W/);
    expect(bodies[0]).toMatchObject({
      team: null,
      enterprise: { id: slack.workspace.enterpriseId },
      is_enterprise_install: true,
    });
  });

  test('a confirm has to be answered, and a refused one sends nothing', async () => {
    await post(
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
    const ts = await post(button('a'));
    const old = slack.user(ana).stale(channel);
    await web.chat.update({ channel, ts, text: 'Done', blocks: [] });
    expect(() => slack.user(ana).click({ channel, action: 'a' })).toThrow(/No control/);
    await old.click({ action: 'a' }).settled;
    expect(bodies[0]).toMatchObject({ message: { text: 'Done' }, actions: [{ action_id: 'a', value: 'a' }] });
  });

  test('choices in a message are sent as they are made and travel in the state', async () => {
    await post({ type: 'static_select', action_id: 's', placeholder: plain('Colour'), options }, button('a'));
    await slack.user(ana).select({ channel, label: 'Colour' }, 'GREEN')?.settled;
    expect(bodies[0]).toMatchObject({ actions: [{ type: 'static_select', selected_option: { value: 'green' } }] });
    await slack.user(ana).click({ channel, action: 'a' }).settled;
    expect(bodies[1]).toMatchObject({ state: { values: { b: { s: { selected_option: { value: 'green' } } } } } });
    expect(slack.screen(ana, channel).messages[0]?.controls[0]?.options.filter((one) => one.selected)).toHaveLength(1);
  });
});

describe('modals', () => {
  test('every kind of input arrives in the state', async () => {
    await openModal();
    const user = slack.user(ana);
    expect(await user.submit().settled).toEqual({
      kind: 'kept',
      errors: { one: 'Please complete this required field.' },
    });
    user.select({ label: 'One' }, 'RED');
    user.select({ label: 'Many' }, ['RED', 'BLUE']);
    user.select({ label: 'Multi' }, ['GREEN']);
    user.type({ label: 'Other' }, '<b>&');
    expect(() => user.type({ label: 'Other' }, '123456')).toThrow(/at most 5/);
    expect((await user.submit().settled).kind).toBe('acked');
    expect(bodies.at(-1)).toMatchObject({
      type: 'view_submission',
      view: {
        callback_id: 'm',
        state: {
          values: {
            one: { v: { type: 'radio_buttons', selected_option: { value: 'red' } } },
            many: { v: { type: 'checkboxes', selected_options: [{ value: 'red' }, { value: 'blue' }] } },
            menu: { v: { type: 'static_select', selected_option: null } },
            multi: { v: { type: 'multi_static_select', selected_options: [{ value: 'green' }] } },
            other: { v: { type: 'plain_text_input', value: '<b>&' } },
          },
        },
      },
    });
    expect(slack.screen(ana, channel).modals).toEqual([]);
  });

  test('a modal covers the channel, but not the same person’s other device', async () => {
    await openModal();
    expect(() => slack.user(ana).click({ channel, action: 'open' })).toThrow(/No control/);
    await slack.user(ana).click({ channel, action: 'open', where: 'other_device' }).settled;
  });

  test('an ack may update, push and clear', async () => {
    await openModal(modal({ blocks: [] as never, submit: plain('Next') })).catch(() => undefined);
    const user = slack.user(ana);
    onInteraction = ({ ack }) => ack({ response_action: 'push', view: modal({ title: plain('Second') }) });
    await user.submit().settled;
    expect(slack.screen(ana, channel).modals.map((one) => one.title)).toEqual(['Answer', 'Second']);
    user.select({ label: 'One' }, 'RED');
    onInteraction = ({ ack }) => ack({ response_action: 'update', view: modal({ title: plain('Changed') }) });
    await user.submit().settled;
    expect(slack.screen(ana, channel).modals.map((one) => one.title)).toEqual(['Answer', 'Changed']);
    onInteraction = ({ ack }) => ack({ response_action: 'clear' });
    await user.submit().settled;
    expect(slack.screen(ana, channel).modals).toEqual([]);
  });

  test.each([
    [
      'errors for blocks that take no input',
      { response_action: 'errors', errors: { nowhere: 'x' } },
      '/payload/errors/nowhere',
    ],
    ['no errors', { response_action: 'errors', errors: {} }, '/payload/errors'],
    ['an unknown action', { response_action: 'close' }, '/payload/response_action'],
    ['an illegal view', { response_action: 'update', view: { type: 'modal' } }, '/payload/view'],
    ['a text', { text: 'thanks' }, '/payload/text'],
  ])('an ack with %s is trouble connecting', async (_, payload, pointer) => {
    await openModal();
    const user = slack.user(ana);
    user.select({ label: 'One' }, 'RED');
    onInteraction = ({ ack }) => ack(payload);
    expect(await user.submit().settled).toEqual({ kind: 'unacked', reason: 'bad_ack' });
    expect(slack.screen(ana, channel).modals[0]).toMatchObject({ trouble: 'bad_ack', busy: false });
    expect(slack.takeViolations().map((one) => one.pointer)).toContain(pointer);
  });

  test('a submit nobody takes can be tried again', async () => {
    await openModal();
    const user = slack.user(ana);
    user.select({ label: 'One' }, 'RED');
    onInteraction = async () => undefined;
    const submit = user.submit();
    expect(() => user.submit()).toThrow(/busy/);
    await slack.clock.advance(3000);
    expect(await submit.settled).toEqual({ kind: 'unacked', reason: 'timeout' });
    onInteraction = ({ ack }) => ack();
    expect((await user.submit().settled).kind).toBe('acked');
  });

  test('closing tells the app only when it asked to be told', async () => {
    await openModal();
    expect(slack.user(ana).closeModal()).toBeUndefined();
    await openModalAgain(modal({ notify_on_close: true }));
    await slack.user(ana).closeModal()?.settled;
    expect(bodies.at(-1)).toMatchObject({ type: 'view_closed', is_cleared: false, view: { callback_id: 'm' } });
  });

  const openModalAgain = async (view: ModalView) => {
    onInteraction = async ({ ack, body }) => {
      await ack();
      await web.views.open({ trigger_id: body.trigger_id, view });
    };
    slack.user(ana).click({ channel, action: 'open' });
    await slack.until(ana, channel, (screen) => screen.modals[0]);
    onInteraction = ({ ack }) => ack();
  };

  test('a trigger works once and for three seconds', async () => {
    await post(button('open'));
    const click = async () => {
      await slack.user(ana).click({ channel, action: 'open', where: 'other_device' }).settled;
      return bodies.at(-1)?.trigger_id ?? '';
    };
    const trigger_id = await click();
    await web.views.open({ trigger_id, view: modal() });
    await expect(web.views.open({ trigger_id, view: modal() })).rejects.toMatchObject({
      data: { error: 'exchanged_trigger_id' },
    });
    const late = await click();
    await slack.clock.advance(3001);
    await expect(web.views.open({ trigger_id: late, view: modal() })).rejects.toMatchObject({
      data: { error: 'expired_trigger_id' },
    });
    await expect(web.views.open({ trigger_id: 'x', view: modal() })).rejects.toMatchObject({
      data: { error: 'invalid_trigger_id' },
    });
  });

  test('updates by external id, and an old hash conflicts', async () => {
    await openModal(modal({ external_id: 'r1' }));
    const first = await web.views.update({
      external_id: 'r1',
      view: modal({ external_id: 'r1', title: plain('Two') }),
    });
    expect(slack.screen(ana, channel).modals[0]?.title).toBe('Two');
    const hash = first.view?.hash ?? '';
    await web.views.update({ external_id: 'r1', hash, view: modal({ external_id: 'r1', title: plain('Three') }) });
    const again = web.views.update({ external_id: 'r1', hash, view: modal({ external_id: 'r1' }) });
    await expect(again).rejects.toMatchObject({ data: { error: 'hash_conflict' } });
    slack.user(ana).closeModal();
    const gone = web.views.update({ external_id: 'r1', view: modal() });
    await expect(gone).rejects.toMatchObject({ data: { error: 'not_found' } });
  });

  test('a fourth modal does not fit on the stack', async () => {
    await openModal();
    for (const depth of [2, 3, 4]) {
      const user = slack.user(ana);
      user.select({ label: 'One' }, 'RED');
      onInteraction = ({ ack }) => ack({ response_action: 'push', view: modal() });
      await user.submit().settled;
      expect(slack.screen(ana, channel).modals).toHaveLength(Math.min(3, depth));
    }
    expect(slack.takeViolations()).toMatchObject([{ message: 'push_limit_reached' }]);
  });
});

describe('other surfaces', () => {
  test('a response_url works five times within half an hour', async () => {
    await post(button('a'));
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
    await slack.deliver.action({ user: 'U404', channel, ts: '1.2', actionId: 'gone', override: { team: null } })
      .settled;
    expect(bodies[0]).toMatchObject({ user: { id: 'U404' }, team: null, actions: [{ action_id: 'gone' }] });
  });

  test('a screen can be read as text', async () => {
    await post(button('a'));
    expect(drawScreen(slack.screen(ana, channel))).toMatch(/^#general as Ana sees it\n {2}handraise [\d.]+\n {4}\[A\]/);
  });
});
