import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SlackDouble, startSlackDouble } from '../../doubles/slack/index.ts';
import { descendantsOf } from '../../e2e/support/process-tree.ts';
import { createDesk, type Desk, fixtureAgent } from '../../support/handraise.ts';

/** Each test starts processes one after the other; a busy machine takes its time for each. */
vi.setConfig({ testTimeout: 120_000 });

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

const question = ['Which database?', '--option', 'Postgres=runs already', '--option', 'SQLite=one file'];

describe('ask over Slack', () => {
  it('prints what was clicked, and who is asked sees it settled', async () => {
    const asking = start('ask', ...question);
    await click('SQLite');
    const { stdout, stderr, exitCode } = await asking;
    expect(String(Buffer.from(stderr))).toBe('');
    expect(JSON.parse(String(Buffer.from(stdout)))).toEqual({
      outcome: 'answered',
      by: 'operator',
      requestId: expect.stringMatching(/^[\w-]{24}$/),
      answers: { 'Which database?': 'SQLite' },
    });
    expect(exitCode).toBe(0);
    expect(screen()).toContain('Answered');
  });

  it('goes on waiting while every connection to Slack is lost', async () => {
    const asking = start('ask', ...question);
    await slack.until(ana, channel, () => screen().includes('Postgres'), 45_000);
    const refused = slack.faults.api('apps.connections.open', { kind: 'status', status: 503, times: 2 });
    const reconnected = slack.next('socket', ({ state }) => state === 'open', 45_000);
    slack.sockets.kill();
    await reconnected;
    expect(refused.hits).toBe(2);
    await click('SQLite');
    const { stdout, exitCode } = await asking;
    expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({ outcome: 'answered' });
    expect(exitCode).toBe(0);
  });

  it('withdraws the question on SIGINT and ends with 130', async () => {
    const asking = start('ask', ...question);
    await slack.until(ana, channel, () => screen().includes('Postgres'), 45_000);
    asking.kill('SIGINT');
    const { stdout, exitCode } = await asking;
    expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({ outcome: 'cancelled', by: 'agent' });
    expect(exitCode).toBe(130);
    expect(screen()).toContain('Withdrawn');
  });

  it('leaves the token to a run that has it (promise: token-lock)', async () => {
    const agent = start('run', '--', ...fixtureAgent('ask', 'Which database?', 'Postgres', 'SQLite'));
    await slack.until(ana, channel, () => screen().includes('Postgres'), 45_000);
    const { stdout, stderr, exitCode } = await start('ask', ...question);
    expect(String(Buffer.from(stdout))).toBe('');
    expect(String(Buffer.from(stderr))).toMatch(
      /^handraise: Another handraise run .* uses the same Slack token\.\n {2}Wait/,
    );
    expect(exitCode).toBe(69);
    await click('Postgres');
    expect((await agent).exitCode).toBe(0);
  });
});

