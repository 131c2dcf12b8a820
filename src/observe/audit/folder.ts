import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ChainEnd, readLine } from './chain.ts';

/** A file of the audit's folder. */
export interface FoundFile {
  readonly name: string;
  readonly path: string;
  /** When it was written last, ms since 1970. */
  readonly changedAt: number;
  /** Of a gateway: its rows are one chain with those of the other gateways. Else it is a chain of its own. */
  readonly isGateways: boolean;
}

/** Every file of the audit, latest change first. A folder that is not there holds none. */
export function auditFiles(folder: string): FoundFile[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => {
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      // Another process may have deleted it as too old a moment ago.
      if (stat === undefined || !stat.isFile()) return [];
      return [{ name, path, changedAt: stat.mtimeMs, isGateways: name.startsWith('gateway-') }];
    })
    .sort((a, b) => b.changedAt - a.changedAt);
}

/** One character a byte, so that nothing is lost on what is no UTF-8. */
export function linesOf(path: string): string[] {
  return readFileSync(path, 'latin1').split('\n');
}

/** How many bytes are read from the end of a file to find its last row. */
const TAIL_BYTES = 65_536;

/** Where the file's chain stands, by its last whole line. Undefined when that is no row of version 2. */
export function endOf(path: string): ChainEnd | undefined {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(descriptor, tail, 0, tail.length, size - tail.length);
    const whole = tail.toString('latin1').split('\n').slice(0, -1);
    const last = readLine(whole.at(-1) ?? '');
    return last === undefined ? undefined : { chain: last.chain, n: last.n, hash: last.hash };
  } finally {
    closeSync(descriptor);
  }
}

/** A row's members as they were written, or undefined for a line that says something else. */
export function membersIn(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(line, 'latin1').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    // Half a line, or a damaged one: whoever asks says what that means.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw thrown;
  }
}
