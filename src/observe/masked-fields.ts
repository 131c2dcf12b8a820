/** Ids and digests are random by nature, and what a reader joins lines by. */
const IS_ID = /(?:^|_)ids?$|[a-z]Ids?$|^digest$|[a-z]Digest$/;

/** The same fields with every text in them masked, ids excepted. Only plain objects and lists are looked into. */
export function maskedFields<T extends object>(fields: T, mask: (text: string) => string): T;
export function maskedFields(fields: object, mask: (text: string) => string): unknown {
  return masked(fields, mask, '');
}

function masked(value: unknown, mask: (text: string) => string, key: string): unknown {
  if (typeof value === 'string') return IS_ID.test(key) ? value : mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, mask, key));
  if (typeof value !== 'object' || value === null) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member, mask, name)]));
}
