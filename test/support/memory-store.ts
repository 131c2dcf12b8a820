import type { AuditRow } from '../../src/core/ports/audit-sink.ts';
import type { JournalEntry } from '../../src/core/ports/card-journal.ts';
import type { RequestStore } from '../../src/core/ports/request-store.ts';
import { createMemoryStore } from '../../src/store/memory.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { recordingLog } from './recording-log.ts';

export interface StoreInMemory {
  readonly store: RequestStore;
  readonly clock: FakeClock;
  readonly log: ReturnType<typeof recordingLog>;
  readonly rows: readonly AuditRow[];
  readonly journal: readonly JournalEntry[];
  /** While true, the audit file is "full": every append throws. */
  auditFails: boolean;
  /** The same for the card journal. */
  journalFails: boolean;
}

/** The real memory store over lists instead of files. */
export function storeInMemory(): StoreInMemory {
  const clock = createFakeClock();
  const log = recordingLog();
  const rows: AuditRow[] = [];
  const journal: JournalEntry[] = [];
  const made = { clock, log, rows, journal, auditFails: false, journalFails: false };
  const audit = {
    append(...added: AuditRow[]) {
      if (made.auditFails) throw new Error('no space left on device');
      rows.push(...added);
    },
  };
  const cards = {
    append(entry: JournalEntry) {
      if (made.journalFails) throw new Error('no space left on device');
      journal.push(entry);
    },
  };
  const store = createMemoryStore({ clock, audit, journal: cards, log });
  return Object.assign(made, { store });
}
