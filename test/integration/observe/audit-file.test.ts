import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
    expect(readFileSync(join(root, 'other.jsonl'), 'utf8')).toBe('');
    expect(lines()).toHaveLength(1);
    other.close();
  });

  it('holds one JSON object a row, readable by its owner only', () => {
    const audit = openAuditFile(path);
    audit.append(ROW);
    audit.append({ ...ROW, event: 'delivered' }, { ...ROW, event: 'ended', outcome: 'answered' });
    expect(lines()).toEqual([
      { v: 1, ts: '2026-08-03T10:00:00.007Z', event: 'claimed', requestId: 'r1', actor, picks: ['q0.o1'] },
      expect.objectContaining({ event: 'delivered' }),
      expect.objectContaining({ event: 'ended', outcome: 'answered' }),
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'state', 'audit')).mode & 0o777).toBe(0o700);
    audit.close();
  });

  it('goes on with an existing file, behind half a line that a crash left', () => {
    const first = openAuditFile(path);
    first.append(ROW);
    first.close();
    appendFileSync(path, '{"v":1,"ts":"2026');
    const second = openAuditFile(path);
    second.append({ ...ROW, event: 'ended' });
    second.append({ ...ROW, event: 'card_settled' });
    second.close();
    const read = readFileSync(path, 'utf8').split('\n');
    expect(read[1]).toBe('{"v":1,"ts":"2026');
    expect([read[0], read[2], read[3]].map((line) => JSON.parse(line ?? '').event)).toEqual([
      'claimed',
      'ended',
      'card_settled',
    ]);
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
      expect(rows).toHaveLength(told.written + 1);
      expect(rows.at(-1)).not.toHaveProperty('reason');
    } finally {
      fixture.remove();
    }
  });
});

function lines(): Record<string, unknown>[] {
  const text = readFileSync(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
