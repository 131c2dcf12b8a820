import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SlackDouble, startSlackDouble } from '../../doubles/slack/index.ts';
import { createDesk, type Desk } from '../../support/handraise.ts';

let desk: Desk;
beforeEach(() => {
  desk = createDesk();
});
afterEach(() => desk.remove());

describe('propose', () => {
  it('prints that it may run as one JSON object and ends with 0', async () => {
    const { json, exitCode } = await propose([{ grant: 'action' }], ['git', 'push', 'origin', 'main']);
    expect(json).toEqual({
      outcome: 'granted',
      by: 'operator',
      scope: 'action',
      effect: 'external',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(exitCode).toBe(0);
  });

  it('prints the note of a refusal and ends with 77', async () => {
    const { json, exitCode } = await propose([{ deny: true, note: 'Not on a Friday.' }], ['touch', 'a']);
    expect(json).toMatchObject({ outcome: 'denied', by: 'operator', note: 'Not on a Friday.', effect: 'write' });
    expect(exitCode).toBe(77);
  });

  it('tells silence from a refusal, and ends with 3', async () => {
    const { json, exitCode } = await propose([{ outcome: 'timed_out' }], ['touch', 'a']);
    expect(json).toMatchObject({ outcome: 'timed_out', by: 'timeout' });
    expect(exitCode).toBe(3);
  });

  it('offers one call only: a script has no turn that a longer grant could last for', async () => {
    const { json } = await propose([{ grant: 'turn' }, { grant: 'action' }], ['touch', 'a']);
    expect(json).toMatchObject({ outcome: 'granted', scope: 'action' });
  });

  it('takes a step as JSON from standard input', async () => {
    const input = JSON.stringify({ command: 'rm -rf build', cwd: '/', description: 'makes room' });
    expect(await propose([{ grant: 'action' }], [], input)).toMatchObject({ json: { effect: 'write' }, exitCode: 0 });
  });

  it('needs nobody for what only reads', async () => {
    expect(await propose([], ['ls', '-l'])).toEqual({
      json: { outcome: 'granted', by: 'policy', scope: 'action', effect: 'read' },
      exitCode: 0,
    });
  });

  it('is refused at once, and asks nobody, where it names handraise itself', async () => {
    const { stdout, stderr, exitCode } = await desk.start(['propose', '--', 'handraise', 'resolve', 'x']);
    expect(String(Buffer.from(stdout))).toBe('');
    expect(String(Buffer.from(stderr))).toContain('is refused without asking');
    expect(exitCode).toBe(77);
  });

  it('says that nobody can be asked, when nothing is configured', async () => {
    const { stdout, exitCode } = await desk.start(['propose', '--', 'touch', 'a']);
    expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({ outcome: 'no_channel', by: 'headless' });
    expect(exitCode).toBe(3);
  });

  it.each([
    ['no step', 'null'],
    ['an unknown member', '{"command":"ls","cmd":"ls"}'],
    ['a relative folder', '{"command":"ls","cwd":"src"}'],
    ['no JSON', 'ls'],
  ])('ends with 64 for %s on standard input, and says what it takes', async (_, input) => {
    const { stderr, exitCode } = await desk.start(['propose'], { input });
    expect(String(Buffer.from(stderr))).toMatch(
      /^handraise: Nothing can be proposed: [\s\S]*handraise propose -- git push/,
    );
    expect(exitCode).toBe(64);
  });
});

describe('propose over Slack', () => {
  let slack: SlackDouble;
  let ana: string;
  let ben: string;
  let channel: string;
  beforeEach(async () => {
    slack = await startSlackDouble();
    ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
    ben = slack.workspace.addUser({ name: 'ben', real_name: 'Ben' }).id;
    channel = slack.workspace.addChannel({ name: 'agents' }).id;
  });
  afterEach(async () => {
    await slack.close();
    expect(slack.violations).toEqual([]);
  });

  it('lets a listed approver allow it, and nobody else', async () => {
    const proposing = start({ HANDRAISE_APPROVERS: `slack:${ana}` }, 'git', 'push', 'origin', 'main');
    await slack.until(ben, channel, () => screen().includes('EXTERNAL'), 45_000);
    await slack.user(ben).click({ channel, label: 'Allow once…', confirm: true }).settled;
    await slack.until(ben, channel, () => screen(ben).includes('not among the people who may'), 45_000);
    await slack.user(ana).click({ channel, label: 'Allow once…', confirm: true }).settled;
    const { stdout, stderr, exitCode } = await proposing;
    expect(String(Buffer.from(stderr))).toBe('');
    expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({
      outcome: 'granted',
      by: 'operator',
      effect: 'external',
    });
    expect(exitCode).toBe(0);
    await slack.until(ana, channel, () => screen().includes('Allowed'), 45_000);
    const audit = join(desk.state, 'audit');
    const rows = readdirSync(audit).flatMap((file) => readFileSync(join(audit, file), 'utf8').trim().split('\n'));
    expect(rows.map((row) => JSON.parse(row))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'asked', proposal: expect.objectContaining({ effect: 'external' }) }),
        expect.objectContaining({ event: 'click_refused', reason: 'not_listed' }),
        expect.objectContaining({ event: 'claimed', outcome: 'granted', picks: ['action'] }),
      ]),
    );
  });

  it('asks nobody where nobody may approve, and says at once who could change that', async () => {
    const { stdout, exitCode } = await start({}, 'touch', 'a');
    expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({
      outcome: 'no_channel',
      reason: expect.stringContaining('grants.approvers'),
    });
    expect(exitCode).toBe(3);
    expect(slack.calls.filter(({ method }) => method === 'chat.postMessage')).toEqual([]);
  });

  it('withdraws it on SIGINT and ends with 130', async () => {
    const proposing = start({ HANDRAISE_APPROVERS: '*' }, 'touch', 'a');
    await slack.until(ana, channel, () => screen().includes('WRITE'), 45_000);
    proposing.kill('SIGINT');
    const { stdout, exitCode } = await proposing;
    expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({ outcome: 'cancelled', by: 'agent' });
    expect(exitCode).toBe(130);
    expect(screen()).toContain('Withdrawn');
  });

  it('says so, and ends with 77, when what would run changed after it was shown', async () => {
    writeFileSync(join(desk.work, 'deploy.sh'), 'echo one\n');
    const proposing = start({ HANDRAISE_APPROVERS: `slack:${ana}` }, 'bash', 'deploy.sh');
    await slack.until(ana, channel, () => screen().includes('deploy.sh'), 45_000);
    writeFileSync(join(desk.work, 'deploy.sh'), 'echo two\n');
    await slack.user(ana).click({ channel, label: 'Allow once' }).settled;
    const { stdout, exitCode } = await proposing;
    expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({ outcome: 'drifted', by: 'system' });
    expect(exitCode).toBe(77);
    await slack.until(ana, channel, () => screen().includes('Not run'), 45_000);
    expect(screen()).not.toContain('Allowed');
  });

  const start = (env: Record<string, string>, ...command: string[]) =>
    desk.start(['propose', '--', ...command], {
      env: {
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_APP_TOKEN: slack.appToken,
        SLACK_API_URL: slack.apiUrl,
        HANDRAISE_SLACK_CHANNEL: channel,
        ...env,
      },
    });
  const screen = (user = ana) => JSON.stringify(slack.screen(user, channel).messages);
});

async function propose(steps: unknown[], command: string[], input?: string) {
  writeFileSync(join(desk.work, 'script.json'), JSON.stringify(steps));
  const options = input === undefined ? {} : { input };
  const words = command.length === 0 ? [] : ['--', ...command];
  const { stdout, stderr, exitCode } = await desk.start(['propose', '--script', 'script.json', ...words], options);
  expect(String(Buffer.from(stderr))).toBe('');
  expect(String(Buffer.from(stdout))).toMatch(/^\{.*\}\n$/);
  return { json: JSON.parse(String(Buffer.from(stdout))) as unknown, exitCode };
}
