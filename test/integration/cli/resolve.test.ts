import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SlackDouble, startSlackDouble } from '../../doubles/slack/index.ts';
import { createDesk, type Desk, fixtureAgent, HANDRAISE } from '../../support/handraise.ts';

/** Each test starts several processes one after the other; a busy machine takes its time for each. */
const PATIENCE_MS = 90_000;
vi.setConfig({ testTimeout: PATIENCE_MS });

let desk: Desk;
let slack: SlackDouble;
let ana: string;
let channel: string;
beforeEach(async () => {
  desk = createDesk();
  slack = await startSlackDouble();
  ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  channel = slack.workspace.addChannel({ name: 'agents' }).id;
});
afterEach(async () => {
  await slack.close();
  desk.remove();
  expect(slack.violations).toEqual([]);
});

const QUESTION = ['Which database?', '--option', 'Postgres=runs already', '--option', 'SQLite=one file'];

describe('pending and resolve with a run of one’s own', () => {
  it('answer the agent, and the card says who did and from where (promise: command-line)', async () => {
    const run = start('run', '--session', 's1', '--', ...fixtureAgent('ask', 'Which database?', 'Postgres', 'SQLite'));
    await shown('Postgres');
    const listed = await command('pending', '--json');
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
    const { requests, total } = JSON.parse(listed.stdout);
    expect(total).toBe(1);
    expect(requests).toMatchObject([{ status: 'open', sessionId: 's1', questions: [{ question: 'Which database?' }] }]);
    const [{ requestId, pendingId }] = requests;

    const table = await command('pending');
    for (const part of [requestId, 'Which database?', 'q0.o1  SQLite', 'session s1'])
      expect(table.stdout).toContain(part);

    const resolved = await command('resolve', requestId, '--option', 'SQLite', '--json');
    expect(resolved).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(resolved.stdout)).toMatchObject({
      code: 'resolved',
      permissionCode: null,
      requestId,
      sessionId: 's1',
      outcome: 'answered',
      picks: ['q0.o1'],
      ...(pendingId === undefined ? {} : { pendingId }),
    });
    const { stdout, exitCode } = await run;
    expect(JSON.parse(text(stdout)).content[0].text).toContain('"Which database?":"SQLite"');
    expect(exitCode).toBe(0);
    expect(screen()).toMatch(/Answered.+by .+@.+ \(command line\)/);
    expect(audit().filter(({ interactionId }) => interactionId !== undefined)).toMatchObject([
      { event: 'claimed', source: 'cli', actor: { kind: 'os_user' }, picks: ['q0.o1'], requestId },
      { event: 'delivered', source: 'cli', actor: { kind: 'os_user' }, requestId },
      { event: 'ended', source: 'cli', actor: { kind: 'os_user' }, outcome: 'answered', requestId },
    ]);
    expect(readdirSync(join(desk.state, 'control'))).toEqual([]);
  });

  it('find the run among several, and take a whole answer', async () => {
    const other = await startSlackDouble();
    const ben = other.workspace.addUser({ name: 'ben' }).id;
    const otherChannel = other.workspace.addChannel({ name: 'other' }).id;
    try {
      const first = start('ask', ...QUESTION);
      const second = desk.start(['ask', 'Ship it?', '--option', 'Yes', '--option', 'No'], {
        env: environment(other, otherChannel),
        withinMs: PATIENCE_MS,
      });
      await shown('Postgres');
      await other.until(
        ben,
        otherChannel,
        () => JSON.stringify(other.screen(ben, otherChannel)).includes('Ship it?'),
        30_000,
      );
      const requests = await open();
      expect(requests).toHaveLength(2);
      const mine = requests.find(({ questions }) => questions[0]?.question === 'Which database?')?.requestId ?? '';
      const theirs = requests.find(({ requestId }) => requestId !== mine)?.requestId ?? '';
      const answer = { answers: { 'Which database?': 'MariaDB' }, annotations: { 'Which database?': { notes: 'n' } } };
      expect(await command('resolve', mine, '--answers', JSON.stringify(answer))).toEqual({
        exitCode: 0,
        stdout: 'resolved: The agent has the answer.\n',
        stderr: '',
      });
      expect(JSON.parse(text((await first).stdout))).toMatchObject({ outcome: 'answered', ...answer });
      expect((await command('resolve', theirs, '--decline')).exitCode).toBe(0);
      expect(JSON.parse(text((await second).stdout))).toMatchObject({ outcome: 'declined' });
    } finally {
      await other.close();
    }
  });

  it('fail with a code, a sentence and an exit code', async () => {
    expect(await command('pending')).toMatchObject({ exitCode: 69, stderr: expect.stringMatching(/--socket\.?\n$/) });
    expect(await command('resolve', 'r1', '--skip')).toMatchObject({
      exitCode: 69,
      stderr: expect.stringMatching(/^handraise: unavailable: Nothing of handraise runs here/),
    });
    const asking = start('ask', ...QUESTION);
    await shown('Postgres');
    const [{ requestId } = { requestId: '' }] = await open();
    const unknown = await command('resolve', 'nowhere', '--skip', '--json');
    expect(unknown.exitCode).toBe(3);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ code: 'not_found', permissionCode: 'permission_not_found' });
    const wrong = await command('resolve', requestId, '--option', 'MySQL');
    expect(wrong).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^handraise: option_not_offered: That/) });
    expect(wrong.exitCode).toBe(64);
    await slack.user(ana).click({ channel, label: /SQLite/ }).settled;
    await asking;
  });

  it('refuse an agent with 77, and its question stays open for people (promise: no-self-answer)', async () => {
    const agent = fixtureAgent('answer-itself', HANDRAISE, join(desk.state, 'audit'), 'Delete it?', 'Yes', 'No');
    const run = start('run', '--', ...agent);
    await expect
      .poll(() => (existsSync(join(desk.state, 'audit')) ? refusals().length : 0), { timeout: 60_000 })
      .toBe(2);
    await slack.user(ana).click({ channel, label: /^No$/ }).settled;
    const { stdout, exitCode } = await run;
    expect(exitCode).toBe(0);
    const [asItIs, ownEnvironment, pending, result] = text(stdout)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const tried of [asItIs, ownEnvironment]) {
      expect(tried).toMatchObject({ status: 77 });
      expect(JSON.parse(tried.stdout)).toMatchObject({ code: 'refused', reason: 'agent_tree' });
    }
    expect(pending).toMatchObject({ status: 77, stdout: '', stderr: expect.stringContaining('beneath an agent') });
    expect(result.content[0].text).toContain('"Delete it?":"No"');
    expect(refusals()).toMatchObject([
      { reason: 'agent_tree', source: 'cli', actor: { kind: 'os_user' } },
      { reason: 'agent_tree', source: 'cli', actor: { kind: 'os_user' } },
    ]);
  });

  it.each([
    ['with a run that asks nobody', ['run']],
    ['with a script that answers', ['run', '--script', 'answers.json']],
  ])('refuse an agent by its parents alone: %s', async (_, command) => {
    writeFileSync(join(desk.work, 'answers.json'), '[]');
    const bare = ['env', '-i', `HOME=${desk.home}`, process.execPath, HANDRAISE, 'pending'];
    const run = await desk.start([...command, '--', ...bare], { withinMs: PATIENCE_MS });
    expect(run.exitCode).toBe(77);
    expect(text(run.stderr)).toMatch(/beneath an agent.+\n {2}process \d+ above it runs an agent\n$/);
  });

  it('refuse an agent of a run that is started as a container starts it', async () => {
    const main = join(dirname(HANDRAISE), 'dist/src/main.js');
    const bare = ['env', '-i', `HOME=${desk.home}`, process.execPath, HANDRAISE, 'pending'];
    const run = await execa(process.execPath, [main, 'run', '--', ...bare], {
      cwd: desk.work,
      env: desk.env,
      extendEnv: false,
      reject: false,
      timeout: PATIENCE_MS,
    });
    expect(run.exitCode).toBe(77);
  });

  it('leave no way to the socket in the agent’s environment', async () => {
    const run = await desk.start(['run', '--', ...fixtureAgent('report')], {
      env: { ...environment(slack, channel), HANDRAISE_CONTROL_SOCKET: join(desk.home, 'control.sock') },
    });
    const { env } = JSON.parse(text(run.stdout));
    expect(env).not.toHaveProperty('HANDRAISE_CONTROL_SOCKET');
    expect(JSON.stringify(env)).not.toContain('control');
  });
});

