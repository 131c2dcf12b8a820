import type { AuditRow } from '../../core/ports/audit-sink.ts';

/** What scripts put into every row themselves. */
const COMMON: ReadonlySet<string> = new Set([
  'at',
  'event',
  'requestId',
  'pendingId',
  'sessionId',
  'ownerId',
] satisfies (keyof AuditRow)[]);

/** The other members of a row as text, such as `"channel":"C1","message":"1.1"`: scripts put rows together from it. */
export function membersOf(row: Partial<AuditRow>): string {
  return JSON.stringify(row, (key, value) => (COMMON.has(key) ? undefined : value)).slice(1, -1);
}
