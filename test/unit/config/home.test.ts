import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { homeDirectory } from '../../../src/config/home.ts';

describe('the home directory', () => {
  it('is HOME', () => {
    expect(homeDirectory({ HOME: '/home/ana' })).toBe('/home/ana');
  });

  it.each(['', '.', 'work/home'])('is never in the working directory, where the agent writes: HOME=%j', (HOME) => {
    expect(homeDirectory({ HOME })).toBe(userInfo().homedir);
  });
});
