import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAudit } from '../../../../src/observe/audit/read.ts';
import { verifyAudit } from '../../../../src/observe/audit/verify.ts';
import { type AuditFileOptions, openAuditFile } from '../../../../src/observe/audit-file.ts';

const DAY_MS = 24 * 3_600_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hr-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('verifying the audits of runs', () => {
  it('misses a whole file that a later run has seen', () => {
    run('run-1');
    run('run-2');
    run('run-3');
    expect(codes()).toEqual([[], []]);
    rmSync(pathOf('run-2'));
    expect(codes()).toEqual([['missing_chain'], []]);
  });

  it('misses the end of a file that a later run has seen', () => {
    run('run-1');
    run('run-2');
    const lines = readFileSync(pathOf('run-1'), 'utf8').split('\n');
    writeFileSync(pathOf('run-1'), `${lines.slice(0, 2).join('\n')}\n`);
    expect(codes()).toEqual([['cut'], ['not_closed']]);
  });

  it('finds a file under another one’s name', () => {
    run('run-1');
    copyFileSync(pathOf('run-1'), pathOf('run-0'));
    expect(codes()[0]).toContain('misplaced');
  });

  it('finds a row behind the one that closed the file', () => {
    run('run-1');
    const lines = readFileSync(pathOf('run-1'), 'utf8').split('\n');
    writeFileSync(pathOf('run-1'), [lines[0], lines[2], lines[1], ''].join('\n'));
    expect(codes()[0]).toContain('reordered');
  });

  it('reads what version 1 wrote, and says that nothing chains it', () => {
    writeFileSync(
      join(folder, 'old.jsonl'),
      '{"v":1,"ts":"2026-08-03T10:00:00.000Z","event":"asked","requestId":"r"}\n',
    );
    expect(codes()).toEqual([[], ['unchained']]);
    expect(verifyAudit(readAudit(folder)).rows).toBe(1);
  });

  it('says that a file is empty, and that a line is no row', () => {
    writeFileSync(join(folder, 'empty.jsonl'), '');
    expect(codes()).toEqual([[], ['empty']]);
    run('run-1');
    appendFileSync(pathOf('run-1'), 'something else\n');
    expect(codes()).toEqual([['unreadable'], ['empty']]);
  });
});

describe('the retention', () => {
  it('deletes what is older, says which chains those were, and verifies', () => {
    run('run-1');
    run('run-2');
    aged('run-1', 9);
    run('run-3', { retentionMs: 7 * DAY_MS });
    expect(files()).toEqual(['run-2.jsonl', 'run-3.jsonl']);
    expect(codes()).toEqual([[], ['deleted']]);
    // The row that says so is part of its chain.
    const text = readFileSync(pathOf('run-3'), 'utf8');
    writeFileSync(pathOf('run-3'), text.replace('"chain":"run-1"', '"chain":"run-9"'));
    expect(codes()[0]).toEqual(expect.arrayContaining(['changed', 'missing_chain']));
  });

  it('says it again when the file that said it goes, as long as somebody names what is gone', () => {
    run('run-1');
    run('run-2');
    aged('run-1', 9);
    run('run-3', { retentionMs: 7 * DAY_MS });
    aged('run-3', 9);
    run('run-4', { retentionMs: 7 * DAY_MS });
    expect(files()).toEqual(['run-2.jsonl', 'run-4.jsonl']);
    expect(codes()).toEqual([[], ['deleted']]);
  });

  it('leaves the file of a process that lives', () => {
    const living = openAuditFile(pathOf('run-1'));
    aged('run-1', 9);
    run('run-2', { retentionMs: 7 * DAY_MS });
    expect(files()).toContain('run-1.jsonl');
    living.close();
  });
});

function pathOf(name: string): string {
  return join(folder, `${name}.jsonl`);
}

/** A run of a process that is gone. */
function run(name: string, options: AuditFileOptions = {}): void {
  const audit = openAuditFile(pathOf(name), options);
  audit.append({ at: 7, event: 'asked', requestId: `of-${name}` });
  audit.close();
}

/** Not written to for so many days, by a process that is no more. */
function aged(name: string, days: number): void {
  const then = Date.now() / 1_000 - days * 24 * 3_600;
  utimesSync(pathOf(name), then, then);
}

function files(): string[] {
  return [...readAudit(folder).files];
}

/** Of problems, and of notes. */
function codes(): [string[], string[]] {
  const { problems, notes } = verifyAudit(readAudit(folder));
  return [problems.map(({ code }) => code), notes.map(({ code }) => code)];
}
