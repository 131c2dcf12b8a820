import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OWNER_LEASE_MS } from '../../src/store/keep-lease.ts';
import { call, type ModelRequest, say, startModelServer, type ToolResult } from '../doubles/model/index.ts';
import type { ScreenMessage } from '../doubles/slack/types.ts';
import { type GatewayStage, openGatewayStage } from '../support/gateway-stage.ts';
import { HANDRAISE } from '../support/handraise.ts';
import { KEYS } from '../support/redis-store.ts';
import { claudeArguments, claudeWorkplace, startClaude } from './support/claude.ts';
import type { RunningCommand } from './support/command-line.ts';
import { installAgent } from './support/install-agents.ts';
import { ask, textOf } from './support/stage.ts';

/** Sweeps come every few seconds, and this machine has more to do. */
const SLOW_MS = 15_000;

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Real Claude Code, twice at once, each in a `run` without any token; the gateway is a process of its own. */
describe('two Claude Codes over one gateway and Redis', () => {
  beforeAll(() => installAgent('claude-code'));

  it('ask the same in the same words, and each gets the answer of its own card', async () => {
    const stage = await openStage();
    const first = await stage.agent();
    const second = await stage.agent();
    expect(second.card.threadTs).not.toBe(first.card.threadTs);
    // The later one first: the order of the clicks is not that of the questions.
    await Promise.all([stage.click(second, 'SQLite'), stage.click(first, 'Postgres')]);
    expect(await first.result()).toMatchObject({ isError: false, text: expect.stringContaining('"Postgres"') });
    expect(await second.result()).toMatchObject({ isError: false, text: expect.stringContaining('"SQLite"') });
    for (const { run } of [first, second]) expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    for (const each of [first, second]) {
      expect((await stage.settled(each, 'Answered', SLOW_MS)).controls).toEqual([]);
    }
    expect(stage.cards()).toHaveLength(2);
    await nothingIsLeftIn(stage);
  });

  it.each([
    { signal: 'SIGTERM', says: 'Withdrawn', withinMs: 4_000, code: 143 },
    { signal: 'SIGKILL', says: 'Agent gone', withinMs: OWNER_LEASE_MS + SLOW_MS, code: null },
  ] as const)('$signal of one run settles its card and no other', async ({ signal, says, withinMs, code }) => {
    const stage = await openStage();
    const [killed, other] = [await stage.agent(), await stage.agent()];
    killed.run.signal(signal);
    expect(await killed.run.exit).toMatchObject({ code });
    const settled = await stage.settled(killed, says, withinMs);
    expect(settled.controls).toEqual([]);
    expect(textOf(stage.now(other))).not.toMatch(/Withdrawn|Agent gone/);

    await stage.click(other, 'SQLite');
    expect(await other.result()).toMatchObject({ isError: false, text: expect.stringContaining('"SQLite"') });
    expect(await other.run.exit).toMatchObject({ code: 0, stderr: '' });
    await stage.settled(other, 'Answered', SLOW_MS);
    expect(textOf(stage.now(killed))).toContain(says);
    await nothingIsLeftIn(stage);
  });

  it('are answered through a gateway that was started after they had asked', async () => {
    const stage = await openStage();
    const [first, second] = [await stage.agent(), await stage.agent()];
    stage.gateway.kill('SIGKILL');
    await stage.gateway.done;
    await stage.chat.gateway();
    await Promise.all([stage.click(first, 'SQLite'), stage.click(second, 'Postgres')]);
    expect(await first.result()).toMatchObject({ isError: false, text: expect.stringContaining('"SQLite"') });
    expect(await second.result()).toMatchObject({ isError: false, text: expect.stringContaining('"Postgres"') });
    for (const { run } of [first, second]) expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    expect(stage.cards()).toHaveLength(2);
  });
});

type Stage = Awaited<ReturnType<typeof openStage>>;

interface Agent {
  readonly run: RunningCommand;
  /** As it was posted. */
  readonly card: ScreenMessage;
  /** What its model got for the call. */
  result(): Promise<ToolResult | undefined>;
}

const QUESTION = 'Which database?';
const isResult = ({ toolResults }: ModelRequest) => toolResults.length > 0;

async function openStage() {
  const chat: GatewayStage = await openGatewayStage();
  undo.push(async () => {
    await chat.close();
    expect(chat.slack.violations).toEqual([]);
  });
  const gateway = await chat.gateway();
  const cards = () => chat.cards(QUESTION);
  const find = (ts: string): ScreenMessage => {
    const card = cards().find((message) => message.ts === ts);
    if (card === undefined) throw new Error(`the card ${ts} is gone`);
    return card;
  };
  return {
    chat,
    gateway,
    cards,
    /** Starts one, with a model of its own that asks at once, and waits until its card is there. */
    async agent(): Promise<Agent> {
      const known = new Set(cards().map(({ ts }) => ts));
      const [workplace, model] = await Promise.all([
        claudeWorkplace(),
        startModelServer({ script: [call(ask(QUESTION, 'Postgres', 'SQLite')), say('done')] }),
      ]);
      const run = startClaude([process.execPath, HANDRAISE, 'run', '--', ...claudeArguments('go')], {
        workplace,
        model,
        environment: { ...chat.ownerEnv, TMPDIR: workplace.files },
      });
      undo.push(async () => {
        for (const each of [run, workplace, model]) await each[Symbol.asyncDispose]();
      });
      await expect.poll(() => cards().length, { timeout: 30_000 }).toBeGreaterThan(known.size);
      const card = cards().find(({ ts }) => !known.has(ts));
      if (card === undefined) throw new Error('no new card');
      const result = async () => (await model.until(isResult)).toolResults[0];
      return { run, card, result };
    },
    async click({ card: { ts } }: Agent, label: string): Promise<void> {
      const click = chat.slack.user(chat.ana).click({ channel: chat.channel, message: ts, label: new RegExp(label) });
      expect((await click.settled).kind).toBe('acked');
    },
    now: ({ card }: Agent) => find(card.ts),
    async settled({ card }: Agent, says: string, timeout: number): Promise<ScreenMessage> {
      await expect.poll(() => textOf(find(card.ts)), { timeout, interval: 50 }).toContain(says);
      return find(card.ts);
    },
  };
}

async function nothingIsLeftIn({ chat }: Stage): Promise<void> {
  expect(await chat.redis.client.zcard(KEYS.unfinished)).toBe(0);
  await expect.poll(() => chat.redis.client.zcard(KEYS.work), { timeout: SLOW_MS }).toBe(0);
}
