import { createHash } from 'node:crypto';

/** What the first row of a chain is chained to. */
export const FIRST_HASH = '0'.repeat(64);

/** Where a chain stands: how many rows it has, and the hash of the last one. */
export interface ChainEnd {
  readonly chain: string;
  readonly n: number;
  readonly hash: string;
}

/** What a line of a chain says, and the hash it states. */
export interface ChainedLine extends ChainEnd {
  /** What the hash is over, with the hash before it: the line itself up to its own hash, byte by byte. */
  readonly body: string;
}

/**
 * One more line of a chain. `members` is JSON without its braces, such as `"event":"asked"`. The hash covers the one
 * before it and every byte of the line in front of its own place, so also the chain's name and the number: no second
 * form of the same JSON can be put in its place.
 */
export function nextLine(end: ChainEnd, members: string): { readonly line: string; readonly end: ChainEnd } {
  const n = end.n + 1;
  const body = `{"v":2,"chain":"${end.chain}","n":${n},${members}`;
  const hash = hashOf(end.hash, Buffer.from(body, 'utf8'));
  return { line: `${body},"hash":"${hash}"}`, end: { chain: end.chain, n, hash } };
}

/** Ids of chains and of process starts: nothing in them has to be escaped. */
export const CHAIN_ID = /^[\w.-]{1,80}$/;

const LINE = /^(\{"v":2,"chain":"([\w.-]{1,80})","n":([1-9]\d{0,14}),.*),"hash":"([0-9a-f]{64})"\}$/s;

/** Undefined for anything else. `line` holds one character a byte (latin1), so that no damaged byte reads like another. */
export function readLine(line: string): ChainedLine | undefined {
  const [, body, chain, n, hash] = LINE.exec(line) ?? [];
  if (body === undefined || chain === undefined || hash === undefined) return undefined;
  return { body, chain, n: Number(n), hash };
}

/** Whether the line follows what ends in `before`. */
export function follows(before: string, { body, hash }: ChainedLine): boolean {
  return hashOf(before, Buffer.from(body, 'latin1')) === hash;
}

/** The rule of version 1, over the row's own text alone. */
export function hashOfVersion1(before: string, row: string | Buffer): string {
  return hashOf(before, Buffer.from(row));
}

function hashOf(before: string, bytes: Buffer): string {
  return createHash('sha256').update(`${before}\n`).update(bytes).digest('hex');
}
