import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { PromptResult } from '../../../src/core/ports/prompter.ts';
import type { QuestionBatch } from '../../../src/core/questions/contract.ts';
import { normaliseQuestions } from '../../../src/core/questions/normalise.ts';
import type { ScreenMessage } from '../../doubles/slack/types.ts';
import { choice, type GatewayStage, openGatewayStage } from '../../support/gateway-stage.ts';
import { fixtureAgent } from '../../support/handraise.ts';
import { KEYS } from '../../support/redis-store.ts';

/** Once a gateway is ready again, a decided card is settled within this (the issue's own figure). */
const SETTLED_WITHIN_MS = 3_000;

let stage: GatewayStage;

describe.each(['SIGKILL', 'SIGTERM'] as const)('a gateway that is replaced after %s', (signal) => {
  afterEach(async () => {
    await stage.close();
    expect(stage.slack.violations).toEqual([]);
  });

  it('between card and click: the click counts and the card is settled', async () => {
    stage = await openGatewayStage();
    const first = await stage.gateway();
    const answer = await asked(choice('Which cache?', 'Redis', 'Memory'));
    first.kill(signal);
    await first.done;
    await stage.gateway();
    expect((await stage.click(/Which cache/, 'Memory').settled).kind).toBe('acked');
    await delivered(answer, 'Memory');
    await onlyCardSays('Which cache?', 'Answered');
  });

  it('between opening a form and sending it: what was filled in counts', async () => {
    stage = await openGatewayStage();
    const first = await stage.gateway();
    const answer = await asked(
      normaliseQuestions(
        { questions: [{ question: 'Which langs?', options: ['Py', 'Go'], multiSelect: true }] },
        'caller',
      ),
    );
    await stage.click(/Which langs/, 'Answer').settled;
    await formIsOpen();
    first.kill(signal);
    await first.done;
    await stage.gateway();
    const ana = stage.slack.user(stage.ana);
    ana.select({ block: 'q0.pick' }, ['Go']);
    expect(await ana.submit().settled).toMatchObject({ kind: 'acked' });
    await delivered(answer, 'Go');
    expect(stage.slack.screen(stage.ana, stage.channel).modals).toEqual([]);
    await onlyCardSays('Which langs?', 'Answered');
  });

  it('between the claim and the settled card: the next one settles it', async () => {
    stage = await openGatewayStage();
    const first = await stage.gateway();
    const answer = await asked(choice('Which queue?', 'Kafka', 'Rabbit'));
    const own = stage.slack.faults.api('response_url', { kind: 'hang', times: 100 });
    const edits = stage.slack.faults.api('chat.update', { kind: 'hang', times: 100 });
    await stage.click(/Which queue/, 'Kafka').settled;
    await delivered(answer, 'Kafka');
    await expect.poll(() => own.hits + edits.hits, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
    first.kill(signal);
    await first.done;
    own.remove();
    edits.remove();
    expect(JSON.stringify(stage.cards('Which queue?'))).not.toContain('Answered');
    await stage.gateway();
    await onlyCardSays('Which queue?', 'Answered');
  });

  it('between the claim and its delivery: the card waits for the agent, and then says so', async () => {
    stage = await openGatewayStage();
    const first = await stage.gateway();
    const answer = await asked(choice('Which shell?', 'bash', 'zsh'));
    await stage.click(/Which shell/, 'zsh').settled;
    const result = await answer.result;
    first.kill(signal);
    await first.done;
    await stage.gateway();
    await onlyCardSays('Which shell?', 'waiting for the agent');
    await result.delivered();
    await onlyCardSays('Which shell?', 'Answered');
  });
});

/** Side by side: what they do is wait. */
describe('without any gateway', { timeout: 150_000 }, () => {
  it.concurrent('an agent that asks is told within 20 s that nobody could be asked', () =>
    afterAllGatewaysEnded('SIGKILL', async (own) => {
      // Its lease tells of it for 10 s more, so that the run still starts.
      const { stdout, stderr, exitCode } = await run(own, 'ask', 'Anybody?', 'yes', 'no');
      expect(String(Buffer.from(stderr))).toBe('');
      expect(JSON.parse(String(Buffer.from(stdout)))).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('could not be posted') }],
      });
      expect(exitCode).toBe(0);
      const [, end] = eventsOf(own);
      expect(end).toMatchObject({ event: 'operator.question.unanswered', outcome: 'undeliverable' });
      // Measured by the run itself, which a busy machine wakes late.
      expect(end?.duration_ms).toBeLessThan(23_000);
      expect(own.cards('Anybody?')).toEqual([]);
    }));

  it.concurrent('a run does not start when the last one was stopped: 69', () =>
    afterAllGatewaysEnded('SIGTERM', async (own) => {
      expect((await run(own, 'report')).exitCode).toBe(69);
    }));

  it.concurrent('a run does not start when the last one was killed and its lease is over: 69', () =>
    afterAllGatewaysEnded('SIGKILL', async (own) => {
      const exitCode = async () => (await run(own, 'report')).exitCode;
      await expect.poll(exitCode, { timeout: 60_000, interval: 500 }).toBe(69);
    }));
});

