import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIRST_HASH, nextLine } from '../../../../src/observe/audit/chain.ts';
import { readAudit, vouchedLine } from '../../../../src/observe/audit/read.ts';
import { type AuditReport, verifyAudit } from '../../../../src/observe/audit/verify.ts';
import { AUDIT_PURPOSE, vouchedText } from '../../../../src/observe/audit/vouched.ts';
import { openAuditFile } from '../../../../src/observe/audit-file.ts';
import { newSigningKey, readVerdictKey } from '../../../../src/trust/keys.ts';
import { openText, signText } from '../../../../src/trust/signed-text.ts';

const ROWS = 10_000;

const { key } = newSigningKey();
const keys = [readVerdictKey(key.verdictKey)];

/** The audit of a run that closed its file, and that of a gateway with a signed head at the end. */
const KINDS = { run: runsFile, gateway: gatewaysFile } as const;

describe.each(Object.entries(KINDS))('an audit of 10,000 rows, by a %s (promise: audit-chain)', (_, write) => {
  let folder: string;
  let path: string;
  let whole: Buffer;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hr-audit-'));
    path = write(folder);
    whole = readFileSync(path);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function verified(bytes: Uint8Array | string): AuditReport {
    writeFileSync(path, bytes);
    return verifyAudit({ ...readAudit(folder), open: (sealed) => openText(AUDIT_PURPOSE, sealed, keys) });
  }

  it('is found to be whole', () => {
    const report = verified(whole);
    expect(report).toMatchObject({ problems: [], notes: [] });
    expect(report.rows).toBeGreaterThanOrEqual(ROWS);
  });

  it('shows any byte that was changed', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ flip;
        expect(verified(changed).problems).not.toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('shows any changed byte of its first and last rows', { timeout: 120_000 }, () => {
    const lines = whole.toString('utf8').trimEnd().split('\n');
    const few = `${[...lines.slice(0, 2)].join('\n')}\n`;
    const { problems } = verified(few);
    expect(problems.every(({ code }) => code === 'cut')).toBe(true);
    for (const at of few.split('').keys()) {
      const changed = Buffer.from(few);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verified(changed).problems, `byte ${at}`).not.toEqual(problems);
    }
  });

  it('shows any row that is gone', { timeout: 120_000 }, () => {
    const lines = whole.toString('utf8').trimEnd().split('\n');
    fc.assert(
      fc.property(fc.nat(ROWS - 1), (at) => {
        const { problems } = verified(`${lines.toSpliced(at, 1).join('\n')}\n`);
        expect(problems).not.toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  it('shows any two rows that changed places', { timeout: 120_000 }, () => {
    const lines = whole.toString('utf8').trimEnd().split('\n');
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(ROWS - 1), { minLength: 2, maxLength: 2 }), ([one = 0, other = 0]) => {
        const swapped = lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '');
        expect(verified(`${swapped.join('\n')}\n`).problems).not.toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  it('shows a row put in again, and an exchanged number', () => {
    const lines = whole.toString('utf8').trimEnd().split('\n');
    const exchanged = lines.with(4_999, (lines[4_999] ?? '').replace('"n":5000,', '"n":5001,'));
    expect(codes(verified(`${exchanged.join('\n')}\n`))).toContain('conflict');
    const again = verified(`${lines.toSpliced(6_000, 0, lines[5_000] ?? '').join('\n')}\n`);
    // A gateway that could not move the seal writes the same rows again.
    expect(codes(again)).toEqual(write === runsFile ? ['repeated'] : []);
  });

  it('shows that its end is gone', () => {
    const lines = whole.toString('utf8').trimEnd().split('\n');
    const report = verified(`${lines.slice(0, 9_000).join('\n')}\n`);
    expect([...report.problems, ...report.notes].map(({ code }) => code)).toEqual([
      write === runsFile ? 'not_closed' : 'unsigned_end',
    ]);
  });
});

function codes({ problems }: AuditReport): string[] {
  return problems.map(({ code }) => code);
}

function runsFile(folder: string): string {
  const path = join(folder, 'run-1.jsonl');
  const audit = openAuditFile(path);
  audit.append(...Array.from({ length: ROWS }, (_, at) => ({ at, event: 'asked' as const, requestId: `r${at}` })));
  audit.close();
  return path;
}

function gatewaysFile(folder: string): string {
  const path = join(folder, 'gateway-1.jsonl');
  let end = { chain: 'g1', n: 0, hash: FIRST_HASH };
  const lines = Array.from({ length: ROWS }, (_, at) => {
    const next = nextLine(end, `"id":"${at}-0","row":{"at":${at},"event":"asked","requestId":"ré${at}"}`);
    end = next.end;
    return next.line;
  });
  const head = vouchedText({ kind: 'head', ...end, at: 7 });
  writeFileSync(path, `${[...lines, vouchedLine(signText(AUDIT_PURPOSE, head, key))].join('\n')}\n`);
  return path;
}
