import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLog } from '../../../src/observe/log.ts';
import { buildFixture, startNode } from '../../support/typescript-process.ts';

let root: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-log-'));
  file = join(root, 'session', 'handraise.log');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the log', () => {
  it('is in the file and on stderr, never on stdout, down to the last line before a kill', async () => {
    const fixture = await buildFixture('test/fixtures/observe/log-speaker.ts');
    try {
      const { stdout, stderr } = await startNode(fixture.file, [file]).finished;
      expect(stdout).toBe('');
      const lines = parsed(readFileSync(file, 'utf8'));
      expect(parsed(stderr)).toEqual(lines);
      expect(lines).toMatchObject([
        { level: 'info', requestId: 'r1', msg: 'a card was posted' },
        { level: 'error', msg: 'something failed', err: { message: 'it broke' } },
      ]);
    } finally {
      fixture.remove();
    }
  });

  it('prints stars for what looks like a secret', () => {
    const log = openLog({ file, level: 'info' });
    log.info({ token: 'a-secret', slack: { botToken: 'another' } }, 'connected');
    log.close();
    expect(parsed(readFileSync(file, 'utf8'))).toMatchObject([{ token: '***', slack: { botToken: '***' } }]);
  });

  it('is readable by its owner only', () => {
    openLog({ file, level: 'info' }).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('ignores lines after it was closed, and a second close', () => {
    const log = openLog({ file, level: 'info' });
    log.close();
    log.close();
    log.info({}, 'too late');
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('may go nowhere', () => {
    const log = openLog({ level: 'debug' });
    log.error({}, 'nobody hears this');
    log.close();
  });
});

function parsed(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
