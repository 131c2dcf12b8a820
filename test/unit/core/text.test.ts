import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutTo, ellipsised, isBlank, lengthOf } from '../../../src/core/text.ts';

const FAMILY = '👩‍👩‍👧‍👦';
const FLAG = '🇩🇪';

describe('lengthOf', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['😀', 1],
    [FLAG, 2],
    [FAMILY, 7],
    ['שלום', 4],
    ['\uD83D', 1],
  ])('counts code points: %j has %i', (text, length) => {
    expect(lengthOf(text)).toBe(length);
  });
});

describe('cutTo', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['abc', 0, ''],
    [`a${FLAG}b`, 2, 'a'],
    [`a${FLAG}b`, 3, `a${FLAG}`],
    [`${FAMILY}x`, 6, ''],
    [`${FAMILY}x`, 7, FAMILY],
    ['ae\u0301b', 2, 'a'],
    ['😀😀😀', 2, '😀😀'],
  ])('keeps whole characters: %j at most %i is %j', (text, limit, cut) => {
    expect(cutTo(text, limit)).toBe(cut);
  });

  it('returns a prefix within the limit that ends between characters, and the text itself when it fits', () => {
    const text = fc.string({ unit: fc.constantFrom('a', FLAG, FAMILY, 'e\u0301', '😀', '\n', 'ש'), maxLength: 30 });
    const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    fc.assert(
      fc.property(text, fc.nat({ max: 60 }), (whole, limit) => {
        const cut = cutTo(whole, limit);
        expect(lengthOf(cut)).toBeLessThanOrEqual(limit);
        expect(whole.startsWith(cut)).toBe(true);
        if (lengthOf(whole) <= limit) expect(cut).toBe(whole);
        const ends = [0, ...[...graphemes.segment(whole)].map(({ index, segment }) => index + segment.length)];
        expect(ends).toContain(cut.length);
      }),
    );
  });
});

describe('ellipsised', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['😀😀😀', 2, '😀…'],
    [`${FAMILY}x`, 7, '…'],
  ])('shows that %j was cut at %i: %j', (text, limit, cut) => {
    expect(ellipsised(text, limit)).toBe(cut);
  });
});

describe('isBlank', () => {
  it('is true for white space and for characters that draw nothing', () => {
    expect(['', ' ', '\t\n', '\u00A0', '\uFEFF', '\u200B', '\u3164', ' \u2060\uFE0F'].every(isBlank)).toBe(true);
    expect(['.', ' a ', '\u0000', '\u200Ba'].some(isBlank)).toBe(false);
  });
});