interface Asked {
  readonly result: Promise<PromptResult>;
}

/** Asks as an owner in this process; resolves once the card is on the screen and in Redis. */
async function asked(batch: QuestionBatch): Promise<Asked> {
  const { prompter } = await stage.owner('s1');
  const result = prompter.ask(batch, { signal: new AbortController().signal });
  await stage.seen(batch.questions[0]?.question ?? '');
  // A post takes effect before its reply arrives.
  await expect.poll(() => stage.redis.client.keys(`${KEYS.prefix}{*}:cards`), { timeout: 20_000 }).toHaveLength(1);
  return { result };
}

/** The agent gets the answer, and says so. */
async function delivered({ result }: Asked, label: string): Promise<void> {
  const { outcome, delivered } = await result;
  expect(outcome).toMatchObject({ kind: 'answered', sheet: [{ labels: [label] }] });
  await delivered();
}

/** One card, that says so in time and offers nothing, and not a word to anybody in private. */
async function onlyCardSays(question: string, text: string): Promise<void> {
  const begun = Date.now();
  await stage.seen(text, SETTLED_WITHIN_MS);
  console.info(`"${question}": "${text}" ${Date.now() - begun} ms after the gateway was ready`);
  expect(stage.cards(question)).toMatchObject([{ controls: [] }]);
  const told = everything().filter(({ ephemeral }) => ephemeral);
  expect(told).toEqual([]);
}

/** Resolves when a form is open that has what it takes to be sent. */
async function formIsOpen(): Promise<void> {
  await stage.slack.until(stage.ana, stage.channel, ({ modals }) => modals[0]?.submit);
}

function everything(): ScreenMessage[] {
  return stage.slack.screen(stage.ana, stage.channel).messages.flatMap((message) => [message, ...message.replies]);
}

function run(own: GatewayStage, agent: string, ...args: string[]) {
  return own.desk.start(['run', '--', ...fixtureAgent(agent, ...args)], { env: own.ownerEnv, withinMs: 60_000 });
}

/** What runs on this stage told so far. */
function eventsOf({ desk }: GatewayStage): { event: string; outcome: string; duration_ms: number }[] {
  const files = readdirSync(desk.state, { recursive: true, encoding: 'utf8' });
  const lines = files
    .filter((file) => file.endsWith('events.jsonl'))
    .flatMap((file) => readFileSync(join(desk.state, file), 'utf8').trim().split('\n'));
  return lines.map((line) => JSON.parse(line));
}

/** On a stage of its own. */
async function afterAllGatewaysEnded(
  signal: NodeJS.Signals,
  then: (own: GatewayStage) => Promise<void>,
): Promise<void> {
  const own = await openGatewayStage();
  try {
    const gateway = await own.gateway();
    gateway.kill(signal);
    await gateway.done;
    await then(own);
  } finally {
    await own.close();
  }
  expect(own.slack.violations).toEqual([]);
}
