import { describe, expect, it } from 'vitest';
import { nearest } from '../../../src/config/suggest.ts';

describe('a suggestion', () => {
  it.each([
    ['chanel', ['channel', 'match'], 'channel'],
    ['mtach', ['match', 'slack'], 'match'],
    ['CHANNEL', ['channel'], 'channel'],
    ['mdoe', ['mode', 'wait'], 'mode'],
    ['wiat', ['mode', 'wait'], 'wait'],
    ['discord', ['match', 'slack', 'questions'], undefined],
    ['x', ['wait'], undefined],
    ['anything', [], undefined],
  ])('for %s among %j is %s', (typed, candidates, meant) => {
    expect(nearest(typed, candidates)).toBe(meant);
  });
});
