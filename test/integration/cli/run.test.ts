import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesk, type Desk, fixtureAgent, HANDRAISE } from '../../support/handraise.ts';

let desk: Desk;
beforeEach(() => {
  desk = createDesk();
});
afterEach(() => desk.remove());

const SCRIPT = 'answers.json';
/** With a script somebody can be asked without Slack; without one, and without a configuration, nobody can. */
const attached = () => {
  writeFileSync(join(desk.work, SCRIPT), JSON.stringify([{ answers: { 'Which database?': 'Postgres' } }]));
  return ['--script', SCRIPT];
};
const cases = [
  { how: 'with somebody to ask', flags: attached },
  { how: 'headless', flags: () => [] },
];

describe.each(cases)('run, $how', ({ flags }) => {
  it.each([0, 64, 255])('ends with the agent’s exit code %i', async (code) => {
    const { exitCode } = await desk.start(['run', ...flags(), '--', ...fixtureAgent('report', String(code))]);
    expect(exitCode).toBe(code);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGKILL', 137],
  ])('ends with 128+n when %s ends the agent', async (signal, code) => {
    const { exitCode } = await desk.start(['run', ...flags(), '--', ...fixtureAgent('die', signal)]);
    expect(exitCode).toBe(code);
  });

  it('adds nothing to either stream of the agent', async () => {
    const { stdout, stderr } = await desk.start(['run', ...flags(), '--', ...fixtureAgent('report')]);
    expect(Buffer.from(stdout).toString()).toMatch(/^\{.*\}\n$/);
    expect(Buffer.from(stderr).toString()).toBe('to stderr\n');
  });

  it('hands standard input through, byte for byte (promise: transparent)', async () => {
    const bytes = randomBytes(1_000_000);
    const { stdout } = await desk.start(['run', ...flags(), '--', ...fixtureAgent('copy')], { input: bytes });
    expect(Buffer.compare(Buffer.from(stdout), bytes)).toBe(0);
  });

  it('hands the agent’s own flags through, with and without --', async () => {
    const args = ['0', '--help', '--config', '--', '-x', ''];
    const agent = fixtureAgent('report', ...args);
    for (const between of [['--'], []]) {
      const { stdout } = await desk.start(['run', ...flags(), ...between, ...agent]);
      expect(JSON.parse(String(Buffer.from(stdout))).args).toEqual(args);
    }
  });

  it('keeps the environment but for what is handraise’s own (promise: tokens-stay-out)', async () => {
    const env = {
      ANTHROPIC_API_KEY: 'kept',
      SLACK_BOT_TOKEN: ['xoxb', 'test'].join('-'),
      SLACK_APP_TOKEN: ['xapp', 'test'].join('-'),
      SLACK_API_URL: 'https://slack.com/api/',
      DISCORD_BOT_TOKEN: ['M'.repeat(24), 'abcdef', 'x'.repeat(30)].join('.'),
      HANDRAISE_SOCK: '/tmp/of-an-outer-run',
      HANDRAISE_MCP_CONFIG: '/tmp/of-an-outer-run.json',
      KITSOKI_OPERATOR_ASK_SOCK: '/tmp/stale',
    };
    const { stdout } = await desk.start(['run', ...flags(), '--', ...fixtureAgent('report')], { env });
    const { env: seen } = JSON.parse(String(Buffer.from(stdout))) as { env: Record<string, string> };
    const added = flags().length === 0 ? [] : ['HANDRAISE_MCP_CONFIG', 'HANDRAISE_SOCK'];
    expect(Object.keys(seen).sort()).toEqual([...Object.keys(desk.env), 'ANTHROPIC_API_KEY', ...added].sort());
    expect(JSON.stringify(seen)).not.toMatch(/xoxb|xapp|MMMM|of-an-outer-run/);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('passes %s on once and ends as the agent ends', async (signal) => {
    const run = desk.start(['run', ...flags(), '--', ...fixtureAgent('count-signals')]);
    const lines = createInterface({ input: run.stdout });
    await once(lines, 'line');
    run.kill(signal);
    const { exitCode, stdout } = await run;
    expect(String(Buffer.from(stdout))).toBe(`ready\n${signal}\n`);
    expect(exitCode).toBe(9);
  });

  it('passes on signals that do not end the agent, and waits for it', async () => {
    const run = desk.start(['run', ...flags(), '--', ...fixtureAgent('count-signals')]);
    const lines = createInterface({ input: run.stdout })[Symbol.asyncIterator]();
    await lines.next();
    for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGQUIT', 'SIGTERM'] as const) {
      run.kill(signal);
      expect((await lines.next()).value).toBe(signal);
    }
    expect((await run).exitCode).toBe(9);
  });

  it('leaves one Ctrl-C one Ctrl-C for an agent in the same terminal', async () => {
    const command = ['run', ...flags(), '--', ...fixtureAgent('count-signals')];
    const quoted = [process.execPath, HANDRAISE, ...command].map((word) => `'${word}'`).join(' ');
    // `script` gives it a terminal of its own, in which byte 3 is Ctrl-C.
    const terminal = execa('script', ['--quiet', '--return', '--command', `exec ${quoted}`, '/dev/null'], {
      cwd: desk.work,
      env: { ...desk.env, SHELL: '/bin/sh' },
      extendEnv: false,
      reject: false,
      stdin: 'pipe',
      timeout: 60_000,
    });
    terminal.stdout.on('data', (chunk: Buffer) => {
      if (String(chunk).includes('ready')) terminal.stdin.write('\u0003');
    });
    const { stdout, exitCode } = await terminal;
    expect(stdout.match(/SIGINT/g)).toEqual(['SIGINT']);
    expect(exitCode).toBe(9);
  });
});

describe('run with somebody to ask', () => {
  it('gets an answer to an agent over the MCP server it is pointed to', async () => {
    const agent = fixtureAgent('ask', 'Which database?', 'Postgres', 'SQLite');
    const run = await desk.start(['run', ...attached(), '--session', 's1', '--', ...agent]);
    expect(String(Buffer.from(run.stderr))).toBe('');
    const { content, isError } = JSON.parse(String(Buffer.from(run.stdout)));
    expect(content[0].text).toContain('{"answers":{"Which database?":"Postgres"}}');
    expect(isError).toBeFalsy();
    const events = readFileSync(join(desk.state, 's1/events.jsonl'), 'utf8').trim().split('\n');
    expect(events.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'operator.question.asked', session_id: 's1', headers: ['Choice'] },
      { event: 'operator.question.answered', session_id: 's1', outcome: 'answered', by: 'operator' },
    ]);
  });

  it('writes events where it is told to', async () => {
    const agent = fixtureAgent('ask', 'Which database?', 'Postgres', 'SQLite');
    await desk.start(['run', ...attached(), '--events', 'mine.jsonl', '--', ...agent]);
    expect(readFileSync(join(desk.work, 'mine.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('leaves neither socket nor configuration behind', async () => {
    const run = await desk.start(['run', ...attached(), '--session', 's1', '--', ...fixtureAgent('report')]);
    const { env, mcp } = JSON.parse(String(Buffer.from(run.stdout)));
    expect(mcp.mcpServers.operator).toMatchObject({
      command: process.execPath,
      args: [expect.stringMatching(/\/dist\/mcp-start\.cjs$/)],
      env: { HANDRAISE_SOCK: env.HANDRAISE_SOCK },
    });
    expect(existsSync(env.HANDRAISE_SOCK)).toBe(false);
    expect(existsSync(env.HANDRAISE_MCP_CONFIG)).toBe(false);
    expect(readdirSync(desk.temporary)).toEqual([]);
    expect(readdirSync(join(desk.state, 's1')).sort()).toEqual(['events.jsonl', 'handraise.log']);
  });

  it('refuses a script it cannot read before the agent starts', async () => {
    const run = await desk.start(['run', '--script', 'nowhere.json', '--', ...fixtureAgent('report')]);
    expect(run.exitCode).toBe(64);
    expect(String(Buffer.from(run.stdout))).toBe('');
  });
});

describe('run without somebody to ask', () => {
  it('gives the agent no way to ask and leaves no trace on the disk (promise: headless-goes-on)', async () => {
    const run = await desk.start(['run', '--', ...fixtureAgent('report')]);
    expect(JSON.parse(String(Buffer.from(run.stdout)))).not.toHaveProperty('mcp');
    expect(existsSync(desk.state)).toBe(false);
    expect(readdirSync(desk.temporary)).toEqual([]);
  });

  it('is also what a binding with mode: deny means', async () => {
    const config = 'bindings: [{ match: { workspace: "*" }, questions: { mode: deny } }]';
    writeFileSync(join(desk.work, 'c.yaml'), config);
    const run = await desk.start(['run', '--config', 'c.yaml', '--', ...fixtureAgent('report')]);
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(String(Buffer.from(run.stdout)))).not.toHaveProperty('mcp');
  });
});
