import { expect, test } from 'vitest';
import type { Directory, Found } from './directory.ts';
import { createPen, type Pen } from './text.ts';

const directory: Directory = {
  user: (id) => (id === 'U1' ? 'Ana' : undefined),
  channel: (id) => (id === 'C1' ? 'general' : undefined),
  group: (id) => (id === 'S1' ? 'oncall' : undefined),
  channelNamed: (name) => (name === 'general' ? 'C1' : undefined),
  userNamed: (name) => (name === 'ana' ? 'U1' : undefined),
};

const draw = (use: (pen: Pen) => { plain: string; parts: unknown }) => {
  const found: Found[] = [];
  const text = use(createPen(directory, (one) => found.push(one)));
  return { ...text, found: found.map((one) => `${one.kind}:${one.target}`) };
};
const mrkdwn = (text: string, extra: object = {}) => draw((pen) => pen.text({ type: 'mrkdwn', text, ...extra }, ''));

test.each([
  ['<!channel> <!here> <!everyone>', '@channel @here @everyone', ['channel:channel', 'here:here', 'everyone:everyone']],
  ['<@U1> and <@U9|bob>', '@Ana and @bob', ['user:U1', 'user:U9']],
  ['<!subteam^S1|@x> in <#C1>', '@oncall in #general', ['group:S1', 'channel_link:C1']],
  ['<https://evil.example|https://good.example>', 'https://good.example', ['link:https://evil.example']],
  ['see https://x.example/a?b=1&amp;c', 'see https://x.example/a?b=1&c', ['link:https://x.example/a?b=1&c']],
  ['`<!channel>` and ```<@U1>```', '@channel and \n@Ana', ['channel:channel', 'user:U1']],
  ['hi @here, @ana, #general', 'hi @here, @ana, #general', ['here:here', 'user:U1', 'channel_link:C1']],
  ['<!date^1700000000^{time} UTC|later>', '22:13 UTC', []],
  ['<javascript:alert(1)>', '<javascript:alert(1)>', []],
])('mrkdwn %j takes effect', (text, plain, found) => {
  expect(mrkdwn(text)).toMatchObject({ plain, found });
});

test.each(['&lt;!channel&gt; &lt;@U1&gt; &lt;https://x|y&gt;', 'a < b, c > d & e', '@here https://x.example #general'])(
  'verbatim mrkdwn %j is inert',
  (text) => {
    expect(mrkdwn(text, { verbatim: true }).found).toEqual([]);
  },
);

test('plain text is inert, and draws shortcodes unless told not to', () => {
  const plain = (extra: object) =>
    draw((pen) => pen.text({ type: 'plain_text', text: '<!channel> *b* :warning:', ...extra }, ''));
  expect(plain({})).toMatchObject({ plain: '<!channel> *b* ⚠️', found: [] });
  expect(plain({ emoji: false })).toMatchObject({ plain: '<!channel> *b* :warning:', found: [] });
});

test('rich text is literal but for its own mention elements', () => {
  const text = '<!channel> &amp; `x` :warning:';
  const drawn = draw((pen) =>
    pen.rich(
      [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text },
            { type: 'user', user_id: 'U1' },
          ],
        },
        {
          type: 'rich_text_list',
          style: 'ordered',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
        },
      ],
      '',
    ),
  );
  expect(drawn).toMatchObject({ plain: `${text}@Ana\n1. one`, found: ['user:U1'] });
});

test('styles, quotes and fences become parts', () => {
  expect(mrkdwn('*bold* _it_ ~no~ `x*y*` snake_case_name\n&gt; quoted\n```\nrm -rf *a*\n```').parts).toEqual([
    {
      kind: 'paragraph',
      indent: 0,
      spans: [
        { kind: 'text', text: 'bold', bold: true },
        { kind: 'text', text: ' ' },
        { kind: 'text', text: 'it', italic: true },
        { kind: 'text', text: ' ' },
        { kind: 'text', text: 'no', strike: true },
        { kind: 'text', text: ' ' },
        { kind: 'text', text: 'x*y*', code: true },
        { kind: 'text', text: ' snake_case_name' },
      ],
    },
    { kind: 'quote', indent: 0, spans: [{ kind: 'text', text: 'quoted' }] },
    { kind: 'preformatted', indent: 0, spans: [{ kind: 'text', text: 'rm -rf *a*' }] },
  ]);
});
