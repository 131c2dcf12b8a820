import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/core/canonical-json.ts';
import '../../support/fast-check.ts';

describe('canonical JSON', () => {
  it('sorts members by name at every depth and keeps the order of lists', () => {
    expect(canonicalJson({ b: [2, { d: null, c: true }], a: 'x' })).toBe('{"a":"x","b":[2,{"c":true,"d":null}]}');
  });

  it('sorts by code units, not by a locale, and escapes as JSON does', () => {
    expect(canonicalJson({ ö: 1, z: 2, Z: 3, '"': '\u2028\n' })).toBe('{"\\"":"\u2028\\n","Z":3,"z":2,"ö":1}');
  });

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol('s'), [undefined]])(
    'refuses what JSON cannot say: %s',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    },
  );

  it('says the same as JSON does, however its members were put in', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });
});

/** The same value with the members of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)]);
  return Object.fromEntries(members.reverse());
}
