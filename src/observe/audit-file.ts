import { basename, dirname } from 'node:path';
import { canonicalJson } from '../core/canonical-json.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { AuditSink } from '../core/ports/audit-sink.ts';
import { CHAIN_ID, type ChainEnd, FIRST_HASH, nextLine } from './audit/chain.ts';
import { openedRowFor } from './audit/opening.ts';
import { expire } from './audit/retention.ts';
import { openLineFile } from './line-file.ts';

export interface AuditFileOptions {
  /** Says when it was opened and closed. Default: the machine's. */
  readonly clock?: Clock;
  /** Digest of who may decide what, as this process was configured. */
  readonly policy?: string;
  /** Milliseconds after which files of earlier runs in the same folder are deleted. Default: never. */
  readonly retentionMs?: number;
}

/**
 * The audit as JSON lines, one new file a process start, synced at every append; the lines are chained (`audit/chain.ts`),
 * and the chain has the file's name. `ts` is the row's time in UTC, exact to the millisecond. `append` throws
 * `HandraiseError` code `store`, and then keeps none of the rows. A file that exists is another process's, and refused.
 * `close` writes the last row: a file without one was cut short, or its process was.
 */
export function openAuditFile(path: string, options: AuditFileOptions = {}): AuditSink & { close(): void } {
  const { clock = systemClock, policy, retentionMs } = options;
  const file = openLineFile(path, { durable: true, exclusive: true });
  let end: ChainEnd = { chain: chainOf(path), n: 0, hash: FIRST_HASH };
  let isClosed = false;

  const write = (...rows: readonly Row[]) => {
    let reached = end;
    const lines = rows.map(({ at, ...row }) => {
      const next = nextLine(reached, members(at, row));
      reached = next.end;
      return next.line;
    });
    file.append(...lines);
    // Only now: what could not be written is no part of the chain.
    end = reached;
  };

  try {
    const at = clock.now();
    write(
      { at, ...openedRowFor(path) },
      ...(policy === undefined ? [] : [{ at, event: 'policy_set', digest: policy }]),
    );
    const old = retentionMs === undefined ? undefined : expire(dirname(path), path, at, retentionMs);
    if (old !== undefined) {
      write({ at, ...old.row });
      old.remove();
    }
  } catch (thrown) {
    file.close();
    throw thrown instanceof HandraiseError ? thrown : unreadable(dirname(path), thrown);
  }
  return {
    append: (...rows) => write(...rows.map((row) => ({ ...row }))),
    close() {
      if (isClosed) return;
      isClosed = true;
      try {
        write({ at: clock.now(), event: 'closed' });
      } catch {
        // Nothing is lost but the word that nothing is: `audit verify` says that this file was not closed.
      }
      file.close();
    },
  };
}

type Row = { readonly at: number; readonly event: string } & Readonly<Record<string, unknown>>;

/** Sorted by name, after when and what: the same row is the same text, whoever put it together. */
function members(at: number, { event, ...facts }: Omit<Row, 'at'>): string {
  const head = `"ts":"${new Date(at).toISOString()}","event":${JSON.stringify(event)}`;
  const rest = canonicalJson(facts).slice(1, -1);
  return rest === '' ? head : `${head},${rest}`;
}

function chainOf(path: string): string {
  const name = basename(path, '.jsonl');
  if (CHAIN_ID.test(name)) return name;
  throw new HandraiseError(`${path} cannot be an audit file: its name must be letters, digits, "-", "_" and "."`, {
    code: 'store',
  });
}

function unreadable(folder: string, cause: unknown): HandraiseError {
  return new HandraiseError(`the earlier audit in ${folder} cannot be read: ${sentenceOf(cause)}`, {
    code: 'store',
    hint: 'Every file in there must be yours and readable.',
    cause,
  });
}
