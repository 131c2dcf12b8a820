/**
 * JSON in one form only, to be compared and hashed: members sorted by name (UTF-16 code units, as RFC 8785 does), no
 * white space, members that are `undefined` left out, as `JSON.stringify` leaves them out. Throws a `TypeError` for what
 * JSON cannot say (functions, symbols, bigints, `undefined` in a list, NaN and infinities): two values that differ in
 * such a thing must not come out the same.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `[${Array.from(value, canonicalJson).join(',')}]` : canonicalObject(value);
    default:
      throw new TypeError(`JSON has no ${typeof value}`);
  }
}

function canonicalObject(value: object): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
