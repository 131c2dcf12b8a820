import * as z from 'zod';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { ChainEnd } from './chain.ts';
import type { Chain } from './chains.ts';
import type { Findings } from './findings.ts';
import type { AuditLine } from './read.ts';

/** Signatures of the audit: no other text that a gateway signs begins like this. */
export const AUDIT_PURPOSE = 'handraise audit 1';

/** What a gateway signs: a chain stood here, or everything up to here was deleted. */
export type Vouched = ChainEnd & { readonly kind: 'head' | 'deleted'; readonly at: number };

const vouched = z.strictObject({
  kind: z.enum(['head', 'deleted']),
  chain: z.string(),
  n: z.int().nonnegative(),
  hash: z.string(),
  at: z.number(),
});

/** Opens what is signed: the text, or why it does not count. */
export type OpenSigned = (
  sealed: string,
) => { readonly text: string } | { readonly fault: 'not_understood' | 'unknown_key' | 'bad_signature' };

export function vouchedText(what: Vouched): string {
  return canonicalJson(what);
}

/** Everything that counts of what gateways vouched for. `open`: undefined when there is no key to check it by. */
export function readVouched(lines: readonly AuditLine[], open: OpenSigned | undefined, findings: Findings) {
  const sealed = lines.flatMap((line) => (line.kind === 'vouched' ? [line] : []));
  if (open === undefined) {
    if (sealed.length > 0) {
      findings.note('unchecked_heads', `${sealed.length} signed heads were not checked: no public key was given`);
    }
    // Unchecked words cannot excuse anything; they can still be missed by what they name.
    return sealed.flatMap((line) => read(textIn(line.sealed)) ?? []);
  }
  return sealed.flatMap((line) => {
    const opened = open(line.sealed);
    const read_ = 'text' in opened ? read(opened.text) : undefined;
    if (read_ !== undefined) return [read_];
    const code = 'fault' in opened && opened.fault === 'unknown_key' ? 'unknown_key' : 'bad_signature';
    findings.problem(
      code,
      code === 'unknown_key' ? 'a signed head is by a key that was not given' : 'a signed head has been changed',
      line,
    );
    return [];
  });
}

/** How far each chain is vouched for. */
export function latestEnds(all: readonly Vouched[]): Map<string, ChainEnd> {
  const ends = new Map<string, ChainEnd>();
  for (const { chain, n, hash } of all) {
    if (n > (ends.get(chain)?.n ?? 0)) ends.set(chain, { chain, n, hash });
  }
  return ends;
}

/** Whether the chain still has what somebody saw of it. */
export function checkSeen(
  { chain: name, n, hash }: ChainEnd,
  chain: Chain | undefined,
  deletedTo: number,
  findings: Findings,
  by: { readonly file?: string; readonly line?: number; readonly who: string },
): void {
  if (n === 0 || n <= deletedTo) return;
  const { who, ...place } = by;
  if (chain === undefined) {
    findings.problem('missing_chain', `the chain ${name} is in no file, and ${who} saw ${n} rows of it`, {
      ...place,
      chain: name,
    });
    return;
  }
  const last = chain.rows.at(-1)?.n ?? 0;
  const row = chain.byNumber.get(n);
  if (n > last) {
    findings.problem('cut', `the chain ends with row ${last}, and ${who} saw ${n}`, {
      ...place,
      chain: name,
      n: last + 1,
    });
  } else if (row !== undefined && row.hash !== hash) {
    findings.problem('changed', `row ${n} is not the one that ${who} saw`, { ...place, chain: name, n });
  }
}

function textIn(sealed: string): string {
  try {
    const { text } = JSON.parse(sealed) as { text?: unknown };
    return typeof text === 'string' ? text : '';
  } catch {
    // Damaged: with a key it is reported as such, without one nothing of it is believed.
    return '';
  }
}

function read(text: string): Vouched | undefined {
  try {
    return vouched.safeParse(JSON.parse(text)).data;
  } catch {
    // As above.
    return undefined;
  }
}
