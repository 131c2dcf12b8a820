import type { AuditRow } from '../../src/core/ports/audit-sink.ts';
import type { GrantStore } from '../../src/core/ports/grant-store.ts';
import { createMemoryGrants } from '../../src/store/memory-grants.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { recordingLog } from './recording-log.ts';

export interface GrantsInMemory {
  readonly grants: GrantStore;
  readonly clock: FakeClock;
  readonly log: ReturnType<typeof recordingLog>;
  readonly rows: readonly AuditRow[];
  /** While true, the audit file is "full": every append throws. */
  auditFails: boolean;
}

/** The real memory store of grants over a list instead of a file. */
export function grantsInMemory(clock: FakeClock = createFakeClock()): GrantsInMemory {
  const log = recordingLog();
  const rows: AuditRow[] = [];
  const made = { clock, log, rows, auditFails: false };
  const audit = {
    append(...added: AuditRow[]) {
      if (made.auditFails) throw new Error('no space left on device');
      rows.push(...added);
    },
  };
  return Object.assign(made, { grants: createMemoryGrants({ clock, audit, log }) });
}
