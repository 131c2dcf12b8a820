import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEvents, type QuestionEvent } from '../../../src/observe/events.ts';
import { recordingLog } from '../../support/recording-log.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-events-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const ASKED: QuestionEvent = {
  event: 'operator.question.asked',
  at: Date.UTC(2026, 7, 3, 10),
  id: 'q1',
  headers: ['Database'],
  questions: 1,
  duration_ms: 0,
  outcome: null,
  by: 'agent',
};
const ANSWERED: QuestionEvent = {
  ...ASKED,
  event: 'operator.question.answered',
  at: Date.UTC(2026, 7, 3, 10, 0, 4, 250),
  duration_ms: 4_250,
  outcome: 'answered',
  by: 'operator',
  answers: 1,
  request_id: 'r1',
};

describe('the events file', () => {
  it('holds one JSON object a line, each with its session, readable by its owner only', () => {
    const path = join(root, 'state', 's1', 'events.jsonl');
    const events = openEvents(path, { sessionId: 's1', log: recordingLog() });
    events.emit(ASKED);
    events.emit(ANSWERED);
    events.close();
    expect(readFileSync(path, 'utf8')).toBe(
      '{"ts":"2026-08-03T10:00:00.000Z","event":"operator.question.asked","id":"q1","session_id":"s1",' +
        '"headers":["Database"],"questions":1,"duration_ms":0,"outcome":null,"by":"agent"}\n' +
        '{"ts":"2026-08-03T10:00:04.250Z","event":"operator.question.answered","id":"q1","session_id":"s1",' +
        '"headers":["Database"],"questions":1,"duration_ms":4250,"outcome":"answered","by":"operator",' +
        '"answers":1,"request_id":"r1"}\n',
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('takes what the gate tells, in the same form', () => {
    const path = join(root, 'events.jsonl');
    const events = openEvents(path, { sessionId: 's1', log: recordingLog() });
    events.emit({
      event: 'machine.write_mode_granted',
      at: Date.UTC(2026, 7, 3, 10),
      id: 'g1',
      headers: ['write mode'],
      state: 'main',
      action: 'Bash: git',
      effect: 'external',
      granted: false,
      outcome: 'no_channel',
      by: 'headless',
      duration_ms: 3,
    });
    events.close();
    expect(readFileSync(path, 'utf8')).toBe(
      '{"ts":"2026-08-03T10:00:00.000Z","event":"machine.write_mode_granted","id":"g1","session_id":"s1",' +
        '"headers":["write mode"],"state":"main","action":"Bash: git","effect":"external","granted":false,' +
        '"outcome":"no_channel","by":"headless","duration_ms":3}\n',
    );
  });

  // The device that is always full exists on Linux only.
  it.runIf(existsSync('/dev/full'))('reports a line it could not write to the log and lets the run go on', () => {
    const log = recordingLog();
    const events = openEvents('/dev/full', { sessionId: 's1', log });
    events.emit(ASKED);
    events.close();
    expect(log.lines).toEqual([
      {
        level: 'error',
        fields: { event: 'operator.question.asked', id: 'q1', error: '/dev/full cannot be written (ENOSPC)' },
        message: 'event could not be written',
      },
    ]);
  });
});
