import { HandraiseError } from '../core/errors.ts';
import { type ExportedRow, exportedRows } from '../observe/audit/rows.ts';
import { type AuditFlags, checkAudit } from './audit-files.ts';
import { EXIT } from './exit-codes.ts';
import { inertJson } from './inert.ts';

export interface AuditExportOptions extends AuditFlags {
  readonly format: 'jsonl' | 'csv';
  readonly since?: string;
  readonly until?: string;
  readonly session?: string;
  readonly request?: string;
}

/** `handraise audit export`: 0, or 1 when what was printed comes from a record that is not whole. */
export async function auditExport(options: AuditExportOptions): Promise<number> {
  const { since, until, session, request } = options;
  const filter = {
    ...(since === undefined ? {} : { since: timeOf('--since', since) }),
    ...(until === undefined ? {} : { until: timeOf('--until', until) }),
    ...(session === undefined ? {} : { session }),
    ...(request === undefined ? {} : { request }),
  };
  const { audit, report } = await checkAudit(options, false);
  const rows = exportedRows(audit.lines, filter);
  const lines =
    options.format === 'csv'
      ? [CSV_COLUMNS.map(([name]) => name).join(','), ...rows.map(csvLine)]
      : rows.map(inertJson);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  if (report.problems.length === 0) return EXIT.ok;
  process.stderr.write(
    'handraise: the record that this comes from is not whole\n  `handraise audit verify` says what is wrong.\n',
  );
  return EXIT.failed;
}

function timeOf(flag: string, text: string): number {
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new HandraiseError(
    `${flag} must be a day or a time with its zone, such as 2026-08-03 or 2026-08-03T10:00:00Z`,
    {
      code: 'usage',
    },
  );
}

/** Columns in their order; the last one has the whole row. */
const CSV_COLUMNS: readonly (readonly [string, (row: ExportedRow) => unknown])[] = [
  ['ts', (row) => row.ts],
  ['event', (row) => row.event],
  ...['requestId', 'pendingId', 'sessionId', 'ownerId', 'source'].map(member),
  ...['kind', 'platform', 'workspaceId', 'userId', 'standing'].map(within('actor')),
  ...['interactionId', 'picks', 'outcome', 'reason', 'channel', 'message'].map(member),
  ...['tool', 'effect', 'digest'].map(within('proposal')),
  ...['chain', 'n', 'hash'].map(member),
  ['row', (row) => inertJson(row)],
];

function member(name: string): readonly [string, (row: ExportedRow) => unknown] {
  return [name, (row) => row[name]];
}

function within(outer: string): (name: string) => readonly [string, (row: ExportedRow) => unknown] {
  return (name) => [
    name,
    (row) => {
      const value = row[outer];
      return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    },
  ];
}

function csvLine(row: ExportedRow): string {
  return CSV_COLUMNS.map(([, read]) => csvCell(read(row))).join(',');
}

/** RFC 4180. A text that a spreadsheet would calculate gets an apostrophe in front. */
function csvCell(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : inertJson(value);
  const inert = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
  const safe = /^[=+\-@]/.test(inert) ? `'${inert}` : inert;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
