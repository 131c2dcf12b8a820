import { describe, expect, it } from 'vitest';
import { isSet, namesIn, usesOf, valuesOf } from '../../../src/agents/flags.ts';

describe('the values of a list flag', () => {
  it.each([
    ['after the flag', ['--tools', 'a', 'b', '-p', 'c'], ['a', 'b']],
    ['after an equals sign, which takes no more', ['--tools=a', 'b'], ['a']],
    ['over all its uses', ['--tools', 'a', '-p', '--tools=b'], ['a', 'b']],
    ['up to the end', ['-p', '--tools', 'a', 'b'], ['a', 'b']],
    ['a first one with a dash', ['--tools', '-x', '-p'], ['-x']],
    ['a lone dash', ['--tools', 'a', '-', '-p'], ['a', '-']],
    ['none after --', ['--', '--tools', 'a'], []],
    ['only those before --', ['--tools', 'a', '--', 'b'], ['a']],
    ['none of a longer flag', ['--tools-more', 'a', '--toolsmore=b'], []],
    ['an empty one', ['--tools='], ['']],
    ['none at all', ['--tools'], []],
  ])('are those %s', (_, args, values) => {
    expect(valuesOf(args, ['--tools'])).toEqual(values);
  });

  it.each([
    ['Bash', ['Bash']],
    ['Bash,Edit', ['Bash', 'Edit']],
    ['Bash(git *) Edit', ['Bash(git *)', 'Edit']],
    [' Bash(git log:*, x),, mcp__a__b ', ['Bash(git log:*, x)', 'mcp__a__b']],
    ['Bash(open', ['Bash(open']],
    ['', []],
  ])('%j hold the names %j', (value, names) => {
    expect(namesIn(value)).toEqual(names);
  });
});

describe('a flag with one value', () => {
  it('takes exactly one argument', () => {
    expect(usesOf(['a', '--to', 'b', 'c'], ['--to'], 'one')).toEqual([{ at: 1, length: 2, values: ['b'] }]);
    expect(usesOf(['--to'], ['--to'], 'one')).toEqual([{ at: 0, length: 1, values: [] }]);
  });
});

describe('a switch', () => {
  it('counts before -- only', () => {
    expect(isSet(['-p', '--safe-mode'], '--safe-mode')).toBe(true);
    expect(isSet(['-p', '--', '--safe-mode'], '--safe-mode')).toBe(false);
  });
});
