import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../src/cli/failure.ts';
import { HandraiseError } from '../../../src/core/errors.ts';

describe('a failure', () => {
  const foreseen = new HandraiseError('there is no such file', { code: 'configuration', hint: 'Make one.' });

  it('is one line and a hint', () => {
    expect(failureOf(foreseen, false)).toEqual({
      text: 'handraise: there is no such file\n  Make one.\n',
      exitCode: 78,
    });
  });

  it('stays one line when its sentence has several', () => {
    const { text } = failureOf(new HandraiseError('first\n  second', { code: 'usage' }), false);
    expect(text).toBe('handraise: first; second\n');
  });

  it('that nobody foresaw says so', () => {
    expect(failureOf(new TypeError('x is not a function'), false)).toEqual({
      text: 'handraise: unexpected failure: x is not a function\n  This should not happen: --verbose shows where it did.\n',
      exitCode: 69,
    });
  });

  it('shows its stack and its causes only when asked to', () => {
    const outer = new HandraiseError('outer', { code: 'unavailable', cause: new Error('inner') });
    expect(failureOf(outer, true).text).toMatch(
      /^handraise: outer\nHandraiseError: outer\n {4}at [\s\S]*caused by Error: inner\n {4}at /,
    );
    expect(failureOf(outer, false).text).toBe('handraise: outer\n');
  });
});
