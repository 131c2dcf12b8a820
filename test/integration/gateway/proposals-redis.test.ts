import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GatewayStage, openGatewayStage } from '../../support/gateway-stage.ts';
import { pushOf, writeOf } from '../../support/proposals.ts';

/** Processes are started one after the other; a busy machine takes its time for each. */
const PATIENCE_MS = 90_000;

let stage: GatewayStage;
beforeEach(async () => {
  stage = await openGatewayStage();
});
afterEach(() => stage.close());

test(
  'a script’s step is decided through a gateway over Redis, by an approver that the run never hears of',
  async () => {
    await stage.gateway();
    const proposing = stage.desk.start(['propose', '--', 'git', 'push', 'origin', 'main'], { env: stage.ownerEnv });
    await stage.seen('EXTERNAL', 30_000);
    await stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'Allow once…', confirm: true }).settled;
    const { stdout, stderr, exitCode } = await proposing;
    expect(String(Buffer.from(stderr))).toBe('');
    expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({
      outcome: 'granted',
      by: 'operator',
      scope: 'action',
    });
    expect(exitCode).toBe(0);
    await stage.seen('Allowed', 30_000);
  },
  PATIENCE_MS,
);

test(
  'proposals of one run are open side by side over Redis, and each click decides its own',
  async () => {
    await stage.gateway();
    const owner = await stage.owner('session-p');
    const propose = async (proposal: ReturnType<typeof writeOf>) => {
      const result = await owner.prompter.propose(proposal, { signal: new AbortController().signal });
      await result.delivered();
      return result.outcome;
    };
    const [write, push] = [propose(writeOf()), propose(pushOf())];
    await stage.seen('WRITE', 30_000);
    await stage.seen('EXTERNAL', 30_000);
    const ana = stage.slack.user(stage.ana);
    const [{ ts: pushCard = '' } = {}] = stage.cards('EXTERNAL');
    const [{ ts: writeCard = '' } = {}] = stage.cards('WRITE');
    await ana.click({ channel: stage.channel, message: pushCard, label: 'Deny' }).settled;
    await ana.click({ channel: stage.channel, message: writeCard, label: 'Allow for this turn' }).settled;
    expect(await push).toEqual({ kind: 'denied' });
    expect(await write).toEqual({ kind: 'granted', scope: 'turn' });
  },
  PATIENCE_MS,
);
