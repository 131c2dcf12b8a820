import { expect, test } from 'vitest';
import type { TextSpan } from '../types.ts';
import type { Effect } from './inline.ts';
import { drawMarkdown } from './markdown.ts';

const names = {
  user: (id: string) => (id === '1' ? 'Ana' : undefined),
  role: (id: string) => (id === '2' ? 'approvers' : undefined),
  channel: (id: string) => (id === '3' ? 'general' : undefined),
  now: () => 1_000_000,
};

const draw = (source: string) => drawMarkdown(source, names);
const spans = (source: string): readonly TextSpan[] => draw(source).parts[0]?.spans ?? [];
const effects = (source: string) => {
  const seen: Effect[] = [];
  drawMarkdown(source, names, (one) => seen.push(one));
  return seen.map(({ kind, target }) => [kind, target]);
};

test.each([
  ['**bold**', { text: 'bold', bold: true }],
  ['*italic*', { text: 'italic', italic: true }],
  ['_italic_', { text: 'italic', italic: true }],
  ['***both***', { text: 'both', bold: true, italic: true }],
  ['__under__', { text: 'under', underline: true }],
  ['~~gone~~', { text: 'gone', strike: true }],
  ['||secret||', { text: 'secret', spoiler: true }],
  ['`code *x*`', { text: 'code *x*', code: true }],
  ['``a ` b``', { text: 'a ` b', code: true }],
  ['**a *b***', { text: 'a ', bold: true }],
])('%s is styled', (source, span) => {
  expect(spans(source)[0]).toMatchObject(span);
});

test.each([
  ['\\*not\\*', '*not*'],
  ['snake_case_name', 'snake_case_name'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['\\`\\`\\`\nno\n\\`\\`\\`', '```\nno\n```'],
  ['\\# no heading', '# no heading'],
  ['#no heading', '#no heading'],
  ['a < b', 'a < b'],
])('%s stays as it is', (source, plain) => {
  expect(draw(source).plain).toBe(plain);
  expect(draw(source).parts.every((part) => part.kind === 'paragraph')).toBe(true);
});

test('lines have their own forms', () => {
  const { parts, plain } = draw('# One\n### Three\n-# small\n> said\n- a\n  - b\n1. first\ntext\nmore');
  expect(parts.map(({ kind, number }) => [kind, number])).toEqual([
    ['heading', 1],
    ['heading', 3],
    ['subtext', undefined],
    ['quote', undefined],
    ['bullet', undefined],
    ['bullet', undefined],
    ['ordered', 1],
    ['paragraph', undefined],
  ]);
  expect(plain).toBe('One\nThree\nsmall\n> said\n• a\n  • b\n1. first\ntext\nmore');
});

test('a code block holds everything as it is', () => {
  const { parts } = draw('before\n```sh\nrm **x** <@1>\n\n# y\n```\nafter');
  expect(parts.map(({ kind, spans: [span] }) => [kind, span?.text])).toEqual([
    ['paragraph', 'before'],
    ['preformatted', 'rm **x** <@1>\n\n# y'],
    ['paragraph', 'after'],
  ]);
});

test('mentions, links, commands and dates are resolved', () => {
  expect(draw('<@1> <@!1> <@9> <@&2> <#3> @here </pending:5> <:hand:7>').plain).toBe(
    '@Ana @Ana @unknown-user @approvers #general @here /pending :hand:',
  );
  expect(draw('<t:1300:R>, <t:700:R>').plain).toBe('in 5 minutes, 5 minutes ago');
  expect(draw('<t:0:t>').plain).toMatch(/^\d\d:\d\d$/);
  expect(draw('[docs](https://a.example/x) <https://b.example> https://c.example/y.').plain).toBe(
    'docs https://b.example https://c.example/y.',
  );
});

test('what takes effect is told, also within marks, and nothing escaped or in code', () => {
  expect(effects('**<@1>** @everyone [x](https://a.example)')).toEqual([
    ['user', '1'],
    ['everyone', 'everyone'],
    ['link', 'https://a.example'],
  ]);
  expect(effects('\\<@1> \\@everyone `<@1>` ```\n@here\n``` \\[x](y)')).toEqual([]);
});
