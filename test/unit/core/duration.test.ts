import { describe, expect, it } from 'vitest';
import { agoInWords, durationInWords, parseDuration } from '../../../src/core/duration.ts';

describe('a duration in configuration', () => {
  it.each([
    ['90s', 90_000],
    ['5m', 300_000],
    ['4h', 14_400_000],
    ['1d', 86_400_000],
    [' 60s ', 60_000],
    ['0s', 0],
  ])('is read: %j is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', '5 m', 'm', '-5m', '1.5h', '5min', '5M', '5m30s', 'never', '５m'])(
    'is refused by name: %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(
        expect.objectContaining({
          code: 'configuration',
          message: `"${text}" is not a duration`,
          hint: 'Write for example 90s, 5m or 4h.',
        }),
      );
    },
  );
});

describe('a duration in words', () => {
  it.each([
    [0, '0 seconds'],
    [1_000, '1 second'],
    [90_000, '90 seconds'],
    [60_000, '1 minute'],
    [300_000, '5 minutes'],
    [299_600, '5 minutes'],
    [3_600_000, '1 hour'],
    [5_400_000, '90 minutes'],
    [86_400_000, '24 hours'],
  ])('%i ms is %j', (ms, words) => {
    expect(durationInWords(ms)).toBe(words);
  });
});

describe('how long ago', () => {
  it.each([
    [-5, 'just now'],
    [400, 'just now'],
    [600, '1 s ago'],
    [12_000, '12 s ago'],
    [59_400, '59 s ago'],
    [60_000, '1 min ago'],
    [3_540_000, '59 min ago'],
    [3_600_000, '1 h ago'],
    [7_200_000, '2 h ago'],
  ])('%i ms is %j', (ms, words) => {
    expect(agoInWords(ms)).toBe(words);
  });

  it('never says 60 min', () => {
    for (let seconds = 3_540; seconds < 3_700; seconds += 1) expect(agoInWords(seconds * 1_000)).not.toBe('60 min ago');
  });
});
