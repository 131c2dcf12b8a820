import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWords } from '../../../src/agents/shell-words.ts';

test('plain words stay as they are, others are quoted', () => {
  expect(shellWords(['/usr/bin/node', '/a b/hook.cjs', "it's", ''])).toBe(
    "/usr/bin/node '/a b/hook.cjs' 'it'\\''s' ''",
  );
});

test('a shell takes the line apart into exactly the words', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\0', ''));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const script = `for word in ${shellWords(words)}; do printf '%s\\0' "$word"; done`;
      const said = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
      expect(said.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 30 },
  );
});
