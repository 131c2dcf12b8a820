import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesk, type Desk, HANDRAISE } from '../../support/handraise.ts';

let desk: Desk;
beforeEach(() => {
  desk = createDesk();
});
afterEach(() => desk.remove());

describe('the command line', () => {
  it.each([
    [['--help']],
    [['run', '--help']],
    [['ask', '--help']],
    [['gateway', '--help']],
    [['doctor', '--help']],
    [['pending', '--help']],
    [['resolve', '--help']],
    [['audit', 'verify', '--help']],
    [['audit', 'export', '--help']],
    [['mcp', '--help']],
    [['explain', '--help']],
  ])('prints its help on stdout: %s', async (args) => {
    const { exitCode, stdout, stderr } = await desk.start(args);
    expect({ exitCode, stderr: text(stderr) }).toEqual({ exitCode: 0, stderr: '' });
    expect(text(stdout)).toMatchSnapshot();
  });

  it('prints its version', async () => {
    expect(text((await desk.start(['--version'])).stdout)).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [[], 64, /^Usage: handraise/],
    [['rnu'], 64, /^handraise: unknown command 'rnu'\n {2}Did you mean run\?\n$/],
    [['run'], 64, /missing required argument/],
    [['run', '--agnet', 'x', 'claude'], 64, /^handraise: unknown option '--agnet'\n {2}Did you mean --agent\?\n$/],
    [
      ['run', '--agent', 'claud', '--', 'claude'],
      64,
      /there is no agent integration "claud"\n {2}Known are claude-code and generic/,
    ],
    [['run', '--session', '../x', '--', 'true'], 64, /--session \.\.\/x cannot name a session/],
    [['run', '--workspace', '/nowhere', '--', 'true'], 64, /--workspace \/nowhere is not a directory/],
    [
      ['run', '--config', '/nowhere.yaml', '--', 'true'],
      78,
      /there is no configuration file \/nowhere\.yaml\n {2}Correct the path given in --config/,
    ],
    [['run', '--', 'no-such-program'], 69, /cannot start no-such-program: there is no such program/],
    [['run', '--', './notes.txt'], 69, /cannot start \.\/notes\.txt: it may not be executed/],
    [['ask', '--bogus'], 64, /unknown option '--bogus'/],
    [['ask', 'Why?', '--file', 'x'], 64, /a question and --file were both given/],
    [['ask', '--header', 'x'], 64, /--header, --option and --multi belong to a question/],
    [['ask', '--file', '/nowhere.json'], 64, /\/nowhere\.json does not give a batch of questions/],
    [['ask', 'Why?', '--option', 'A', '--option', 'A'], 64, /offers "A" twice/],
    [['ask', 'Why?', '--wait', '5s'], 64, /--wait must be between 60s and 24h/],
    [['gateway'], 78, /^handraise: The gateway needs a Redis, and none is named\.\n {2}Set HANDRAISE_REDIS_URL/],
    [['gateway', '--wait', '5m'], 64, /unknown option '--wait'/],
    [['resolve'], 64, /missing required argument 'requestId'/],
    [['resolve', 'r1'], 64, /there is no answer\n {2}Give one of --option/],
    [['resolve', 'r1', '--skip', '--decline'], 64, /there is more than one answer/],
    [['resolve', 'r1', '--option', ''], 64, /--option is empty\n {2}Leave it out/],
    [['resolve', '', '--skip'], 64, /that is no request id\n {2}`handraise pending` lists/],
    [['resolve', 'r1', '--skip', '--notes', 'n'], 64, /--notes belongs to an --option or --other/],
    [['resolve', 'r1', '--answers', '{"answer":1}'], 64, /--answers holds no "answers"\n {2}Write for example/],
    [['resolve', 'r1', '--answers', '{'], 64, /--answers is not JSON/],
    [['resolve', 'r1', '--skip'], 69, /unavailable: Nothing of handraise runs here/],
    [['pending'], 69, /Nothing of handraise runs here that could be asked\.\n {2}Start `handraise gateway`/],
    [['pending', '--socket', '/nowhere.sock'], 69, /No gateway answers on \/nowhere\.sock/],
    [['pending', '--sockets', 'x'], 64, /unknown option '--sockets'\n {2}Did you mean --socket\?/],
    [['mcp', '--sock', 'x'], 64, /unknown option '--sock'\n {2}Did you mean --socket\?/],
  ])('refuses %j with %i and one line about it', async (args, exitCode, said) => {
    writeFileSync(join(desk.work, 'notes.txt'), '');
    const ended = await desk.start(args);
    expect(text(ended.stdout)).toBe('');
    expect(text(ended.stderr)).toMatch(said);
    expect(text(ended.stderr)).not.toMatch(/ {4}at /);
    expect(ended.exitCode).toBe(exitCode);
  });

  it('refuses words that are too long by the flag that gave them', async () => {
    const ended = await desk.start(['resolve', 'r1', '--other', 'x'.repeat(20_001)]);
    expect(ended.exitCode).toBe(64);
    expect(text(ended.stderr)).toMatch(/^handraise: --other is longer than 20000 characters\n {2}Write a shorter one/);
  });

  it('says how to start an agent when the bridge is started by hand in a terminal', async () => {
    const command = `exec '${process.execPath}' '${HANDRAISE}' mcp`;
    const { stdout, exitCode } = await execa('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: { ...desk.env, SHELL: '/bin/sh' },
      extendEnv: false,
      reject: false,
      // Open, like a person who types nothing.
      stdin: 'pipe',
      timeout: 20_000,
    });
    expect(stdout).toContain('Start an agent with it: handraise run --');
    expect(exitCode).toBe(64);
  });

  it('shows where a failure came from when asked to', async () => {
    const { stderr } = await desk.start(['run', '--verbose', '--', 'no-such-program']);
    expect(text(stderr)).toMatch(/there is no such program[\s\S]+ {4}at /);
  });

  it('refuses a requester who is none, and a mistyped variable with a suggestion', async () => {
    const later = await desk.start(['run', '--', 'true'], { env: { HANDRAISE_REQUESTER: '*' } });
    expect(text(later.stderr)).toMatch(/HANDRAISE_REQUESTER "\*" names nobody/);
    expect(later.exitCode).toBe(78);
    const typo = await desk.start(['run', '--', 'true'], { env: { HANDRAISE_SLACK_CHANEL: 'C0123' } });
    expect(text(typo.stderr)).toMatch(/Did you mean HANDRAISE_SLACK_CHANNEL\?/);
    expect(typo.exitCode).toBe(78);
  });

  it('does not read a configuration file that lies in the working directory', async () => {
    for (const name of ['handraise.yaml', '.handraise.yaml']) writeFileSync(join(desk.work, name), 'nonsense: true');
    expect((await desk.start(['run', '--', 'true'])).exitCode).toBe(0);
  });

  it('needs both tokens once a channel is bound', async () => {
    const { exitCode, stderr } = await desk.start(['run', '--', 'true'], { env: { HANDRAISE_SLACK_CHANNEL: 'C0123' } });
    expect(text(stderr)).toMatch(/SLACK_BOT_TOKEN is not set/);
    expect(exitCode).toBe(78);
  });
});

function text(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}
