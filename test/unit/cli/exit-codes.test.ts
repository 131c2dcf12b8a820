import { describe, expect, it } from 'vitest';
import { exitCodeOf, exitCodeOfSignal } from '../../../src/cli/exit-codes.ts';
import { type ErrorCode, HandraiseError } from '../../../src/core/errors.ts';
import { SurfaceError } from '../../../src/core/ports/surface-adapter.ts';

describe('an exit code', () => {
  it.each([
    ['usage', 64],
    ['invalid_questions', 64],
    ['invalid_answers', 64],
    ['unavailable', 69],
    ['token_in_use', 69],
    ['store', 69],
    ['invalid_frame', 69],
    ['refused', 77],
    ['configuration', 78],
  ] as [ErrorCode, number][])('of %s is %i', (code, exitCode) => {
    expect(exitCodeOf(new HandraiseError('x', { code }))).toBe(exitCode);
  });

  it('of a chat platform that refuses, and of what nobody foresaw, is 69', () => {
    expect(exitCodeOf(new SurfaceError('x', { platformCode: 'invalid_auth' }))).toBe(69);
    expect(exitCodeOf(new TypeError('x'))).toBe(69);
    expect(exitCodeOf('x')).toBe(69);
  });

  it('of a signal is 128 and its number', () => {
    expect([exitCodeOfSignal('SIGINT'), exitCodeOfSignal('SIGTERM'), exitCodeOfSignal('SIGKILL')]).toEqual([
      130, 143, 137,
    ]);
  });
});
