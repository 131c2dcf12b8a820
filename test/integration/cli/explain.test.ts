import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesk, type Desk } from '../../support/handraise.ts';
import { faultsOf, type RedactionCase, redactionCases } from '../../support/redaction-cases.ts';

let desk: Desk;
beforeEach(() => {
  desk = createDesk();
});
afterEach(() => desk.remove());

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('handraise explain', () => {
  it('says what a command would do, which part decided and what would come of it', async () => {
    const { exitCode, stdout } = await desk.start(['explain', '--', 'git status && git push origin main']);
    expect(exitCode).toBe(0);
    expect(text(stdout)).toBe(
      [
        'effect:  external',
        'because: changes a remote repository',
        'part:    git push origin main',
        'tags:    needs:git-neutralised, network',
        'verdict: ask (people would be asked)',
        '',
      ].join('\n'),
    );
  });

  it('takes a program and its arguments as they are, options included', async () => {
    const { stdout } = await desk.start(['explain', '--', 'rm', '-rf', 'a; git push']);
    expect(text(stdout)).toContain("effect:  write\nbecause: removes files\npart:    rm -rf 'a; git push'\n");
  });

  it('explains objects line by line and keeps their other keys', async () => {
    const rows = [{ cmd: 'ls', id: 7 }, { cmd: 'handraise resolve x' }];
    const { exitCode, stdout } = await desk.start(['explain', '--stdin'], {
      input: rows.map((row) => `${JSON.stringify(row)}\n`).join('\n'),
    });
    const lines = text(stdout).trim().split('\n');
    expect(exitCode).toBe(0);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { cmd: 'ls', id: 7, effect: 'read', reason: 'reads', part: 'ls', tags: [], verdict: 'allow', shown: 'ls' },
      expect.objectContaining({ effect: 'unknown', tags: ['names-handraise'], verdict: 'deny' }),
    ]);
  });

  it('prints what a card would show of a command: secrets masked, what hides made visible, all else to the letter', async () => {
    const password = ['hunter2', 'correct8942'].join('');
    const commands = [`mysql -h db -p${password} -e 'drop table x'`, 'echo a\u202Eb', 'cat <<EOF\n  x\nEOF'];
    const { stdout } = await desk.start(['explain', '--stdin'], {
      input: commands.map((cmd) => JSON.stringify({ cmd })).join('\n'),
    });
    const shown = text(stdout)
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { shown: string }).shown);
    expect(shown).toEqual([
      "mysql -h db -p[secret:password#1] -e 'drop table x'",
      'echo a⟨U+202E⟩b',
      'cat <<EOF\n  x\nEOF',
    ]);
  });

  it('shows every text of the labelled corpus of secrets as people have to see it', async () => {
    const { stdout } = await desk.start(['explain', '--stdin'], {
      input: redactionCases.map((one) => JSON.stringify({ ...one, cmd: one.text })).join('\n'),
    });
    const rows = text(stdout)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RedactionCase & { shown: string });
    expect(rows).toHaveLength(redactionCases.length);
    expect(rows.flatMap((row) => faultsOf(row, row.shown))).toEqual([]);
  });

  it('answers a wrong line in its place, goes on, and ends with 64', async () => {
    const { exitCode, stdout } = await desk.start(['explain', '--stdin'], { input: '{"cmd":1}\n{"cmd":"ls"}\nx' });
    const lines = text(stdout).trim().split('\n');
    expect(exitCode).toBe(64);
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object).includes('error'))).toEqual([true, false, true]);
  });

  it.each([[['explain']], [['explain', '--stdin', '--', 'ls']]])('refuses %s with 64', async (args) => {
    const { exitCode, stderr } = await desk.start(args);
    expect(exitCode).toBe(64);
    expect(text(stderr)).toMatch(/^handraise: Nothing can be explained/);
  });
});
