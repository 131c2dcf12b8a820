import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CardRef } from '../../../src/core/request.ts';
import { openCardJournal, readAbandonedCards, removeJournal } from '../../../src/store/card-journal-file.ts';
import { buildFixture, startNode } from '../../support/typescript-process.ts';

const PLACE = { platform: 'slack', channel: 'C1' } as const;
const CARD: CardRef = { ...PLACE, workspaceId: 'T1', message: '1.1', thread: '1.0' };

let root: string;
let directory: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-journal-'));
  directory = join(root, 'state', 'journal');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the card journal', () => {
  it('makes no file before the first entry, then one for its owner only, in a folder for its owner only', () => {
    const journal = openCardJournal(directory, 'run-1');
    expect(existsSync(directory)).toBe(false);
    journal.append({ kind: 'posting', requestId: 'r1', sessionId: 's1', place: PLACE });
    const [name = ''] = readdirSync(directory);
    expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, 'state')).mode & 0o777).toBe(0o700);
    journal.close();
  });

  it('has the entry in the file when append returns', () => {
    const journal = openCardJournal(directory, 'run-1');
    journal.append({ kind: 'posted', requestId: 'r1', card: CARD });
    expect(readFileSync(onlyFile(), 'utf8')).toContain('"posted"');
    journal.close();
  });

  it('takes nothing once it is closed, and keeps what the next run has to settle', () => {
    const journal = openCardJournal(directory, 'run-1');
    journal.append({ kind: 'posted', requestId: 'r1', card: CARD });
    journal.close();
    const left = readFileSync(onlyFile(), 'utf8');
    expect(() => journal.append({ kind: 'posted', requestId: 'r2', card: CARD })).toThrow(
      expect.objectContaining({ code: 'store' }),
    );
    journal.close();
    expect(readFileSync(onlyFile(), 'utf8')).toBe(left);
  });

  it('goes away at the end when every card is settled, and stays when one is not', () => {
    const journal = openCardJournal(directory, 'run-1');
    journal.append({ kind: 'posting', requestId: 'r1', sessionId: 's1', place: PLACE });
    journal.append({ kind: 'posted', requestId: 'r1', card: CARD });
    journal.append({ kind: 'settled', requestId: 'r1', card: CARD });
    journal.append({ kind: 'posting', requestId: 'r2', sessionId: 's1', place: PLACE });
    journal.append({ kind: 'not_posted', requestId: 'r2', place: PLACE });
    journal.close();
    journal.close();
    expect(readdirSync(directory)).toEqual([]);

    const next = openCardJournal(directory, 'run-2');
    next.append({ kind: 'posting', requestId: 'r3', sessionId: 's1', place: PLACE });
    next.close();
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('refuses an incarnation that could leave the folder', () => {
    expect(() => openCardJournal(directory, '../elsewhere')).toThrow('cannot be part of a file name');
  });
});

describe('abandoned cards', () => {
  let fixture: { file: string; remove(): void };
  beforeAll(async () => {
    fixture = await buildFixture('test/fixtures/store/journal-holder.ts');
  });
  afterAll(() => fixture.remove());

  it('are none where there never was a journal', () => {
    expect(readAbandonedCards(directory, 'run-1')).toEqual([]);
  });

  it('are left alone while their process lives, and found once it was killed', async () => {
    const holder = startNode(fixture.file, [directory, 'run-1']);
    expect(await holder.firstLine).toBe('held');
    expect(readAbandonedCards(directory, 'run-2')).toEqual([]);
    holder.child.kill('SIGKILL');
    await holder.finished;
    const [journal, ...others] = readAbandonedCards(directory, 'run-2');
    expect(others).toEqual([]);
    expect(journal?.cards).toEqual([
      { requestId: 'r1', card: CARD, place: PLACE },
      { requestId: 'r2', place: PLACE },
    ]);
    removeJournal(journal?.file ?? '');
    removeJournal(journal?.file ?? '');
    expect(readAbandonedCards(directory, 'run-2')).toEqual([]);
  });

  it('never include those of the run that asks', () => {
    writeJournal('run-1', [{ kind: 'posted', requestId: 'r1', card: CARD }]);
    expect(readAbandonedCards(directory, 'run-1')).toEqual([]);
    expect(readAbandonedCards(directory, 'run-2')).toHaveLength(1);
  });

  it('are told by journal, one card each, without the settled ones; a journal with nothing left is removed', () => {
    const other = { ...CARD, message: '2.2' };
    writeJournal('run-1', [
      { kind: 'posting', requestId: 'r1', sessionId: 's1', place: PLACE },
      { kind: 'posting', requestId: 'r1', sessionId: 's1', place: PLACE },
      { kind: 'posted', requestId: 'r1', card: CARD },
      { kind: 'posted', requestId: 'r2', card: other },
      { kind: 'settled', requestId: 'r1', card: CARD },
    ]);
    writeJournal('run-2', [
      { kind: 'posted', requestId: 'r3', card: CARD },
      { kind: 'settled', requestId: 'r3', card: CARD },
    ]);
    expect(readAbandonedCards(directory, 'run-3').map((journal) => journal.cards)).toEqual([
      [{ requestId: 'r2', card: other, place: PLACE }],
    ]);
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('are found in spite of half a line at the end and lines that cannot be read', () => {
    const file = writeJournal('run-1', [{ kind: 'posted', requestId: 'r1', card: CARD }]);
    appendFileSync(file, 'not json\n{"kind":"unknown"}\n{"kind":"posting","requestId":"r2"');
    expect(readAbandonedCards(directory, 'run-2')[0]?.cards).toEqual([{ requestId: 'r1', card: CARD, place: PLACE }]);
  });

  it('of a dead process are found although a later one has its pid', () => {
    const file = writeJournal('run-1', [{ kind: 'posted', requestId: 'r1', card: CARD }]);
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    const header = JSON.stringify({ v: 1, pid: process.pid, startedAt: 'an-earlier-boot:1' });
    writeFileSync(file, [header, ...rest].join('\n'));
    expect(readAbandonedCards(directory, 'run-2')).toHaveLength(process.platform === 'linux' ? 1 : 0);
  });
});

/** A journal whose process is gone: pids end well below this number. */
function writeJournal(incarnation: string, entries: readonly object[]): string {
  const journal = openCardJournal(directory, incarnation);
  journal.append({ kind: 'posting', requestId: 'x', sessionId: 's1', place: PLACE });
  journal.close();
  const file = join(directory, readdirSync(directory).find((name) => name.startsWith(`${incarnation}.`)) ?? '');
  const header = { v: 1, pid: 2 ** 30 };
  writeFileSync(file, [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

function onlyFile(): string {
  const [name = '', ...others] = readdirSync(directory);
  expect(others).toEqual([]);
  return join(directory, name);
}
