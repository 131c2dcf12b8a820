import { expect, test } from 'vitest';
import { escaped } from '../../../../adapters/slack/escape.ts';
import { fitted, shortened } from '../../../../adapters/slack/fit.ts';
import { visible, visibleLine } from '../../../../src/core/visible.ts';

test.each([
  ['a right-to-left override', 'rm \u202Efdp.sh', 'rm ⟨U+202E⟩fdp.sh'],
  ['an isolate', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
  ['zero-width characters', 'a\u200Bb\u200Cc\u2060d\uFEFFe\u00ADf', 'a⟨U+200B⟩b⟨U+200C⟩c⟨U+2060⟩d⟨U+FEFF⟩e⟨U+00AD⟩f'],
  ['a tag character', 'a\u{E0041}b', 'a⟨U+E0041⟩b'],
  ['fillers that look like nothing', '\u3164\u115F\u2800', '⟨U+3164⟩⟨U+115F⟩⟨U+2800⟩'],
  ['a lone variation selector', 'a\uFE0Fb', 'a⟨U+FE0F⟩b'],
  ['control characters', 'a\u0007\u001B[31mb\u007F\u0085c', 'a␇␛[31mb␡⟨U+0085⟩c'],
  ['a carriage return that would overwrite', 'good\rbad', 'good␍bad'],
  ['line and paragraph separators', 'a\u2028b\u2029c', 'a⟨U+2028⟩b⟨U+2029⟩c'],
  ['half a surrogate pair', 'a\uD83Db', 'a⟨U+D83D⟩b'],
])('draws %s', (_, text, drawn) => {
  expect(visible(text)).toBe(drawn);
});

test.each([
  ['emoji with their selectors and joiners', '❤️ 👩🏽‍💻 👨‍👩‍👧 1️⃣ 🇩🇪 ™'],
  ['right-to-left scripts', 'שלום, مرحبا'],
  ['accents and CJK', 'é 其他 ñ'],
  ['single line breaks and tabs', 'a\nb\tc\n\nd'],
  ['Windows line ends, as line ends', 'a\nb'],
])('keeps %s', (_, text) => {
  expect(visible(text.replaceAll('\n', '\r\n'))).toBe(text);
});

test('counts blanks that could push something out of sight', () => {
  expect(visible(`a${' '.repeat(200)}b`)).toBe('a⟨200 blanks⟩b');
  expect(visible('a\u00A0\u2003 \tb')).toBe('a⟨4 blanks⟩b');
  expect(visible(`a${'\n'.repeat(30)}b`)).toBe('a\n⟨29 blank lines⟩\nb');
  expect(visible('a   b')).toBe('a   b');
});

test('keeps the columns of a preview, and counts what is wider', () => {
  expect(visible('if (x)\n        y();', 40)).toBe('if (x)\n        y();');
  expect(visible(`a${' '.repeat(41)}b`, 40)).toBe('a⟨41 blanks⟩b');
});

test('puts text on one line where there is only one', () => {
  expect(visibleLine('  a\n\n b ')).toBe('a ⏎ b');
});

test('escapes exactly what Slack reads as markup, and what already looks escaped', () => {
  expect(escaped('<!channel> & <@U1> &lt;')).toBe('&lt;!channel&gt; &amp; &lt;@U1&gt; &amp;lt;');
});

test('says how much was cut off', () => {
  const cut = fitted('x'.repeat(5_000), 100);
  expect(cut).toMatch(/^x+… ⟨\d+ more characters⟩$/);
  expect(cut.length).toBeLessThanOrEqual(100);
  const hidden = Number(/⟨(\d+)/.exec(cut)?.[1]);
  expect(hidden + cut.indexOf('…')).toBe(5_000);
});

test('cuts between graphemes and measures entities', () => {
  expect(shortened('👩🏽‍💻'.repeat(20), 75)).toMatch(/^(?:👩🏽‍💻)+…$/u);
  expect(escaped(shortened('&'.repeat(200), 75)).length).toBeLessThanOrEqual(75);
  expect(shortened(`${'a'.repeat(74)}😀`, 75)).toBe(`${'a'.repeat(74)}…`);
});

test('cuts a megabyte without looking at all of it', () => {
  const started = performance.now();
  expect(fitted('ä'.repeat(1_000_000), 3_000).length).toBeLessThanOrEqual(3_000);
  expect(performance.now() - started).toBeLessThan(500);
});