function environment(double: SlackDouble, to: string) {
  return {
    SLACK_BOT_TOKEN: double.botToken,
    SLACK_APP_TOKEN: double.appToken,
    SLACK_API_URL: double.apiUrl,
    HANDRAISE_SLACK_CHANNEL: to,
  };
}

function start(...args: string[]) {
  return desk.start(args, { env: environment(slack, channel), withinMs: PATIENCE_MS });
}

/** A person at a command line of this machine: without tokens. */
async function command(...args: string[]) {
  const { exitCode, stdout, stderr } = await desk.start(args, { withinMs: PATIENCE_MS });
  return { exitCode, stdout: text(stdout), stderr: text(stderr) };
}

async function open(): Promise<{ requestId: string; questions: { question: string }[] }[]> {
  const { stdout, exitCode } = await command('pending', '--json');
  return exitCode === 0 ? JSON.parse(stdout).requests : [];
}

async function shown(label: string): Promise<void> {
  await slack.until(ana, channel, () => screen().includes(label), 30_000);
}

function audit(): Record<string, unknown>[] {
  const folder = join(desk.state, 'audit');
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line));
}

function refusals() {
  return audit().filter(({ event }) => event === 'click_refused');
}

/** All that Ana can read. */
function screen(): string {
  return JSON.stringify(slack.screen(ana, channel).messages);
}

function text(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}
