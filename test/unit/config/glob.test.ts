import { describe, expect, it } from 'vitest';
import { globMatches, isGlob, literalHead } from '../../../src/config/glob.ts';

describe('a glob', () => {
  it.each([
    ['*', '/home/ana/code/api', true],
    ['*', '', true],
    ['/home/ana/code/*', '/home/ana/code/api', true],
    ['/home/ana/code/*', '/home/ana/code/api/sub', false],
    ['/home/ana/code/*', '/home/ana/code', false],
    ['/home/ana/**', '/home/ana/code/api/sub', true],
    ['/home/ana/**/api', '/home/ana/api', true],
    ['/home/ana/**/api', '/home/ana/x/y/api', true],
    ['/home/ana/**/api', '/home/ana/x/apis', false],
    ['**/api', '/home/ana/api', true],
    ['/home/ana', '/home/anna', false],
    ['/home/ana', '/home/ana', true],
    ['/Home/ana', '/home/ana', false],
    ['feature/?', 'feature/a', true],
    ['feature/?', 'feature//', false],
    ['{main,release-*}', 'release-1', true],
    ['{main,release-*}', 'develop', false],
    ['v[0-9]', 'v7', true],
    ['v[!0-9]', 'v7', false],
    ['v[!0-9]', 'v/', false],
    ['a.b+c(d)$^|', 'a.b+c(d)$^|', true],
    ['a.b', 'axb', false],
    ['a,b', 'a,b', true],
    ['a{b', 'a{b', true],
    ['a}b', 'a}b', true],
    ['*', 'two\nlines', true],
    ['?', '😀', true],
  ])('%j on %j: %s', (pattern, text, matches) => {
    expect(globMatches(pattern, text)).toBe(matches);
  });

  it.each(['[z-a]', '{a,{b}'])('is refused when it cannot be read: %s', (pattern) => {
    expect(isGlob(pattern)).toBe(false);
  });

  it.each([
    ['/home/ana/code-*', '/home/ana/'],
    ['/home/ana/code', '/home/ana/code'],
    ['/*', '/'],
    ['**/api', ''],
    ['{/a,/b}', ''],
  ])('has a literal head: %s → %j', (pattern, head) => {
    expect(literalHead(pattern)).toBe(head);
  });
});
