import { describe, expect, test } from 'vitest';
import { checkMessageBlocks, checkView } from './surfaces.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const button = (extra: object = {}) => ({ type: 'button', action_id: 'a', text: plain('A'), ...extra });
const actions = (...elements: object[]) => [{ type: 'actions', elements }];
const option = (value: string, extra: object = {}) => ({ text: plain(`option ${value.slice(0, 9)}`), value, ...extra });
const section = (extra: object) => [{ type: 'section', ...extra }];
const input = (element: object, extra: object = {}) => ({
  type: 'input',
  block_id: 'i',
  label: plain('L'),
  element,
  ...extra,
});
const rich = (...elements: object[]) => [{ type: 'rich_text', elements }];
const literal = (text: string) => ({ type: 'text', text });

describe('message blocks', () => {
  test.each<[string, unknown]>([
    [
      'a section with text, fields and an accessory',
      section({ text: plain('x'), fields: [plain('y')], accessory: button() }),
    ],
    ['a section of 3000 astral characters', section({ text: plain('😀'.repeat(3000)), expand: true })],
    ['25 buttons', actions(...Array.from({ length: 25 }, (_, i) => button({ action_id: `a${i}` })))],
    ['an option value of 150', actions({ type: 'static_select', action_id: 's', options: [option('v'.repeat(150))] })],
    [
      'mrkdwn in radio buttons',
      actions({
        type: 'radio_buttons',
        action_id: 'r',
        options: [{ text: { type: 'mrkdwn', text: '*x*' }, value: '1' }],
      }),
    ],
    [
      'every rich text part',
      rich(
        {
          type: 'rich_text_section',
          elements: [literal('x'), { type: 'user', user_id: 'U1' }, { type: 'link', url: 'https://x.y' }],
        },
        { type: 'rich_text_preformatted', elements: [literal('rm')] },
        { type: 'rich_text_quote', elements: [literal('q')] },
        {
          type: 'rich_text_list',
          style: 'ordered',
          elements: [{ type: 'rich_text_section', elements: [literal('1')] }],
        },
      ),
    ],
    ['an input block', [input({ type: 'plain_text_input', action_id: 't' })]],
    ['a table', [{ type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] }]],
    ['50 dividers', Array.from({ length: 50 }, () => ({ type: 'divider' }))],
    ['no blocks', []],
  ])('%s is legal', (_, blocks) => {
    expect(checkMessageBlocks(blocks)).toEqual({ issues: [] });
  });

  test.each<[string, unknown, string, RegExp]>([
    ['an unknown block', [{ type: 'video' }], '/blocks/0/type', /unsupported type/],
    ['an unknown member', section({ text: plain('x'), colour: 1 }), '/blocks/0', /invalid additional property: colour/],
    ['an empty section', section({}), '/blocks/0', /missing required field: text/],
    ['an empty text', section({ text: plain('') }), '/blocks/0/text/text', /more than 0 characters/],
    ['half a surrogate pair', section({ text: plain('😀'.slice(0, 1)) }), '/blocks/0/text/text', /valid unicode/],
    [
      '11 fields',
      section({ fields: Array.from({ length: 11 }, () => plain('x')) }),
      '/blocks/0/fields',
      /no more than 10/,
    ],
    ['a field of 2001', section({ fields: [plain('x'.repeat(2001))] }), '/blocks/0/fields/0/text', /less than 2001/],
    [
      'a header in mrkdwn',
      [{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }],
      '/blocks/0/text/type',
      /unsupported/,
    ],
    ['a header of 151', [{ type: 'header', text: plain('x'.repeat(151)) }], '/blocks/0/text/text', /less than 151/],
    [
      '26 buttons',
      actions(...Array.from({ length: 26 }, (_, i) => button({ action_id: `a${i}` }))),
      '/blocks/0/elements',
      /no more than 25/,
    ],
    [
      'a button label of 76',
      actions(button({ text: plain('x'.repeat(76)) })),
      '/blocks/0/elements/0/text/text',
      /less than 76/,
    ],
    [
      'a button value of 2001',
      actions(button({ value: 'x'.repeat(2001) })),
      '/blocks/0/elements/0/value',
      /less than 2001/,
    ],
    ['a button style nobody knows', actions(button({ style: 'green' })), '/blocks/0/elements/0/style', /enum/],
    [
      'an action_id of 256',
      actions(button({ action_id: 'x'.repeat(256) })),
      '/blocks/0/elements/0/action_id',
      /less than 256/,
    ],
    ['an action_id twice', actions(button(), button()), '/blocks/0', /`a` already exists/],
    [
      'a block_id twice',
      [...section({ block_id: 'b', text: plain('x') }), { type: 'divider', block_id: 'b' }],
      '/blocks/1/block_id',
      /already exists/,
    ],
    [
      'a confirm text of 301',
      actions(button({ confirm: { text: plain('x'.repeat(301)) } })),
      '/blocks/0/elements/0/confirm/text/text',
      /less than 301/,
    ],
    [
      'a text input among actions',
      actions({ type: 'plain_text_input', action_id: 't' }),
      '/blocks/0/elements/0/type',
      /unsupported/,
    ],
    ['a button in an input block', [input(button())], '/blocks/0/element/type', /unsupported/],
    [
      'an option value of 151',
      actions({ type: 'static_select', action_id: 's', options: [option('v'.repeat(151))] }),
      '/blocks/0/elements/0/options/0/value',
      /less than 151/,
    ],
    [
      '101 options',
      actions({
        type: 'static_select',
        action_id: 's',
        options: Array.from({ length: 101 }, (_, i) => option(`${i}`)),
      }),
      '/blocks/0/elements/0/options',
      /no more than 100/,
    ],
    [
      '11 checkboxes',
      actions({ type: 'checkboxes', action_id: 'c', options: Array.from({ length: 11 }, (_, i) => option(`${i}`)) }),
      '/blocks/0/elements/0/options',
      /no more than 10/,
    ],
    [
      '6 overflow items',
      actions({ type: 'overflow', action_id: 'o', options: Array.from({ length: 6 }, (_, i) => option(`${i}`)) }),
      '/blocks/0/elements/0/options',
      /no more than 5/,
    ],
    [
      'mrkdwn in a select',
      actions({
        type: 'static_select',
        action_id: 's',
        options: [{ text: { type: 'mrkdwn', text: 'x' }, value: '1' }],
      }),
      '/blocks/0/elements/0/options/0/text/type',
      /unsupported/,
    ],
    [
      'a url in a select option',
      actions({ type: 'static_select', action_id: 's', options: [option('1', { url: 'https://x.y' })] }),
      '/blocks/0/elements/0/options/0',
      /additional property: url/,
    ],
    [
      'an initial option that is not offered',
      actions({ type: 'static_select', action_id: 's', options: [option('1')], initial_option: option('2') }),
      '/blocks/0/elements/0/initial_option',
      /match one/,
    ],
    [
      'options and groups',
      actions({
        type: 'static_select',
        action_id: 's',
        options: [option('1')],
        option_groups: [{ label: plain('g'), options: [option('2')] }],
      }),
      '/blocks/0/elements/0',
      /exactly one/,
    ],
    [
      '11 context elements',
      [{ type: 'context', elements: Array.from({ length: 11 }, () => plain('x')) }],
      '/blocks/0/elements',
      /no more than 10/,
    ],
    ['an empty rich text', rich(), '/blocks/0/elements', /no fewer than 1/],
    [
      'a mention in preformatted text',
      rich({ type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: 'U1' }] }),
      '/blocks/0/elements/0/elements/0/type',
      /unsupported/,
    ],
    [
      'an empty rich text element',
      rich({ type: 'rich_text_section', elements: [literal('')] }),
      '/blocks/0/elements/0/elements/0/text',
      /more than 0/,
    ],
    [
      'an indent of 9',
      rich({
        type: 'rich_text_list',
        style: 'bullet',
        indent: 9,
        elements: [{ type: 'rich_text_section', elements: [literal('x')] }],
      }),
      '/blocks/0/elements/0/indent',
      /between 0 and 8/,
    ],
    ['51 blocks', Array.from({ length: 51 }, () => ({ type: 'divider' })), '/blocks', /no more than 50/],
    ['blocks that are no list', { type: 'divider' }, '/blocks', /array/],
    ['an image without a source', [{ type: 'image', alt_text: 'x' }], '/blocks/0', /exactly one/],
    [
      'markdown beyond 12,000',
      [
        { type: 'markdown', text: 'x'.repeat(7000) },
        { type: 'markdown', text: 'x'.repeat(7000) },
      ],
      '/blocks',
      /12001/,
    ],
  ])('%s is refused', (_, blocks, pointer, message) => {
    const { error, issues } = checkMessageBlocks(blocks);
    expect(error).toBe('invalid_blocks');
    expect(issues).toContainEqual({ pointer, message: expect.stringMatching(message) });
  });

  test('legal blocks with too much text together are refused', () => {
    const blocks = Array.from({ length: 5 }, () => ({ type: 'section', text: plain('x'.repeat(2900)) }));
    expect(checkMessageBlocks(blocks).error).toBe('msg_blocks_too_long');
  });
});

