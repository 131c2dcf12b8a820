import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSlackAdapter } from '../../../../adapters/slack/index.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { acquireTokenLock } from '../../../../src/gateway/token-lock.ts';
import { recordingHost } from '../../../support/recording-host.ts';
import { recordingLog } from '../../../support/recording-log.ts';
import { cureOf, type DoctorStage, found, openDoctorStage, wrong } from './stage.ts';

let stage: DoctorStage;
afterEach(async () => {
  await stage.close();
});

/** What is true of every run without Redis. */
const ALWAYS = 'warn isolation.user';

describe('doctor for runs without Redis', () => {
  it('finds a good setup in order, sends a question around, and leaves nothing in the channel (promise: doctor)', async () => {
    stage = await openDoctorStage();
    const { exitCode, report } = await stage.run();
    expect(wrong(report.findings)).toEqual([ALWAYS]);
    expect(found(report.findings, 'self-test.round-trip')).toEqual([
      expect.stringMatching(/^ok: .*posted.*answered.*settled/),
    ]);
    expect({ exitCode, ok: report.ok }).toEqual({ exitCode: 0, ok: true });
    expect(stage.left()).toBe(0);
    const drawn = stage.slack.calls.filter(({ method }) => method === 'chat.update').map(({ args }) => args['text']);
    expect(drawn).toEqual([expect.stringContaining('[answered by handraise doctor]')]);
    expect(stage.slack.violations).toEqual([]);
  });

  it('says where each value comes from, and prints no token', async () => {
    stage = await openDoctorStage();
    const file = join(stage.desk.home, 'handraise.yaml');
    writeFileSync(file, `bindings:\n  - match: { workspace: "*" }\n    slack: { channel: ${stage.channel} }\n`, {
      mode: 0o600,
    });
    const { HANDRAISE_SLACK_CHANNEL: _, ...tokens } = stage.env;
    const { stdout } = await stage.desk.start(['doctor', '--config', file], { env: tokens });
    const text = String(Buffer.from(stdout));
    expect(text).toMatch(new RegExp(`bindings\\[0\\]\\.slack\\.channel +${stage.channel} +${file}:3`));
    expect(text).toMatch(/slack\.botToken +set, not shown +SLACK_BOT_TOKEN/);
    expect(text).toMatch(/bindings\[0\]\.questions\.wait +5 minutes +default/);
    expect(text).toMatch(/\n1 warning\n$/);
    expect(text).not.toContain(stage.slack.botToken);
    expect(text).not.toContain(stage.slack.appToken);
  });

  it('names the scope that is missing, and looks no further with such a token', async () => {
    stage = await openDoctorStage({ scopes: ['channels:history', 'users:read'] });
    const findings = await stage.examine();
    expect(found(findings, 'slack.scopes')).toEqual([
      'fail: The bot token lacks the scope chat:write.',
      'warn: The bot token lacks the scope groups:history: private channels cannot be used.',
      'warn: The bot token lacks the scope channels:read: the Home tab cannot list what is open.',
      'warn: The bot token lacks the scope groups:read: the Home tab cannot list what is open.',
    ]);
    expect(wrong(findings)).toContain('warn self-test.round-trip');
    stage.slack.takeViolations();
  });

  it.each([
    [
      'is not in the channel',
      (at: DoctorStage) => at.slack.workspace.leave(at.channel, at.slack.workspace.botUserId),
      /not_in_channel/,
      /\/invite/,
    ],
    [
      'is in a channel that is archived',
      (at: DoctorStage) => {
        const record = at.slack.workspace.addChannel({ id: 'C0ARCHIVED' });
        record.is_archived = true;
        Object.assign(at.env, { HANDRAISE_SLACK_CHANNEL: record.id });
      },
      /is_archived/,
      /Unarchive/,
    ],
  ])('says what to do where the app %s', async (_, prepare, reason, cure) => {
    stage = await openDoctorStage();
    prepare(stage);
    const findings = await stage.examine();
    expect(wrong(findings)).toEqual([ALWAYS, 'fail slack.channel', 'warn self-test.round-trip']);
    expect(found(findings, 'slack.channel')).toEqual([expect.stringMatching(reason)]);
    expect(cureOf(findings, 'slack.channel')).toMatch(cure);
  });

  it('asks for patience where Slack does, and takes it for no fault of the channel', async () => {
    stage = await openDoctorStage();
    stage.slack.faults.api('chat.postMessage', { kind: 'rate_limited', retryAfter: 30 });
    const findings = await stage.examine();
    expect(found(findings, 'slack.channel')).toEqual([expect.stringContaining('asks to wait 30 s')]);
    expect(cureOf(findings, 'slack.channel')).toMatch(/^Run doctor again/);
  });

  it('looks for a test message whose posting Slack did not confirm, and deletes it', async () => {
    stage = await openDoctorStage();
    stage.slack.faults.api('chat.postMessage', { kind: 'apply_then_drop' });
    const findings = await stage.examine();
    expect(wrong(findings)).toEqual([ALWAYS]);
    expect(stage.left()).toBe(0);
  });

  it('says which test message it could not delete', async () => {
    stage = await openDoctorStage();
    stage.slack.faults.api('chat.delete', { kind: 'error', error: 'cant_delete_message' });
    const findings = await stage.examine();
    expect(wrong(findings)).toEqual([ALWAYS, 'warn slack.channel']);
    expect(stage.left()).toBe(1);
  });

  it.each(['bot', 'app'] as const)('tells which token it is that Slack refuses: %s', async (kind) => {
    stage = await openDoctorStage();
    stage.slack.workspace.breakToken(kind, 'token_revoked');
    const findings = await stage.examine();
    const check = kind === 'bot' ? 'slack.token' : 'slack.connection';
    expect(found(findings, check)).toEqual([expect.stringMatching(/^fail: .*token_revoked/)]);
    expect(cureOf(findings, check)).toContain(kind === 'bot' ? 'SLACK_BOT_TOKEN' : 'SLACK_APP_TOKEN');
  });

  it('does not hang on a Slack that does not answer', async () => {
    stage = await openDoctorStage();
    stage.slack.faults.api('*', { kind: 'hang', times: 1_000 });
    const findings = await stage.examine();
    expect(found(findings, 'slack.token')).toEqual(['fail: Slack did not answer auth.test in time.']);
  });

  it('gives up on a connection that is not greeted', async () => {
    stage = await openDoctorStage();
    stage.slack.faults.socket({ kind: 'no_hello', times: 10 });
    const findings = await stage.examine();
    expect(found(findings, 'slack.connection')).toEqual([expect.stringMatching(/^fail: .*did not greet/)]);
    expect(stage.left()).toBe(0);
  }, 90_000);

  it('takes no click from a run that is live: no connection is opened while another process holds the token', async () => {
    stage = await openDoctorStage();
    const lock = await acquireTokenLock(stage.slack.botToken);
    try {
      const findings = await stage.examine();
      expect(wrong(findings)).toEqual([ALWAYS, 'warn slack.connection', 'warn self-test.round-trip']);
      expect(found(findings, 'slack.connection')[0]).toContain(`(process ${process.pid})`);
      expect(stage.slack.calls.filter(({ method }) => method === 'apps.connections.open')).toEqual([]);
    } finally {
      await lock.release();
    }
  });

  it('says that somebody else is connected with the app', async () => {
    stage = await openDoctorStage();
    const { botToken, appToken, apiUrl } = stage.slack;
    const other = createSlackAdapter(
      { botToken, appToken, apiUrl, secondConnectionAfterMs: 60_000 },
      { clock: systemClock, log: recordingLog() },
    );
    await other.start(recordingHost());
    try {
      const findings = await stage.examine();
      expect(found(findings, 'slack.others')).toEqual([
        expect.stringMatching(/^warn: The app has 1 other connection,/),
      ]);
    } finally {
      await other.stop(0);
    }
  });

  it('says when nobody can answer a binding, and who of the listed cannot', async () => {
    stage = await openDoctorStage();
    const gone = stage.slack.workspace.addUser({ name: 'gone', deleted: true }).id;
    const bot = stage.slack.workspace.addUser({ name: 'robot', is_bot: true }).id;
    const file = join(stage.desk.home, 'handraise.yaml');
    const binding = (workspace: string, users: string[]) =>
      `  - match: { workspace: "${workspace}" }\n    slack: { channel: ${stage.channel} }\n    questions: { operators: { slackUsers: [${users.join(', ')}] } }\n`;
    writeFileSync(file, `bindings:\n${binding('**/a', [gone, bot])}${binding('*', [stage.ana, 'U0NOBODY', bot])}`, {
      mode: 0o600,
    });
    const { HANDRAISE_SLACK_CHANNEL: _, ...tokens } = stage.env;
    const findings = await stage.examine(tokens, file);
    expect(found(findings, 'people.answer')).toEqual([
      `fail: Nobody on Slack can answer bindings[0]: ${gone} is deactivated, ${bot} is a bot.`,
      'ok: bindings[1]: Ana may answer.',
    ]);
    expect(found(findings, 'people.listed')).toEqual([
      `warn: bindings[1] lists people who cannot answer: U0NOBODY is not known to Slack, ${bot} is a bot.`,
    ]);
  });

  it('settles the card of a run that was killed', async () => {
    stage = await openDoctorStage();
    const { slack, ana, channel } = stage;
    const screen = () => JSON.stringify(slack.screen(ana, channel).messages);
    const asking = stage.desk.start(
      ['ask', 'Which database?', '--option', 'Postgres=runs already', '--option', 'SQLite=a file'],
      { env: { ...stage.env } },
    );
    await slack.until(ana, channel, () => screen().includes('Postgres'), 20_000);
    asking.kill('SIGKILL');
    await asking;
    const findings = await stage.examine();
    expect(found(findings, 'cards.abandoned')).toEqual(['ok: 1 card of killed runs were settled as "Agent gone".']);
    expect(screen()).toContain('Agent gone');
    expect(screen()).not.toContain('Self-test');
  });

  it('that is interrupted in its self-test leaves nothing in the channel', async () => {
    stage = await openDoctorStage();
    const { slack, ana, channel } = stage;
    slack.faults.api('chat.update', { kind: 'delay', ms: 2_000, times: 5 });
    const running = stage.desk.start(['doctor', '--json'], { env: { ...stage.env } });
    await slack.until(ana, channel, (screen) => JSON.stringify(screen.messages).includes('Self-test'), 20_000);
    running.kill('SIGINT');
    const { exitCode } = await running;
    expect(exitCode).toBe(130);
    expect(stage.left()).toBe(0);
    const findings = await stage.examine();
    expect(found(findings, 'cards.abandoned')).toEqual(['ok: No killed run has left a card behind.']);
  });

  it('reports a configuration that cannot be read like everything else', async () => {
    stage = await openDoctorStage();
    const { exitCode, report } = await stage.run({ HANDRAISE_SLACK_CHANEL: 'C1' });
    expect(report).toEqual({
      v: 1,
      ok: false,
      settings: [],
      findings: [
        {
          level: 'fail',
          check: 'configuration.values',
          what: 'unknown variable HANDRAISE_SLACK_CHANEL.',
          cure: 'Did you mean HANDRAISE_SLACK_CHANNEL?',
        },
      ],
    });
    expect(exitCode).toBe(1);
  });

  it('says that nothing is bound', async () => {
    stage = await openDoctorStage();
    const { exitCode, report } = await stage.run({});
    expect(wrong(report.findings)).toEqual(['fail configuration.bindings']);
    expect(exitCode).toBe(1);
  });
});
