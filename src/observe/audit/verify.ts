import { type Chain, chainsIn, checkChain, type RowLine } from './chains.ts';
import { type Finding, Findings, type NoteCode, type ProblemCode } from './findings.ts';
import { membersIn } from './folder.ts';
import { checkOldChain, hashesByNumber } from './old-chain.ts';
import { chainEnd } from './opening.ts';
import { type AuditLine, wholeIn } from './read.ts';
import { deletedChains } from './retention.ts';
import { checkSeen, latestEnds, type OpenSigned, readVouched } from './vouched.ts';

export interface VerifyOptions {
  readonly files: readonly string[];
  readonly lines: readonly AuditLine[];
  /** Absent: there is no key to check signatures by. */
  readonly open?: OpenSigned;
  /** What Redis says about the chain that is being sealed. */
  readonly sealed?: {
    readonly chain?: string;
    readonly rows: number;
    readonly hash: string | undefined;
    readonly unsealed: number;
  };
}

export interface AuditReport {
  readonly files: number;
  readonly rows: number;
  readonly chains: readonly {
    readonly chain: string;
    readonly from: number;
    readonly to: number;
    readonly signedTo: number;
  }[];
  /** Nothing is wrong with what these say, as far as anything vouches for it; see the notes. */
  readonly problems: readonly Finding<ProblemCode>[];
  readonly notes: readonly Finding<NoteCode>[];
}

/** Looks at everything that can be known from the files, and from Redis where that is at hand. Changes nothing. */
export function verifyAudit({ files, lines: read, open, sealed }: VerifyOptions): AuditReport {
  const findings = new Findings();
  const lines = read.map((line) => mended(line, findings));
  for (const file of files) {
    if (!lines.some((line) => line.file === file)) findings.note('empty', 'the file holds nothing', { file });
  }
  const old = lines.filter((line) => line.kind === 'old');
  if (old.length > 0) {
    findings.note('unchained', `${old.length} rows are of version 1, which chained no numbers, and in runs no rows`);
  }
  checkOldChain(old, findings);
  const oldHashes = hashesByNumber(old);

  const chains = chainsIn(lines, findings);
  const vouched = readVouched(lines, open, findings);
  // Without a key anybody could have written what excuses a gap.
  const deletedTo = latestEnds(open === undefined ? [] : vouched.filter(({ kind }) => kind === 'deleted'));
  for (const [chain, { n }] of deletedTo) {
    findings.note('deleted', `rows up to ${n} were deleted as too old, says a gateway’s signature`, { chain, n });
  }
  for (const chain of chains.values()) {
    checkChain(chain, findings, deletedTo.get(chain.name), (n) => oldHashes.get(n) ?? []);
    checkEnd(chain, findings);
  }
  for (const one of vouched) {
    if (one.kind !== 'head') continue;
    checkSeen(one, chains.get(one.chain), deletedTo.get(one.chain)?.n ?? 0, findings, { who: 'a signed head' });
  }
  checkNamed(chains, findings);
  const heads = latestEnds(open === undefined ? [] : vouched);
  for (const { name, rows, isRuns } of chains.values()) {
    const last = rows.at(-1)?.n ?? 0;
    const signed = heads.get(name)?.n ?? 0;
    if (!isRuns && open !== undefined && signed < last) {
      findings.note('unsigned_end', `no signed head covers rows ${signed + 1} to ${last}`, {
        chain: name,
        n: signed + 1,
      });
    }
  }
  if (sealed !== undefined) checkSealed(sealed, chains, deletedTo, findings);
  return {
    files: files.length,
    rows: old.length + sum([...chains.values()].map(({ byNumber }) => byNumber.size)),
    chains: [...chains.values()].map(({ name, rows }) => ({
      chain: name,
      from: rows[0]?.n ?? 0,
      to: rows.at(-1)?.n ?? 0,
      signedTo: heads.get(name)?.n ?? 0,
    })),
    problems: findings.problems,
    notes: findings.notes,
  };
}

/** A torn line that lacks only its end is the row it was. */
function mended(line: AuditLine, findings: Findings): AuditLine {
  if (line.kind === 'unreadable') findings.problem('unreadable', 'the line is no row of an audit', line);
  if (line.kind !== 'torn') return line;
  const whole = wholeIn(line);
  if (whole === 'damaged') {
    findings.problem('unreadable', 'the last line is no row of an audit', line);
    return line;
  }
  findings.note('torn', 'the last line was not written to its end: its process was killed, or the file was cut', line);
  return whole === 'half' ? line : whole;
}

/** How a run's file ends. */
function checkEnd({ name, rows, isRuns }: Chain, findings: Findings): void {
  if (!isRuns) return;
  const closed = rows.findIndex((row) => eventOf(row) === 'closed');
  const last = rows.at(-1);
  if (closed === -1) {
    findings.note('not_closed', 'the run lives, or was killed: rows may be missing at its end', {
      file: `${name}.jsonl`,
      chain: name,
    });
  } else if (last !== undefined && closed !== rows.length - 1) {
    findings.problem('reordered', 'rows follow the one that closed the file', last);
  }
}

/** What the first rows of runs' files name must be there, or deleted by a row that says so. */
function checkNamed(chains: ReadonlyMap<string, Chain>, findings: Findings): void {
  const runs = [...chains.values()].filter(({ isRuns }) => isRuns).flatMap(({ rows }) => rows);
  const special = runs.filter(({ body }) => /"event":"(?:opened|deleted)"/.test(body));
  const gone = new Map<string, number>();
  for (const row of special) {
    const chains = deletedChains(membersIn(row.text));
    for (const { chain, n } of chains) gone.set(chain, Math.max(n, gone.get(chain) ?? 0));
    if (chains.length > 0) {
      findings.note('deleted', `${chains.length} files of earlier runs were deleted as too old`, row);
    }
  }
  for (const row of special.filter((one) => eventOf(one) === 'opened')) {
    const seen = chainEnd.array().safeParse(membersIn(row.text)?.['seen']).data ?? [];
    for (const end of seen) {
      checkSeen(end, chains.get(end.chain), gone.get(end.chain) ?? 0, findings, {
        ...row,
        who: `the run ${row.chain}`,
      });
    }
  }
}

function checkSealed(
  { chain, rows, hash, unsealed }: NonNullable<VerifyOptions['sealed']>,
  chains: ReadonlyMap<string, Chain>,
  deletedTo: ReadonlyMap<string, { readonly n: number }>,
  findings: Findings,
): void {
  if (unsealed > 0) findings.note('unsealed', `${unsealed} rows in Redis are not sealed yet: nothing vouches for them`);
  if (chain === undefined || hash === undefined || rows === 0) return;
  const end = { chain, n: rows, hash };
  checkSeen(end, chains.get(chain), deletedTo.get(chain)?.n ?? 0, findings, { who: 'Redis' });
}

function eventOf(row: RowLine): unknown {
  return membersIn(row.text)?.['event'];
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0);
}
