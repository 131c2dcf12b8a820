import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSlackDouble } from '../../doubles/slack/index.ts';
import { createDesk, type Desk } from '../../support/handraise.ts';

const HOST = fileURLToPath(new URL('../../fixtures/library/host.mjs', import.meta.url));

const QUESTION = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'Postgres', description: 'The usual one.' },
    { label: 'SQLite', description: 'A file.' },
  ],
  multiSelect: false,
};
const REGIONS = { ...QUESTION, question: 'Which regions?', header: 'Regions', multiSelect: true };

let desk: Desk;
beforeEach(() => {
  desk = createDesk();
});
afterEach(() => desk.remove());

describe('a program with handraise in it', () => {
  it('gets the click of a person in Slack as its answer, and ends by itself once it has closed', async () => {
    const slack = await startSlackDouble();
    try {
      const ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
      const channel = slack.workspace.addChannel({ name: 'agents', members: [ana] }).id;
      slack.workspace.join(channel, slack.workspace.botUserId);
      const env = {
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_APP_TOKEN: slack.appToken,
        SLACK_API_URL: slack.apiUrl,
        HANDRAISE_SLACK_CHANNEL: channel,
      };
      const running = host({ ask: QUESTION }, env);
      await slack.until(
        ana,
        channel,
        () => JSON.stringify(slack.screen(ana, channel).messages).includes('Which database?'),
        30_000,
      );
      slack.user(ana).click({ channel, message: /Which database\?/, label: /^SQLite/ });
      const first = await running;
      expect(first.exitCode, first.stderr).toBe(0);
      expect(first.printed).toMatchObject({
        headless: false,
        asked: { outcome: 'answered', by: 'operator', answers: { 'Which database?': 'SQLite' } },
      });
      // The token was given back, and what is open when it closes is withdrawn.
      const second = await host({ closeOver: QUESTION }, env);
      expect(second.exitCode, second.stderr).toBe(0);
      expect(second.printed).toMatchObject({ closedOver: { outcome: 'cancelled', by: 'agent' } });
    } finally {
      await slack.close();
    }
  });

  it('asks nobody where nothing is bound: reads run, writes are denied, questions end at once', async () => {
    const check = { tool: 'Write', input: { file_path: join(desk.work, 'a.txt'), content: 'x' } };
    const { printed, exitCode } = await host({ ask: QUESTION, check });
    expect(exitCode).toBe(0);
    expect(printed).toMatchObject({
      headless: true,
      asked: { outcome: 'no_channel', by: 'headless' },
      checked: { behavior: 'deny', kind: 'no_channel' },
      after: { behavior: 'deny', kind: 'not_recorded' },
      afterAsk: 'unavailable',
    });
  });

  it.each([
    ['nothing at all', null],
    ['no name', { input: {} }],
    ['a name that is no text', { tool: 7, input: {} }],
    ['an input that is no command', { tool: 'Bash', input: null }],
  ])('denies a call with %s', async (_, check) => {
    const { printed } = await host({ options: { script: scripted([]) }, check: check ?? 'nothing' });
    expect(printed).toMatchObject({ checked: { behavior: 'deny' } });
  });

  it('refuses options that it does not know, and says which', async () => {
    const { exitCode, stderr } = await host({ options: { sript: 'x' } });
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('sript');
  });
});

describe('canUseTool', () => {
  it('answers AskUserQuestion in the form that Claude Code takes: its own input, with texts by question', async () => {
    const script = scripted([
      {
        answers: { 'Which database?': 'SQLite', 'Which regions?': ['Postgres', 'SQLite'] },
        annotations: { 'Which database?': { notes: 'for now' } },
      },
    ]);
    const input = { questions: [QUESTION, REGIONS], answers: { 'Which database?': 'made up' } };
    const { printed } = await host({ options: { script }, tool: { name: 'AskUserQuestion', input } });
    expect(printed['permission']).toEqual({
      behavior: 'allow',
      updatedInput: {
        questions: [QUESTION, REGIONS],
        answers: { 'Which database?': 'SQLite', 'Which regions?': 'Postgres, SQLite' },
        annotations: { 'Which database?': { notes: 'for now' } },
      },
    });
  });

  it('tells a skipped question from an answered one, and never takes answers that the model wrote', async () => {
    const input = { questions: [QUESTION], answers: { 'Which database?': 'made up' } };
    const { printed } = await host({
      options: { script: scripted([{ answers: {} }]) },
      tool: { name: 'AskUserQuestion', input },
    });
    expect(printed['permission']).toEqual({
      behavior: 'allow',
      updatedInput: {
        questions: [QUESTION],
        answers: {},
        annotations: { 'Which database?': { unanswered: 'skipped' } },
      },
    });
  });

  it('denies with what happened where nobody answered', async () => {
    const { printed } = await host({
      options: { script: scripted([{ outcome: 'timed_out' }]) },
      tool: { name: 'AskUserQuestion', input: { questions: [QUESTION] } },
    });
    expect(printed['permission']).toEqual({ behavior: 'deny', message: expect.stringContaining('Nobody answered') });
  });

  it('denies questions that break the contract, and tells the model what to change', async () => {
    const { printed } = await host({
      options: { script: scripted([]) },
      tool: { name: 'AskUserQuestion', input: { questions: [{ ...QUESTION, header: 'Far too long a header' }] } },
    });
    expect(printed['permission']).toMatchObject({ behavior: 'deny', message: expect.stringContaining('at most 12') });
  });

  it('puts every other call through the gate, gives back what was judged, and takes no suggested rules', async () => {
    const input = { command: 'touch a.txt' };
    const { printed } = await host({
      options: { script: scripted([{ grant: 'action' }]) },
      tool: { name: 'Bash', input },
    });
    expect(printed['permission']).toEqual({ behavior: 'allow', updatedInput: input });
    const denied = await host({
      options: { script: scripted([{ deny: true, note: 'Not now.' }]) },
      tool: { name: 'Bash', input },
    });
    expect(denied.printed['permission']).toEqual({ behavior: 'deny', message: expect.stringContaining('Not now.') });
  });
});

function scripted(steps: readonly object[]): string {
  const file = join(desk.home, 'script.json');
  writeFileSync(file, JSON.stringify(steps));
  return file;
}

/** Ends by itself: a host that something keeps alive is killed, and has no exit code then. */
async function host(what: object, env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, exitCode } = await execa(process.execPath, [HOST, JSON.stringify(what)], {
    cwd: desk.work,
    env: { ...desk.env, ...env },
    extendEnv: false,
    reject: false,
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
  return { printed: JSON.parse(stdout || '{}') as Record<string, unknown>, stderr, exitCode };
}
