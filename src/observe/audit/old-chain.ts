import { FIRST_HASH } from './chain.ts';
import type { Findings } from './findings.ts';
import { type AuditLine, followsAsOld } from './read.ts';

type OldLine = Extract<AuditLine, { kind: 'old' }>;

/** Hashes of version 1 by their numbers; with several chains, which had no names, a number has several. */
export function hashesByNumber(lines: readonly OldLine[]): Map<number, string[]> {
  const hashes = new Map<number, string[]>([[0, [FIRST_HASH]]]);
  for (const { n, hash } of lines) {
    if (n !== undefined && hash !== undefined) hashes.set(n, [...(hashes.get(n) ?? []), hash]);
  }
  return hashes;
}

/** What gateways of version 1 sealed: each row must follow one with the number before its own. */
export function checkOldChain(lines: readonly OldLine[], findings: Findings): void {
  const hashes = hashesByNumber(lines);
  for (const line of lines) {
    const { n } = line;
    if (n === undefined) continue;
    const before = hashes.get(n - 1) ?? [];
    if (before.length === 0) findings.problem('missing', `row ${n - 1} is in no file`, { ...line, n: n - 1 });
    else if (!before.some((hash) => followsAsOld(hash, line))) {
      findings.problem('changed', `row ${n} does not follow the one before it: one of the two was changed`, line);
    }
  }
}
