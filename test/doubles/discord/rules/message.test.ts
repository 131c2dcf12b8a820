import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { button, type DiscordApp, row, startDiscordApp, text, v2 } from '../../../support/discord-app.ts';

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

const refused = async (body: Obj): Promise<Record<string, string>> => {
  const reply = await app.call('POST', `/channels/${app.channel}/messages`, body);
  expect(reply).toMatchObject({ status: 400, body: { code: 50035, message: 'Invalid Form Body' } });
  const told = codes(reply.body);
  const recorded = app.discord.takeViolations().map(({ pointer, rule }) => [pointer, rule]);
  expect(new Set(recorded.map(([pointer]) => pointer))).toEqual(new Set(Object.keys(told)));
  expect(app.discord.screen(app.ana, app.channel).messages).toEqual([]);
  return told;
};

const allowed = async (body: Obj) => {
  const reply = await app.call('POST', `/channels/${app.channel}/messages`, body);
  expect(reply).toMatchObject({ status: 200 });
  return reply.body;
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
const emoji = '👍';

describe('buttons', () => {
  test.each<[string, Obj, string, string]>([
    ['a label over 80', button('a', { label: 'x'.repeat(81) }), 'label', 'BASE_TYPE_MAX_LENGTH'],
    ['a label over 80 emoji', button('a', { label: emoji.repeat(81) }), 'label', 'BASE_TYPE_MAX_LENGTH'],
    ['half a surrogate pair', button('a', { label: emoji.slice(0, 1) }), 'label', 'INVALID_UNICODE'],
    ['a custom id over 100', button('x'.repeat(101), { label: 'A' }), 'custom_id', 'BASE_TYPE_BAD_LENGTH'],
    ['no custom id and no url', { type: 2, style: 1, label: 'A' }, 'custom_id', 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED'],
    ['a link without url', { type: 2, style: 5, label: 'A' }, 'url', 'BUTTON_COMPONENT_URL_REQUIRED'],
    ['a link to javascript', { type: 2, style: 5, label: 'A', url: 'javascript:1' }, 'url', 'URL_TYPE_INVALID_SCHEME'],
    ['a url on a plain button', button('a', { url: 'https://a.example' }), 'url', 'BUTTON_COMPONENT_INVALID_STYLE_URL'],
    [
      'neither label nor emoji',
      { type: 2, style: 1, custom_id: 'a' },
      'label',
      'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED',
    ],
    ['an unknown style', button('a', { style: 9 }), 'style', 'NUMBER_TYPE_MAX'],
    ['no style', { type: 2, custom_id: 'a', label: 'A' }, 'style', 'BASE_TYPE_REQUIRED'],
    ['disabled as text', button('a', { disabled: 'yes' }), 'disabled', 'BOOLEAN_TYPE_CONVERT'],
  ])('%s is refused', async (_, wrong, key, code) => {
    expect(await refused({ content: 'Pick', components: [row(wrong)] })).toEqual({
      [`/components/0/components/0/${key}`]: code,
    });
  });

  test('80 emoji fit, since lengths count code points', async () => {
    await allowed({ content: 'Pick', components: [row(button('a', { label: emoji.repeat(80) }))] });
  });
});

describe('rows', () => {
  test('six buttons are refused', async () => {
    const wide = row(...many(6, (index) => button(`b${index}`)));
    expect(await refused({ content: 'Pick', components: [wide] })).toEqual({
      '/components/0/components': 'BASE_TYPE_BAD_LENGTH',
    });
  });

  test('a select fills a row', async () => {
    expect(await refused({ content: 'Pick', components: [row(button('a'), select())] })).toEqual({
      '/components/0/components/1': 'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
    });
  });

  test('a legacy message has at most five rows', async () => {
    const rows = many(6, (index) => row(button(`b${index}`)));
    expect(await refused({ content: 'Pick', components: rows })).toEqual({ '/components': 'BASE_TYPE_MAX_LENGTH' });
    await allowed(v2(...rows));
    app.discord.user(app.ana).reload();
  });

  test('the same custom id twice is refused, disabled or not', async () => {
    const rows = [row(button('a'), button('b')), row(button('a', { disabled: true }))];
    expect(await refused({ content: 'Pick', components: rows })).toEqual({
      '/components/1/components/0/custom_id': 'COMPONENT_CUSTOM_ID_DUPLICATED',
    });
  });

  test('what may not stand in a row is refused', async () => {
    expect(await refused({ content: 'Pick', components: [row(text('no'))] })).toEqual({
      '/components/0/components/0/type': 'UNION_TYPE_CHOICES',
    });
  });
});

describe('selects', () => {
  const option = (more: Obj): Obj => select({ options: [{ label: 'Red', value: 'r', ...more }] });

  test.each<[string, Obj, string, string]>([
    [
      '26 options',
      select({ options: many(26, (i) => ({ label: `l${i}`, value: `v${i}` })) }),
      'options',
      'BASE_TYPE_BAD_LENGTH',
    ],
    ['no options', select({ options: [] }), 'options', 'BASE_TYPE_BAD_LENGTH'],
    ['an option label over 100', option({ label: 'x'.repeat(101) }), 'options/0/label', 'BASE_TYPE_BAD_LENGTH'],
    ['an empty option label', option({ label: '' }), 'options/0/label', 'BASE_TYPE_REQUIRED'],
    ['an option value over 100', option({ value: 'x'.repeat(101) }), 'options/0/value', 'BASE_TYPE_BAD_LENGTH'],
    [
      'an option description over 100',
      option({ description: 'x'.repeat(101) }),
      'options/0/description',
      'BASE_TYPE_MAX_LENGTH',
    ],
    ['a placeholder over 150', select({ placeholder: 'x'.repeat(151) }), 'placeholder', 'BASE_TYPE_MAX_LENGTH'],
    ['more choices than options', select({ max_values: 3 }), '', 'SELECT_COMPONENT_MAX_VALUES_TOO_LARGE'],
    [
      'a minimum above the maximum',
      select({ min_values: 2, max_values: 1 }),
      'min_values',
      'SELECT_COMPONENT_MIN_VALUES_TOO_LARGE',
    ],
    [
      'a maximum above 25',
      select({ max_values: 26 }),
      'max_values',
      'NUMBER_TYPE_MAX SELECT_COMPONENT_MAX_VALUES_TOO_LARGE',
    ],
    [
      'a value twice',
      select({
        options: [
          { label: 'A', value: 'v' },
          { label: 'B', value: 'v' },
        ],
      }),
      'options/1/value',
      'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
    ],
    [
      'more defaults than may be chosen',
      select({
        options: [
          { label: 'A', value: 'a', default: true },
          { label: 'B', value: 'b', default: true },
        ],
      }),
      'options',
      'SELECT_COMPONENT_TOO_MANY_DEFAULTS',
    ],
  ])('%s is refused', async (_, wrong, key, code) => {
    const path = `/components/0/components/0${key === '' ? '/max_values' : `/${key}`}`;
    expect(await refused({ content: 'Pick', components: [row(wrong)] })).toEqual({ [path]: code });
  });
});

describe('messages', () => {
  test.each<[string, Obj, Record<string, string>]>([
    ['content over 2000', { content: 'x'.repeat(2001) }, { '/content': 'BASE_TYPE_MAX_LENGTH' }],
    ['a nonce over 25', { content: 'x', nonce: 'n'.repeat(26) }, { '/nonce': 'BASE_TYPE_MAX_LENGTH' }],
    ['eleven embeds', { embeds: many(11, () => ({ title: 'x' })) }, { '/embeds': 'BASE_TYPE_MAX_LENGTH' }],
    [
      'an embed title over 256',
      { embeds: [{ title: 'x'.repeat(257) }] },
      { '/embeds/0/title': 'BASE_TYPE_MAX_LENGTH' },
    ],
    [
      'embeds of more than 6000 together',
      { embeds: [{ description: 'x'.repeat(3001) }, { description: 'x'.repeat(3000) }] },
      { '/embeds': 'MAX_EMBED_SIZE_EXCEEDED' },
    ],
    [
      'an unknown kind of mention',
      { content: 'x', allowed_mentions: { parse: ['all'] } },
      { '/allowed_mentions/parse/0': 'BASE_TYPE_CHOICES' },
    ],
    [
      'mentions parsed and listed',
      { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } },
      { '/allowed_mentions': 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE' },
    ],
    [
      'a component of V2 without the flag',
      { content: 'x', components: [text('x')] },
      { '/components/0/type': 'UNION_TYPE_CHOICES' },
    ],
    [
      'content beside components of V2',
      { ...v2(text('x')), content: 'y' },
      { '/content': 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2' },
    ],
    [
      'a reply to nothing',
      { content: 'x', message_reference: { message_id: '1' } },
      { '/message_reference': 'REPLIES_UNKNOWN_MESSAGE' },
    ],
    ['what only the published description forbids', { content: 'x', tts: 'loud' }, { '/tts': 'SPEC' }],
    ['components that are no list', { content: 'x', components: {} }, { '/components': 'LIST_TYPE_CONVERT' }],
    [
      'a file that was not sent',
      { content: 'x', attachments: [{ id: 0 }] },
      { '/attachments/0': 'ATTACHMENT_NOT_FOUND' },
    ],
  ])('%s is refused', async (_, body, told) => {
    expect(await refused(body)).toEqual(told);
  });

  test('an empty message is refused by its own code', async () => {
    for (const body of [{}, { content: ' ' }, v2(), { components: [row(button('a'))] }]) {
      const reply = await app.call('POST', `/channels/${app.channel}/messages`, body);
      expect(reply).toMatchObject({ status: 400, body: { code: 50006 } });
    }
  });

  test('text that is no JSON is refused', async () => {
    const response = await fetch(`${app.discord.apiUrl}/v10/channels/${app.channel}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${app.discord.botToken}`, 'content-type': 'application/json' },
      body: '{',
    });
    expect(await response.json()).toMatchObject({ code: 50109 });
  });
});

describe('components V2', () => {
  test('41 components are refused, those inside others counted', async () => {
    const texts = many(40, () => text('x'));
    await allowed(v2(...texts));
    const reply = await app.call('POST', `/channels/${app.channel}/messages`, v2({ type: 17, components: texts }));
    expect(codes(reply.body)).toEqual({ '/components': 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED' });
    app.discord.takeViolations();
  });

  test('more than 4000 characters in all texts together are refused', async () => {
    expect(await refused(v2(text('x'.repeat(2000)), text('x'.repeat(2001))))).toEqual({
      '/components': 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
    });
  });

  test('more than 10170 processed bytes are answered with 500, and the list says why', async () => {
    // The reporter's boundary: 10158 bytes of text in one display.
    const reply = (bytes: number) => {
      const wide = '語'.repeat(3386);
      return app.call('POST', `/channels/${app.channel}/messages`, v2(text(wide + 'x'.repeat(bytes - 3 * 3386))));
    };
    expect((await reply(10_158)).status).toBe(200);
    expect(await reply(10_159)).toMatchObject({ status: 500 });
    expect(app.discord.takeViolations()).toMatchObject([{ rule: 'TOO_LARGE' }]);
  });

  test('65 pictures are answered with 500', async () => {
    const picture = { media: { url: 'https://a.example/a.png' } };
    const galleries = many(7, (index) => ({ type: 12, items: many(index < 6 ? 10 : 5, () => picture) }));
    const reply = await app.call('POST', `/channels/${app.channel}/messages`, v2(...galleries));
    expect(reply.status).toBe(500);
    expect(app.discord.takeViolations()).toHaveLength(1);
  });

  test.each<[string, Obj, string]>([
    ['a section without accessory', { type: 9, components: [text('x')] }, '/components/0/accessory'],
    [
      'a section of four texts',
      { type: 9, components: many(4, () => text('x')), accessory: button('a') },
      '/components/0/components',
    ],
    [
      'a select as accessory',
      { type: 9, components: [text('x')], accessory: select() },
      '/components/0/accessory/type',
    ],
    [
      'a container in a container',
      { type: 17, components: [{ type: 17, components: [text('x')] }] },
      '/components/0/components/0/type',
    ],
    ['an empty container', { type: 17, components: [] }, '/components/0/components'],
    ['a bare button', button('a'), '/components/0/type'],
    ['an empty text', text(''), '/components/0/content'],
    [
      'a colour above white',
      { type: 17, accent_color: 0x1000000, components: [text('x')] },
      '/components/0/accent_color',
    ],
    ['a wide separator', { type: 14, spacing: 3 }, '/components/0/spacing'],
    ['a file that was not sent', { type: 13, file: { url: 'attachment://a.txt' } }, '/components/0/file/url'],
  ])('%s is refused', async (_, component, path) => {
    expect(Object.keys(await refused(v2(component)))).toEqual([path]);
  });

  test('the flag cannot be taken back, and an edit of such a message takes no content', async () => {
    const id = await app.post(v2(text('one')));
    const path = `/channels/${app.channel}/messages/${id}`;
    const reply = await app.call('PATCH', path, { flags: 0, components: [text('two')] });
    expect(reply).toMatchObject({ status: 200, body: { flags: 1 << 15 } });
    expect((await app.call('PATCH', path, { content: 'three' })).body['code']).toBe(50035);
    expect(app.discord.takeViolations()).toMatchObject([{ pointer: '/content' }]);
  });
});

describe('commands', () => {
  const put = (commands: Obj[]) => app.call('PUT', `/applications/${app.discord.applicationId}/commands`, commands);

  test.each<[string, Obj, string]>([
    ['a name with capitals', { name: 'Pending', description: 'x' }, 'name'],
    ['a name with a space', { name: 'two words', description: 'x' }, 'name'],
    ['no description', { name: 'pending' }, 'description'],
    ['a description over 100', { name: 'pending', description: 'x'.repeat(101) }, 'description'],
  ])('%s is refused', async (_, command, key) => {
    const reply = await put([command]);
    expect(Object.keys(codes(reply.body))).toEqual([`/0/${key}`]);
    app.discord.takeViolations();
  });

  test('the same name twice is refused', async () => {
    const command = { name: 'pending', description: 'What is open' };
    expect(codes((await put([command, command])).body)).toEqual({ '/1/name': 'APPLICATION_COMMANDS_DUPLICATE_NAME' });
    app.discord.takeViolations();
    expect((await put([command])).status).toBe(200);
  });
});
