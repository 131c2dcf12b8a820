import { type ChainEnd, FIRST_HASH, follows } from './chain.ts';
import type { Findings } from './findings.ts';
import { type AuditLine, chainOfFile } from './read.ts';

export type RowLine = Extract<AuditLine, { kind: 'row' }>;

/** The rows of one chain from all files, in order, each number once. */
export interface Chain {
  readonly name: string;
  /** Of a run: its file has the chain's name. Else gateways sealed it. */
  readonly isRuns: boolean;
  readonly rows: readonly RowLine[];
  readonly byNumber: ReadonlyMap<number, RowLine>;
}

/** Puts the chains together, and looks at the order in which their rows stand in each file. */
export function chainsIn(lines: readonly AuditLine[], findings: Findings): Map<string, Chain> {
  const rows = new Map<string, RowLine[]>();
  const highest = new Map<string, number>();
  const places = new Set<string>();
  for (const line of lines) {
    if (line.kind !== 'row') continue;
    const runs = chainOfFile(nameOf(line.file));
    if (runs !== undefined && runs !== line.chain) {
      findings.problem('misplaced', `a row of the chain ${line.chain} stands in the file of another one`, line);
    }
    // In one file a sealer goes back only to what it wrote there before, and could not say that it had.
    const of = `${line.file}\n${line.chain}`;
    const place = `${of}\n${line.n}`;
    const top = highest.get(of) ?? 0;
    if (line.n <= top && !places.has(place))
      findings.problem('reordered', `row ${line.n} stands behind row ${top}`, line);
    else if (places.has(place) && runs !== undefined)
      findings.problem('repeated', `row ${line.n} stands there twice`, line);
    places.add(place);
    highest.set(of, Math.max(top, line.n));
    const chain = rows.get(line.chain) ?? [];
    chain.push(line);
    rows.set(line.chain, chain);
  }
  return new Map([...rows].map(([name, of]) => [name, chainOf(name, of)]));
}

/**
 * Follows a chain from its first row to its last. `deletedTo`: where it was cut by the retention. `before`: the hash of
 * a row in front of the first one, where an older version wrote it.
 */
export function checkChain(
  { name, rows, isRuns }: Chain,
  findings: Findings,
  deletedTo: ChainEnd | undefined,
  before: (n: number) => readonly string[],
): void {
  const deleted = deletedTo?.n ?? 0;
  let last = { n: 0, hashes: [FIRST_HASH] as readonly string[] | undefined };
  for (const [at, row] of rows.entries()) {
    if (row.n === last.n) {
      if (row.text !== rows[at - 1]?.text) findings.problem('conflict', `two rows have the number ${row.n}`, row);
      continue;
    }
    if (row.n > last.n + 1) last = { n: row.n - 1, hashes: acrossGap(last.n + 1, row) };
    // What cannot be followed back is reported as missing or deleted already.
    if (last.hashes !== undefined && !last.hashes.some((hash) => follows(hash, row))) {
      findings.problem('changed', `row ${row.n} does not follow the one before it: one of the two was changed`, row);
    }
    last = { n: row.n, hashes: [row.hash] };
  }

  function acrossGap(from: number, row: RowLine): readonly string[] | undefined {
    if (deletedTo !== undefined && deleted === row.n - 1) return [deletedTo.hash];
    if (row.n - 1 < deleted) return undefined;
    const older = isRuns || from > 1 ? [] : before(row.n - 1);
    if (older.length > 0) return older;
    const missing = Math.max(from, deleted + 1);
    const which = missing === row.n - 1 ? `row ${missing} is` : `rows ${missing} to ${row.n - 1} are`;
    findings.problem('missing', `${which} in no file`, { file: row.file, line: row.line, chain: name, n: missing });
    return undefined;
  }
}

function chainOf(name: string, of: readonly RowLine[]): Chain {
  // Sorting is stable: of two rows with one number the one that is read first stays.
  const rows = [...of].sort((a, b) => a.n - b.n);
  const byNumber = new Map(rows.toReversed().map((row) => [row.n, row]));
  return { name, rows, byNumber, isRuns: of.some(({ file }) => chainOfFile(nameOf(file)) === name) };
}

/** Files are named by their paths where several folders are read. */
function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
