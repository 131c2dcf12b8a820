import { membersIn } from './folder.ts';
import type { AuditLine } from './read.ts';

/** A row for readers: what happened, when, and where it stands in which chain. */
export interface ExportedRow {
  /** UTC, ISO 8601. */
  readonly ts: string;
  readonly event: string;
  /** Absent of what version 1 wrote. */
  readonly chain?: string;
  readonly n?: number;
  readonly hash?: string;
  readonly [member: string]: unknown;
}

export interface RowFilter {
  /** Milliseconds since 1970, the first one inside and the second one outside. */
  readonly since?: number;
  readonly until?: number;
  readonly session?: string;
  readonly request?: string;
}

/** Every row once, by time; those of one moment by chain and number. */
export function exportedRows(lines: readonly AuditLine[], filter: RowFilter): ExportedRow[] {
  const seen = new Set<string>();
  const rows = lines.flatMap((line) => {
    const row = rowOf(line);
    if (row === undefined) return [];
    // Gateways that took turns may both have written a row; one that is changed is shown as well.
    const name = row.n === undefined ? `${line.file}:${line.line}` : `${row.chain ?? ''}:${row.n}:${row.hash}`;
    if (seen.has(name) || !passes(row, filter)) return [];
    seen.add(name);
    return [row];
  });
  return rows.sort((a, b) => compare(a.ts, b.ts) || compare(a.chain ?? '', b.chain ?? '') || (a.n ?? 0) - (b.n ?? 0));
}

function rowOf(line: AuditLine): ExportedRow | undefined {
  if (line.kind !== 'row' && line.kind !== 'old') return undefined;
  const { v: _, row, id, ts, chain: __, n, hash, ...flat } = membersIn(line.text) ?? {};
  const place = {
    ...(line.kind === 'row' ? { chain: line.chain } : {}),
    ...(typeof n === 'number' ? { n, hash: String(hash) } : {}),
  };
  if (id === undefined) return { ts: String(ts), event: String(flat['event']), ...flat, ...place };
  // A gateway's: the row stands in it as its writer put it, who may have written anything.
  if (typeof row !== 'object' || row === null) {
    return { ts: timeOf(Number(String(id).split('-')[0])), event: 'unreadable', text: row, id, ...place };
  }
  const { at, event, ...facts } = row as Record<string, unknown>;
  const own = Object.fromEntries(Object.entries(facts).filter(([name]) => !RESERVED.has(name)));
  return { ts: timeOf(at), event: String(event), ...own, id, ...place };
}

const RESERVED: ReadonlySet<string> = new Set(['ts', 'chain', 'n', 'hash', 'id']);

/** Owners write `at`; what is no time becomes the earliest one. */
function timeOf(at: unknown): string {
  const time = new Date(typeof at === 'number' ? at : 0);
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}

function passes({ ts, sessionId, requestId }: ExportedRow, { since, until, session, request }: RowFilter): boolean {
  const at = Date.parse(ts);
  if (since !== undefined && !(at >= since)) return false;
  if (until !== undefined && !(at < until)) return false;
  return (session === undefined || sessionId === session) && (request === undefined || requestId === request);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