describe('run over Slack', () => {
  it('hands the click to the agent and leaves nothing behind (promise: answer-unblocks)', async () => {
    const run = start('run', '--', ...fixtureAgent('ask', 'Which database?', 'Postgres', 'SQLite'));
    await click('Postgres');
    const { stdout, stderr, exitCode } = await run;
    expect(String(Buffer.from(stderr))).toBe('');
    expect(JSON.parse(String(Buffer.from(stdout))).content[0].text).toContain('"Which database?":"Postgres"');
    expect(exitCode).toBe(0);
    expect(readdirSync(desk.temporary)).toEqual([]);
  });

  it('asks once what two agents of it ask in the same words, and tells it once', async () => {
    const [node = '', ...asking] = fixtureAgent('ask', 'Which database?', 'Postgres', 'SQLite');
    const both = start('run', '--', 'sh', '-c', '"$0" "$@" & "$0" "$@" & wait', node, ...asking);
    await expect.poll(() => stateFiles('handraise.log'), { timeout: 20_000 }).toContain('joins the open question');
    await click('Postgres');
    const results = String(Buffer.from((await both).stdout))
      .trim()
      .split('\n');
    expect(results).toHaveLength(2);
    for (const result of results) expect(result).toContain('Postgres');
    const events = stateFiles('events.jsonl').match(/"operator\.question\.\w+"/g);
    expect(events).toEqual(['"operator.question.asked"', '"operator.question.answered"']);
    const posts = slack.calls.filter(({ method, args }) => {
      return method === 'chat.postMessage' && JSON.stringify(args).includes('Which database?');
    });
    expect(posts).toHaveLength(1);
  });

  it('withdraws the card within 3 s when the agent is killed (promise: dead-asker)', async () => {
    const run = start('run', '--', ...fixtureAgent('ask', 'Which database?', 'Postgres', 'SQLite'));
    await slack.until(ana, channel, () => screen().includes('Postgres'), 45_000);
    const agent = (await descendantsOf(Number(run.pid))).find(({ command }) => command.includes('ask.mjs'));
    process.kill(Number(agent?.pid), 'SIGKILL');
    await slack.until(ana, channel, () => screen().includes('Withdrawn'), 3_000);
    expect((await run).exitCode).toBe(137);
  });

  it('leaves a card that the next run settles, when it is killed itself (promise: killed-run)', async () => {
    const run = start('run', '--', ...fixtureAgent('ask', 'Which database?', 'Postgres', 'SQLite'));
    await slack.until(ana, channel, () => screen().includes('Postgres'), 45_000);
    run.kill('SIGKILL');
    // What the agent gets is on the standard output that it inherited, and which closes with its end.
    const { stdout } = await run;
    expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('The operator cannot be reached') }],
    });
    expect((await start('run', '--', 'true')).exitCode).toBe(0);
    expect(screen()).toContain('Agent gone');
    expect(slack.screen(ana, channel).messages.flatMap(({ controls }) => controls)).toEqual([]);
  });

  it.each([
    ['a token that Slack refuses', () => slack.workspace.breakToken('bot', 'invalid_auth'), /token/i],
    ['a channel the bot is not in', () => slack.workspace.leave(channel, slack.workspace.botUserId), /channel|invite/i],
  ])('ends with 69 and the cure before the agent starts: %s', async (_, breakIt, said) => {
    breakIt();
    const { stdout, stderr, exitCode } = await start('run', '--', ...fixtureAgent('report'));
    expect(String(Buffer.from(stdout))).toBe('');
    expect(String(Buffer.from(stderr))).toMatch(/^handraise: .+\n {2}.+\n$/);
    expect(String(Buffer.from(stderr))).toMatch(said);
    expect(exitCode).toBe(69);
  });

  it('waits for a Slack that is busy at the start', async () => {
    const busy = slack.faults.api('apps.connections.open', { kind: 'rate_limited', retryAfter: 1 });
    const { stdout, stderr, exitCode } = await start('run', '--', 'echo', 'ran');
    expect(String(Buffer.from(stderr))).toBe('');
    expect(String(Buffer.from(stdout))).toBe('ran\n');
    expect(exitCode).toBe(0);
    expect(busy.hits).toBe(1);
  });

  it("ends with the agent's exit code when Slack went away meanwhile", async () => {
    const run = start('run', '--', ...fixtureAgent('ask', 'Which database?', 'Postgres', 'SQLite'));
    await slack.until(ana, channel, () => screen().includes('Postgres'), 45_000);
    slack.faults.api('*', { kind: 'status', status: 503, times: 1_000 });
    slack.sockets.kill();
    const agent = (await descendantsOf(Number(run.pid))).find(({ command }) => command.includes('ask.mjs'));
    process.kill(Number(agent?.pid), 'SIGTERM');
    expect((await run).exitCode).toBe(143);
  });

  it('ends within 3 s of a signal that comes while it still connects', async () => {
    const connecting = new Promise<void>((resolve) => {
      const match = () => {
        resolve();
        return true;
      };
      slack.faults.api('*', { kind: 'hang', times: 100, match });
    });
    const run = start('run', '--', ...fixtureAgent('report'));
    await connecting;
    const begun = Date.now();
    run.kill('SIGINT');
    const { stdout, exitCode } = await run;
    expect(String(Buffer.from(stdout))).toBe('');
    expect(exitCode).toBe(130);
    expect(Date.now() - begun).toBeLessThan(4_000);
  });
});

function start(...args: string[]) {
  return desk.start(args, {
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      HANDRAISE_SLACK_CHANNEL: channel,
    },
  });
}

async function click(label: string): Promise<void> {
  await slack.until(ana, channel, () => screen().includes(label), 45_000);
  await slack.user(ana).click({ channel, label: new RegExp(label) }).settled;
}

/** What every run wrote to its file of this name. */
function stateFiles(name: string): string {
  if (!existsSync(desk.state)) return '';
  const files = readdirSync(desk.state, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(name));
  return files.map((file) => readFileSync(join(desk.state, file), 'utf8')).join('');
}

/** All that Ana can read. */
function screen(): string {
  return JSON.stringify(slack.screen(ana, channel).messages);
}
