/** Entries a gateway remembers of what it did; one that runs for months must not remember all of it. */
const MOST = 10_000;

/** Lets the oldest entries go, so that the latest are left. */
export function keepLatest<K>(entries: Pick<Map<K, unknown>, 'size' | 'keys' | 'delete'>, most = MOST): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}
