import { expect, it } from 'vitest';
import { inertJson, inertLine } from '../../../src/cli/inert.ts';

const HOSTILE = 'a\u001b[2Jb\u009b31mc\u202ed\u200be\r\nf\u{e0041}';

it('an agent’s text cannot steer a terminal: what is special is shown', () => {
  expect(inertLine(HOSTILE)).toBe('a⟨U+001B⟩[2Jb⟨U+009B⟩31mc⟨U+202E⟩d⟨U+200B⟩e ⏎ f⟨U+E0041⟩');
  const words = 'Grüße, 世界 👍🏽 ⚠️ 👨‍👩‍👧';
  expect(inertLine(words)).toBe(words);
});

it('JSON keeps it to the letter, and is plain text itself', () => {
  const json = inertJson({ text: HOSTILE });
  expect(JSON.parse(json)).toEqual({ text: HOSTILE });
  expect(json).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
