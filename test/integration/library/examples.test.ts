import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesk, type Desk } from '../../support/handraise.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));

/** What each prints, to the letter. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
  'ask.mjs': ['answered by operator: SQLite; eu and us'],
  'propose.mjs': [
    'git push origin main (external): granted, would run now',
    'npm publish (external): denied, not run; they say: Not before the changelog is written.',
  ],
  'gate.mjs': [
    'ls -l: allowed',
    'Write a.txt: allowed',
    'Write b.txt: allowed',
    'git push origin main: denied (denied)',
    'written: a.txt, b.txt',
  ],
  'claude-agent.mjs': [
    'AskUserQuestion: allow {"Who are the notes for?":"Developers"}',
    'git status: allow ',
    'git push origin main: deny Open a pull request instead.',
  ],
};

let desk: Desk;
beforeEach(() => {
  desk = createDesk();
});
afterEach(() => desk.remove());

describe('the examples', () => {
  it('are all tried here', () => {
    const programs = readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs'));
    expect(programs.sort()).toEqual(Object.keys(PRINTED).sort());
  });

  it.each(Object.entries(PRINTED))('%s runs without a chat or a token, and ends by itself', async (name, lines) => {
    const { stdout, stderr, exitCode } = await execa(process.execPath, [join(EXAMPLES, name)], {
      cwd: desk.work,
      env: desk.env,
      extendEnv: false,
      reject: false,
      timeout: 60_000,
    });
    expect({ printed: stdout.split('\n'), stderr, exitCode }).toEqual({ printed: lines, stderr: '', exitCode: 0 });
  });
});
