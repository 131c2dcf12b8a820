import { CHAIN_ID, type ChainedLine, hashOfVersion1, readLine } from './chain.ts';
import { auditFiles, linesOf, membersIn } from './folder.ts';

/** A place in the audit's folder, for people. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** One line of the audit, before anything of it is believed. `text` has one character a byte. */
export type AuditLine = Place &
  (
    | ({ readonly kind: 'row' } & ChainedLine & { readonly text: string })
    /** Signed: how far a chain went, or what of it was deleted. */
    | { readonly kind: 'vouched'; readonly sealed: string }
    /** Of version 1: with a hash over the row alone where a gateway sealed it, else with none. */
    | {
        readonly kind: 'old';
        readonly text: string;
        readonly n?: number;
        readonly hash?: string;
        readonly row?: string;
      }
    /** Without an end of line: a crash, or a cut. */
    | { readonly kind: 'torn'; readonly text: string }
    | { readonly kind: 'unreadable' }
  );

/**
 * Every line of every file, file by file; where there are several folders, files have their paths for names. Throws what
 * the file system says.
 */
export function readAudit(...folders: readonly string[]) {
  const files = folders.flatMap((folder) =>
    auditFiles(folder)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, path }) => ({ path, file: folders.length === 1 ? name : path })),
  );
  return { files: files.map(({ file }) => file), lines: files.flatMap(({ file, path }) => linesIn(file, path)) };
}

/** Every line of one file. */
export function linesIn(file: string, path: string): AuditLine[] {
  const texts = linesOf(path);
  const rest = texts.pop() ?? '';
  const lines = texts.map((text, at): AuditLine => ({ file, line: at + 1, ...lineOf(text) }));
  return rest === '' ? lines : [...lines, { file, line: texts.length + 1, kind: 'torn', text: rest }];
}

type Told<T> = T extends unknown ? Omit<T, keyof Place> : never;

function lineOf(text: string): Told<AuditLine> {
  const row = readLine(text);
  if (row !== undefined) return { kind: 'row', ...row, text };
  const sealed = VOUCHED.exec(text)?.[1];
  if (sealed !== undefined) return { kind: 'vouched', sealed: Buffer.from(sealed, 'latin1').toString('utf8') };
  return oldLine(text) ?? { kind: 'unreadable' };
}

const VOUCHED = /^\{"v":2,"vouched":(\{.*\})\}$/s;

/** A line that vouches: what is signed stands in it as it is. */
export function vouchedLine(sealed: string): string {
  return `{"v":2,"vouched":${sealed}}`;
}

const SEALED_1 = /^\{"v":1,"n":([1-9]\d{0,14}),"id":"[\d-]+","hash":"([0-9a-f]{64})","row":(.*)\}$/s;

function oldLine(text: string): Told<AuditLine> | undefined {
  const value = membersIn(text);
  if (value?.['v'] !== 1) return undefined;
  const [, n, hash, raw] = SEALED_1.exec(text) ?? [];
  if (hash === undefined || raw === undefined) return { kind: 'old', text };
  const { row } = value;
  // What was no object was quoted, and hashed without the quotes.
  const hashed = typeof row === 'string' ? Buffer.from(row, 'utf8').toString('latin1') : raw;
  return { kind: 'old', text, n: Number(n), hash, row: hashed };
}

/** Whether a line of version 1 follows what ends in `before`. Neither its number nor its id is covered. */
export function followsAsOld(
  before: string,
  { row = '', hash }: { readonly row?: string; readonly hash?: string },
): boolean {
  return hash === hashOfVersion1(before, Buffer.from(row, 'latin1'));
}

/**
 * What a torn line is: all that it was meant to be but its end of line, or `half` of it, or `damaged`: a whole line with
 * another last byte was changed, since a write that was cut off leaves only the beginning of one.
 */
export function wholeIn({ file, line, text }: Place & { readonly text: string }): AuditLine | 'half' | 'damaged' {
  const whole = lineOf(text);
  if (whole.kind !== 'unreadable') return { file, line, ...whole };
  return text.startsWith('{') && lineOf(text.slice(0, -1)).kind === 'unreadable' ? 'half' : 'damaged';
}

/** The chain that a run's file holds. */
export function chainOfFile(file: string): string | undefined {
  const name = file.replace(/\.jsonl$/, '');
  return file.startsWith('gateway-') || !CHAIN_ID.test(name) ? undefined : name;
}