describe('views', () => {
  const modal = (extra: object = {}) => ({ type: 'modal', title: plain('T'), blocks: [{ type: 'divider' }], ...extra });

  test('a modal with an input needs a submit button', () => {
    const blocks = [input({ type: 'plain_text_input', action_id: 't' })];
    expect(checkView(modal({ blocks }), 'modal')).toMatchObject({
      error: 'invalid_arguments',
      issues: [{ pointer: '/view', message: 'missing required field: submit' }],
    });
    expect(checkView(modal({ blocks, submit: plain('Send') }), 'modal')).toEqual({ issues: [] });
  });

  test.each<[string, object, string]>([
    ['a title of 25', modal({ title: plain('x'.repeat(25)) }), '/view/title/text'],
    ['a submit text of 25', modal({ submit: plain('x'.repeat(25)) }), '/view/submit/text'],
    ['private_metadata of 3001', modal({ private_metadata: 'x'.repeat(3001) }), '/view/private_metadata'],
    ['101 blocks', modal({ blocks: Array.from({ length: 101 }, () => ({ type: 'divider' })) }), '/view/blocks'],
    ['a home view', { type: 'home', blocks: [] }, '/view/type'],
    [
      'two focused elements',
      modal({
        submit: plain('S'),
        blocks: ['a', 'b'].map((id) => input({ type: 'plain_text_input', focus_on_load: true }, { block_id: id })),
      }),
      '/view/blocks',
    ],
  ])('a modal with %s is refused', (_, view, pointer) => {
    const { error, issues } = checkView(view, 'modal');
    expect(error).toBe('invalid_arguments');
    expect(issues.map((one) => one.pointer)).toContain(pointer);
  });

  test('a view beyond 250 kB is refused', () => {
    const text = 'x'.repeat(2900);
    const blocks = Array.from({ length: 95 }, () => ({ type: 'section', text: plain(text) }));
    expect(checkView(modal({ blocks }), 'modal').error).toBe('view_too_large');
  });
});
