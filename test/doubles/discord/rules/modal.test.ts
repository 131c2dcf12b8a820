import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { button, type DiscordApp, row, startDiscordApp } from '../../../support/discord-app.ts';

type Obj = Record<string, unknown>;

let app: DiscordApp;

beforeEach(async () => {
  app = await startDiscordApp();
});
afterEach(async () => {
  expect(app.discord.violations).toEqual([]);
  await app.stop();
});

/** The codes by their path, as Discord nests them; what the list of violations says is the same. */
const codes = (body: Obj): Record<string, string> => {
  const found: Record<string, string> = {};
  const walk = (node: Obj, path: string) => {
    for (const [key, value] of Object.entries(node)) {
      if (key === '_errors') found[path] = (value as { code: string }[]).map((one) => one.code).join(' ');
      else walk(value as Obj, `${path}/${key}`);
    }
  };
  walk((body['errors'] ?? {}) as Obj, '');
  return found;
};

const select = (more: Obj = {}): Obj => ({
  type: 3,
  custom_id: 's',
  options: [
    { label: 'Red', value: 'r' },
    { label: 'Green', value: 'g' },
  ],
  ...more,
});
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('modals', () => {
  const label = (component: Obj, more: Obj = {}): Obj => ({ type: 18, label: 'Why', component, ...more });
  const input = (more: Obj = {}): Obj => ({ type: 4, style: 1, custom_id: 'i', ...more });
  const modal = (components: Obj[], more: Obj = {}): Obj => ({ custom_id: 'm', title: 'Why', components, ...more });

  const opened = async (data: Obj) => {
    await app.post({ content: 'Pick', components: [row(button('a'))] });
    app.discord.user(app.ana).click({ channel: app.channel, label: 'A' });
    return app.respond(await app.interaction(), 9, data);
  };

  test.each<[string, Obj, string]>([
    ['a title over 45', modal([label(input())], { title: 'x'.repeat(46) }), 'title'],
    ['no title', modal([label(input())], { title: '' }), 'title'],
    ['a custom id over 100', modal([label(input())], { custom_id: 'x'.repeat(101) }), 'custom_id'],
    ['six components', modal(many(6, (index) => label(input({ custom_id: `i${index}` })))), 'components'],
    ['no components', modal([]), 'components'],
    ['a label over 45', modal([label(input(), { label: 'x'.repeat(46) })]), 'components/0/label'],
    ['a description over 100', modal([label(input(), { description: 'x'.repeat(101) })]), 'components/0/description'],
    [
      'a placeholder over 100',
      modal([label(input({ placeholder: 'x'.repeat(101) }))]),
      'components/0/component/placeholder',
    ],
    [
      'a value longer than allowed',
      modal([label(input({ max_length: 3, value: 'four' }))]),
      'components/0/component/value',
    ],
    ['a longest length over 4000', modal([label(input({ max_length: 4001 }))]), 'components/0/component/max_length'],
    [
      'a shortest length above the longest',
      modal([label(input({ min_length: 5, max_length: 4 }))]),
      'components/0/component/min_length',
    ],
    ['an input without style', modal([label({ type: 4, custom_id: 'i' })]), 'components/0/component/style'],
    ['a button', modal([label(button('b'))]), 'components/0/component/type'],
    ['a bare input', modal([input()]), 'components/0/type'],
    ['an empty label', modal([label(input(), { label: '' })]), 'components/0/label'],
    ['the same custom id twice', modal([label(input()), label(input())]), 'components/1/component/custom_id'],
    ['an old row without label', modal([row(input())]), 'components/0/components/0/label'],
    [
      'one radio button',
      modal([label({ type: 21, custom_id: 'r', options: [{ label: 'A', value: 'a' }] })]),
      'components/0/component/options',
    ],
    [
      'eleven check boxes',
      modal([label({ type: 22, custom_id: 'c', options: many(11, (i) => ({ label: `${i}`, value: `${i}` })) })]),
      'components/0/component/options',
    ],
    ['a disabled select', modal([label(select({ disabled: true }))]), 'components/0/component/disabled'],
    ['eleven files', modal([label({ type: 19, custom_id: 'f', max_values: 11 })]), 'components/0/component/max_values'],
  ])('%s is refused', async (_, data, path) => {
    const reply = await opened(data);
    expect(reply).toMatchObject({ status: 400, body: { code: 50035 } });
    expect(Object.keys(codes(reply.body))).toEqual([`/data/${path}`]);
    expect(app.discord.takeViolations()).toMatchObject([
      { method: 'create_interaction_response', pointer: `/data/${path}` },
    ]);
    expect(app.discord.screen(app.ana, app.channel).modals).toEqual([]);
    // A refused response is none: the next one is taken.
    expect((await app.respond(await app.interaction(), 6)).status).toBe(204);
  });

  test('every kind of input fits together in five labels', async () => {
    const two = [
      { label: 'A', value: 'a' },
      { label: 'B', value: 'b' },
    ];
    const all = [
      label(input({ style: 2, required: false, placeholder: 'words' })),
      label({ type: 21, custom_id: 'r', options: two }),
      label({ type: 22, custom_id: 'c', options: two, min_values: 0, required: false }),
      label(select({ min_values: 1, max_values: 2 })),
      label({ type: 23, custom_id: 'k' }),
    ];
    expect((await opened(modal(all))).status).toBe(204);
    expect(app.discord.screen(app.ana, app.channel).modals[0]?.controls.map((one) => one.kind)).toEqual([
      'text_input',
      'radio_group',
      'checkbox_group',
      'string_select',
      'checkbox',
    ]);
  });
});
