/**
 * Configuration by which git starts no program of its own accord where it reads: a file system monitor, a pager. Locks
 * that a read could do without are not taken, so that a reading agent never stands in the way of a person's git.
 */
const SETTINGS = [
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
] as const;

/** Variables to add to an environment; entries that it has already are kept and numbered before ours. */
export function gitWithoutHelpers(env: Readonly<Record<string, string>>): Record<string, string> {
  const had = /^\d{1,4}$/.test(env['GIT_CONFIG_COUNT'] ?? '') ? Number(env['GIT_CONFIG_COUNT']) : 0;
  const entries = SETTINGS.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${had + index}`, key],
    [`GIT_CONFIG_VALUE_${had + index}`, value],
  ]);
  return {
    ...Object.fromEntries(entries),
    GIT_CONFIG_COUNT: String(had + SETTINGS.length),
    GIT_OPTIONAL_LOCKS: '0',
  };
}
