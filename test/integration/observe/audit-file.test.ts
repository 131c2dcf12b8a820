import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChainEnd } from '../../../src/observe/audit/chain.ts';
import { readAudit } from '../../../src/observe/audit/read.ts';
import { verifyAudit } from '../../../src/observe/audit/verify.ts';
import { openAuditFile } from '../../../src/observe/audit-file.ts';
import { ANA } from '../../support/requests.ts';
import { buildFixture, startNode } from '../../support/typescript-process.ts';

let root: string;
let path: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-audit-'));
  path = join(root, 'state', 'audit', 'run-1.jsonl');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const { name: _, ...ana } = ANA;
const actor = { kind: 'chat_user', ...ana } as const;
const ROW = {
  at: Date.UTC(2026, 7, 3, 10, 0, 0, 7),
  event: 'claimed',
  requestId: 'r1',
  actor,
  picks: ['q0.o1'],
} as const;

describe('the audit file', () => {
  it('takes nothing once it is closed, and leaves whatever has its descriptor now alone', () => {
    const audit = openAuditFile(path);
    audit.append(ROW);
    audit.close();
    audit.close();
    const other = openAuditFile(join(root, 'other.jsonl'));
    expect(() => audit.append(ROW)).toThrow(expect.objectContaining({ code: 'store' }));
    expect(events(join(root, 'other.jsonl'))).toEqual(['opened']);
    expect(events()).toEqual(['opened', 'claimed', 'closed']);
    other.close();
  });

  it('holds one JSON object a row, readable by its owner only', () => {
    const audit = openAuditFile(path);
    audit.append(ROW);
    audit.append({ ...ROW, event: 'delivered' }, { ...ROW, event: 'ended', outcome: 'answered' });
    const chained = { v: 2, chain: 'run-1', hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(lines()).toEqual([
      expect.objectContaining({ ...chained, n: 1, event: 'opened', pid: process.pid, seen: [] }),
      {
        ...{ ...chained, n: 2, ts: '2026-08-03T10:00:00.007Z' },
        ...{ event: 'claimed', requestId: 'r1', actor, picks: ['q0.o1'] },
      },
      expect.objectContaining({ event: 'delivered' }),
      expect.objectContaining({ event: 'ended', outcome: 'answered' }),
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'state', 'audit')).mode & 0o777).toBe(0o700);
    audit.close();
  });

  it('is one process’s: a file that exists is refused and stays as it was', () => {
    const first = openAuditFile(path);
    expect(() => openAuditFile(path)).toThrow(expect.objectContaining({ code: 'store' }));
    first.append(ROW);
    first.close();
    expect(events()).toEqual(['opened', 'claimed', 'closed']);
  });

  it('names in its first row how the files before it end, also one that a crash left with half a line', () => {
    const first = openAuditFile(path);
    first.append(ROW);
    first.close();
    const killed = join(root, 'state', 'audit', 'run-2.jsonl');
    openAuditFile(killed).append(ROW);
    appendFileSync(killed, '{"v":2,"chain":"run-2","n":3');
    const third = join(root, 'state', 'audit', 'run-3.jsonl');
    openAuditFile(third).close();
    const opened = JSON.parse(readFileSync(third, 'utf8').split('\n')[0] ?? '') as { seen: ChainEnd[] };
    expect(opened.seen.map(({ chain, n }) => [chain, n]).sort()).toEqual([
      ['run-1', 3],
      ['run-2', 2],
    ]);
  });

  it('takes no rows once somebody removed the file', () => {
    const audit = openAuditFile(path);
    rmSync(path);
    expect(() => audit.append(ROW)).toThrow(expect.objectContaining({ code: 'store' }));
    audit.close();
  });

  it('throws once it cannot be written any more', () => {
    const audit = openAuditFile(path);
    audit.close();
    expect(() => audit.append(ROW)).toThrow();
  });

  it('names the file and the cure when it cannot be opened', () => {
    const blocked = join(path, 'below-a-file.jsonl');
    openAuditFile(path).close();
    expect(() => openAuditFile(blocked)).toThrow(/below-a-file\.jsonl cannot be written \(E(NOTDIR|EXIST)\)/);
  });

  it('keeps neither of two rows when only a part of them fits on the disk, and goes on when there is room', async () => {
    const fixture = await buildFixture('test/fixtures/observe/audit-filler.ts');
    try {
      // 20 blocks of 512 bytes take five pairs of 1.9 kB and then a part of the sixth.
      const filler = startNode(fixture.file, [path], { fileSizeBlocks: 20 });
      const { code, stdout, stderr } = await filler.finished;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const told = JSON.parse(stdout) as { written: number; code: string; message: string };
      expect(told).toMatchObject({ code: 'store', message: expect.stringContaining('EFBIG') });
      expect(told.written).toBeGreaterThan(0);
      const rows = lines();
      // Besides the pairs: opened, the short one, closed.
      expect(rows).toHaveLength(told.written + 3);
      expect(rows.at(-2)).not.toHaveProperty('reason');
      expect(verifyAudit(readAudit(dirname(path)))).toMatchObject({ problems: [], notes: [] });
    } finally {
      fixture.remove();
    }
  });
});

function events(of = path): unknown[] {
  return lines(of).map(({ event }) => event);
}

function lines(of = path): Record<string, unknown>[] {
  const text = readFileSync(of, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
