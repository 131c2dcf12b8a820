import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Found, LineReader } from '../../../src/listener/framing.ts';

function read(chunks: readonly Buffer[], maxBytes = 100): Found[] {
  const found: Found[] = [];
  const reader = new LineReader(maxBytes, (each) => found.push(each));
  for (const chunk of chunks) reader.read(chunk);
  reader.end();
  return found;
}

test('finds the same lines however the bytes are cut', () => {
  const line = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter((text) => text.trim() !== '' && !text.includes('\n'));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.array(fc.nat({ max: 200 })), (lines, cuts) => {
      const bytes = Buffer.from(lines.join('\n'));
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(read(chunks, 1_000)).toEqual(lines.map((text) => ({ line: text })));
    }),
  );
});

test('takes a line of exactly the limit and tells one byte more once', () => {
  expect(read([Buffer.from(`${'x'.repeat(100)}\n`)])).toEqual([{ line: 'x'.repeat(100) }]);
  const long = ['x'.repeat(60), 'x'.repeat(60), 'x'.repeat(60), 'x\nnext\n'].map((text) => Buffer.from(text));
  expect(read(long)).toEqual([{ fault: 'too_long' }, { line: 'next' }]);
});

test('skips blank lines and takes what is left at the end', () => {
  expect(read([Buffer.from('\n  \r\n\na\n\nb')])).toEqual([{ line: 'a' }, { line: 'b' }]);
});

test('tells bytes that are no text instead of replacing them', () => {
  expect(read([Buffer.of(0x61, 0xff, 0x0a, 0x62, 0x0a)])).toEqual([{ fault: 'not_utf8' }, { line: 'b' }]);
});

test('knows whether a line has begun', () => {
  const reader = new LineReader(3, () => undefined);
  const states = ['a', 'b\n', 'long', 'er', '\n'].map((text) => {
    reader.read(Buffer.from(text));
    return reader.openLine !== undefined;
  });
  expect(states).toEqual([true, false, true, true, false]);
});
