import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../../src/gate/effects/programs.ts';

describe('the tables of programs', () => {
  it('name every program once', () => {
    const names = FAMILIES.flatMap((family) => Object.keys(family).flatMap((spellings) => spellings.split(' ')));
    const twice = names.filter((name, at) => names.indexOf(name) !== at);
    expect(twice).toEqual([]);
  });
});
