import type { AuditRow, AuditSink } from '../../src/core/ports/audit-sink.ts';
import type { CardJournal, JournalEntry } from '../../src/core/ports/card-journal.ts';

/** An audit in memory that can be made to fail. */
export function memoryAudit(): AuditSink & { readonly rows: AuditRow[]; broken: boolean } {
  const audit = {
    rows: [] as AuditRow[],
    broken: false,
    append(...rows: readonly AuditRow[]) {
      if (audit.broken) throw new Error('no space left on device');
      audit.rows.push(...rows);
    },
  };
  return audit;
}

/** A card journal in memory that can be made to fail. */
export function memoryJournal(): CardJournal & { readonly entries: JournalEntry[]; broken: boolean } {
  const journal = {
    entries: [] as JournalEntry[],
    broken: false,
    append(entry: JournalEntry) {
      if (journal.broken) throw new Error('no space left on device');
      journal.entries.push(entry);
    },
  };
  return journal;
}
