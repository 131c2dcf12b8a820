import { describe, expect, it } from 'vitest';
import { newRandomId } from '../../../src/core/ids.ts';

describe('an id', () => {
  it('is 24 characters that fit a button value and a file name, and never comes twice', () => {
    const ids = Array.from({ length: 10_000 }, newRandomId);
    expect(ids.every((id) => /^[A-Za-z0-9_-]{24}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('uses all 64 characters in every place, so that nothing of its 144 bit is lost', () => {
    const ids = Array.from({ length: 5_000 }, newRandomId);
    for (let place = 0; place < 24; place += 1) expect(new Set(ids.map((id) => id[place])).size).toBe(64);
  });
});
