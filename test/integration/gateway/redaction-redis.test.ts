import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRedactor } from '../../../src/core/redact/redactor.ts';
import { secretPositions } from '../../../src/gate/redact/secret-positions.ts';
import { type GatewayStage, openGatewayStage } from '../../support/gateway-stage.ts';
import { everythingIn, leaksIn, monitored } from '../../support/leaks.ts';
import { writeOf } from '../../support/proposals.ts';
import { redactionCases } from '../../support/redaction-cases.ts';
import { batchOf, question } from '../../support/requests.ts';

/** Processes are started one after the other; a busy machine takes its time for each. */
const PATIENCE_MS = 180_000;
const PASSWORD = ['hunter2', 'correct8942'].join('');

let stage: GatewayStage;
beforeEach(async () => {
  stage = await openGatewayStage({ rateLimits: false });
});
afterEach(() => stage.close());

test(
  'no byte that an owner or a gateway sends to Redis, to Slack, to a log or to a file has a secret of the corpus in it',
  async () => {
    const traffic = await monitored(stage.redis.client);
    const gateway = await stage.gateway();
    const owner = await stage.owner('session-r', createRedactor({ locate: secretPositions }));
    const withdrawal = new AbortController();
    const proposing = redactionCases.map(async ({ text }) => {
      const step = writeOf({
        full: { kind: 'command', text },
        part: text,
        programs: [{ name: 'x', effect: 'write', text }],
        agentSays: text,
      });
      await (await owner.prompter.propose(step, { signal: withdrawal.signal })).delivered();
    });
    const asking = owner.prompter
      .ask(batchOf(...redactionCases.slice(0, 4).map(({ text }) => question(text, [`1 ${text}`, `2 ${text}`]))), {
        signal: withdrawal.signal,
      })
      .then((result) => result.delivered());
    await expect
      .poll(() => stage.cards('WRITE').length, { timeout: 90_000 })
      .toBeGreaterThanOrEqual(redactionCases.length);
    await stage.seen('[secret:gitlab#1]');
    withdrawal.abort();
    await Promise.all([...proposing, asking]);
    gateway.kill('SIGTERM');
    const { log } = await gateway.done;
    traffic.stop();
    expect(traffic.text()).toContain('[secret:gitlab#1]');
    expect(leaksIn(traffic.text())).toEqual([]);
    expect(leaksIn(JSON.stringify(stage.slack.calls))).toEqual([]);
    expect(leaksIn(everythingIn(stage.desk.home))).toEqual([]);
    expect(leaksIn(log)).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'commands of handraise mask what they find, and what their own environment says is secret',
  async () => {
    const traffic = await monitored(stage.redis.client);
    await stage.gateway();
    const known = `Zebra${PASSWORD}`;
    const env = { ...stage.ownerEnv, ACME_API_TOKEN: known };
    const command = ['propose', '--', 'mysql', `-p${PASSWORD}`, '-e', `select '${known}'`];
    const proposing = stage.desk.start(command, { env });
    await stage.seen('mysql -p[secret:password#', 30_000);
    await stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'Deny' }).settled;
    expect((await proposing).exitCode).toBe(77);
    const input = JSON.stringify({
      questions: [
        {
          question: `Is ${known} right?`,
          header: 'Choice',
          multiSelect: false,
          options: [
            { label: `Yes ${known}`, description: 'x' },
            { label: 'No', description: 'y' },
          ],
        },
      ],
    });
    const asking = stage.desk.start(['ask'], { env, input });
    await stage.seen('Is [secret:env#', 30_000);
    await stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'Yes [secret:env#1]' }).settled;
    const { stdout, exitCode } = await asking;
    expect(exitCode).toBe(0);
    expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({
      answers: { [`Is ${known} right?`]: `Yes ${known}` },
    });
    traffic.stop();
    for (const text of [traffic.text(), JSON.stringify(stage.slack.calls), everythingIn(stage.desk.home)]) {
      expect(text).not.toContain(PASSWORD);
    }
  },
  PATIENCE_MS,
);
