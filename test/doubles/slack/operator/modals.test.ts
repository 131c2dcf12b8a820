import { afterEach, beforeEach, expect, test } from 'vitest';
import { button, modal, plain, type SlackApp, startSlackApp } from '../../../support/slack-app.ts';
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

test('every kind of input arrives in the state', async () => {
  await app.openModal();
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
  await app.openModal();
  expect(() => slack.user(ana).click({ channel, action: 'open' })).toThrow(/No control/);
  await slack.user(ana).click({ channel, action: 'open', where: 'other_device' }).settled;
});

test('an ack may update, push and clear', async () => {
  await app.openModal(modal({ blocks: [] as never, submit: plain('Next') }));
  const user = slack.user(ana);
  app.answer(({ ack }) => ack({ response_action: 'push', view: modal({ title: plain('Second') }) }));
  await user.submit().settled;
  expect(slack.screen(ana, channel).modals.map((one) => one.title)).toEqual(['Answer', 'Second']);
  user.select({ label: 'One' }, 'RED');
  app.answer(({ ack }) => ack({ response_action: 'update', view: modal({ title: plain('Changed') }) }));
  await user.submit().settled;
  expect(slack.screen(ana, channel).modals.map((one) => one.title)).toEqual(['Answer', 'Changed']);
  app.answer(({ ack }) => ack({ response_action: 'clear' }));
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
  await app.openModal();
  const user = slack.user(ana);
  user.select({ label: 'One' }, 'RED');
  app.answer(({ ack }) => ack(payload));
  expect(await user.submit().settled).toEqual({ kind: 'unacked', reason: 'bad_ack' });
  expect(slack.screen(ana, channel).modals[0]).toMatchObject({ trouble: 'bad_ack', busy: false });
  expect(slack.takeViolations().map((one) => one.pointer)).toContain(pointer);
});

test('a submit nobody takes can be tried again', async () => {
  await app.openModal();
  const user = slack.user(ana);
  user.select({ label: 'One' }, 'RED');
  app.answer(async () => undefined);
  const submit = user.submit();
  expect(() => user.submit()).toThrow(/busy/);
  await slack.clock.advance(3000);
  expect(await submit.settled).toEqual({ kind: 'unacked', reason: 'timeout' });
  app.answer(({ ack }) => ack());
  expect((await user.submit().settled).kind).toBe('acked');
});

test('closing tells the app only when it asked to be told', async () => {
  await app.openModal();
  expect(slack.user(ana).closeModal()).toBeUndefined();
  await app.openModal(modal({ notify_on_close: true }));
  await slack.user(ana).closeModal()?.settled;
  expect(bodies.at(-1)).toMatchObject({ type: 'view_closed', is_cleared: false, view: { callback_id: 'm' } });
});

test('a trigger works once and for three seconds', async () => {
  await app.post(button('open'));
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
  await app.openModal(modal({ external_id: 'r1' }));
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
  await app.openModal();
  for (const depth of [2, 3, 4]) {
    const user = slack.user(ana);
    user.select({ label: 'One' }, 'RED');
    app.answer(({ ack }) => ack({ response_action: 'push', view: modal() }));
    await user.submit().settled;
    expect(slack.screen(ana, channel).modals).toHaveLength(Math.min(3, depth));
  }
  expect(slack.takeViolations()).toMatchObject([{ message: 'push_limit_reached' }]);
});
