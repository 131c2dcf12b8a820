import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiCall } from '../../doubles/slack/index.ts';
import { type GatewayStage, openGatewayStage } from '../../support/gateway-stage.ts';
import { fixtureAgent } from '../../support/handraise.ts';
import { auditRowsIn, KEYS } from '../../support/redis-store.ts';

/** Processes start one after the other; a busy machine takes its time for each. */
const PATIENCE_MS = 60_000;
const SOON = { timeout: 30_000, interval: 5 } as const;

/** What a gateway read to be open is posted a moment later. */
const ON_ITS_WAY_MS = 1_000;

let stage: GatewayStage;
beforeAll(async () => {
  stage = await openGatewayStage();
  await stage.gateway();
}, PATIENCE_MS);
afterAll(async () => {
  await stage.close();
  expect(stage.slack.violations).toEqual([]);
});

/** How each command asks, and what its card says. */
const ASKING = [
  ['ask', (text: string) => ['ask', text, '--option', 'Postgres=one', '--option', 'SQLite=two']],
  ['run', (text: string) => ['run', '--', ...fixtureAgent('ask', text, 'Postgres', 'SQLite')]],
  ['propose', (text: string) => ['propose', '--', 'git', 'push', 'origin', text]],
] as const;

describe.each(ASKING)('%s over Redis that is interrupted', (command, argumentsFor) => {
  it(
    'while its card is being posted has one card, which says that it was withdrawn',
    async () => {
      const text = `${command}-posting`;
      const posting = stage.slack.faults.api('chat.postMessage', { kind: 'delay', ms: 1_500, match: isCard(text) });
      const asking = start(argumentsFor(text));
      await expect.poll(() => posting.hits, SOON).toBe(1);
      asking.kill('SIGINT');
      expect((await asking).exitCode).toBe(130);
      await nothingIsLeft();
      expect(stage.cards(text)).toMatchObject([{ controls: [] }]);
      expect(JSON.stringify(stage.cards(text))).toContain('Withdrawn');
      expect(postsOf(text)).toHaveLength(1);
    },
    PATIENCE_MS,
  );

  it(
    'while its thread begins posts no card any more',
    async () => {
      const text = `${command}-beginning`;
      const beginning = stage.slack.faults.api('chat.postMessage', { kind: 'delay', ms: 2_000 });
      const asking = start(argumentsFor(text));
      await expect.poll(() => beginning.hits, SOON).toBe(1);
      asking.kill('SIGINT');
      expect((await asking).exitCode).toBe(130);
      await nothingIsLeft();
      // A machine that took its time to withdraw it may have let the card through before.
      const ended = (await auditRowsIn(stage.redis)).filter(({ event }) => event === 'ended').at(-1)?.at ?? 0;
      expect(ended).toBeGreaterThan(0);
      expect(postsOf(text).filter(({ at }) => at > ended + ON_ITS_WAY_MS)).toEqual([]);
    },
    PATIENCE_MS,
  );
});

it(
  'several that are interrupted as soon as one has asked leave nothing that can be pressed',
  async () => {
    const before = await requests();
    const texts = Array.from({ length: 4 }, (_, n) => `Together ${n}?`);
    const asking = texts.map((text) => start(['ask', text, '--option', 'yes=Yes', '--option', 'no=No']));
    await expect.poll(requests, SOON).toBeGreaterThan(before);
    for (const one of asking) one.kill('SIGINT');
    for (const one of asking) {
      const { exitCode, signal } = await one;
      // Node itself ends by a signal that comes before anything of ours runs.
      expect([130, 'SIGINT']).toContain(exitCode ?? signal);
    }
    await nothingIsLeft();
    for (const text of texts) {
      expect(postsOf(text).length).toBeLessThanOrEqual(1);
      for (const card of stage.cards(text)) expect(card).toMatchObject({ controls: [] });
    }
  },
  PATIENCE_MS,
);

function start(args: readonly string[]) {
  return stage.desk.start(args, { env: stage.ownerEnv, withinMs: PATIENCE_MS });
}

/** Every request has ended, all its cards say so, and no post of it is on its way. */
async function nothingIsLeft(): Promise<void> {
  const left = async () => [await stage.redis.client.zcard(KEYS.unfinished), await stage.redis.client.zcard(KEYS.work)];
  await expect.poll(left, { timeout: 30_000 }).toEqual([0, 0]);
}

async function requests(): Promise<number> {
  return (await stage.redis.client.keys(`${KEYS.prefix}{*}:req`)).length;
}

function isCard(text: string) {
  return ({ args }: ApiCall) => JSON.stringify(args).includes(text);
}

/** Those that Slack was asked for, whatever became of them. */
function postsOf(text: string): ApiCall[] {
  return stage.slack.calls.filter((call) => call.method === 'chat.postMessage' && isCard(text)(call));
}
