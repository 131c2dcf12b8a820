import type { AuditSink } from '../core/ports/audit-sink.ts';
import { openLineFile } from './line-file.ts';

/**
 * The audit as JSON lines, one file per handraise process, synced at every append. `ts` is the row's time in UTC, exact
 * to the millisecond. `append` throws `HandraiseError` code `store`, and then keeps none of the rows.
 */
export function openAuditFile(path: string): AuditSink & { close(): void } {
  const file = openLineFile(path, { durable: true });
  return {
    append: (...rows) =>
      file.append(...rows.map(({ at, ...row }) => JSON.stringify({ v: 1, ts: new Date(at).toISOString(), ...row }))),
    close: () => file.close(),
  };
}
