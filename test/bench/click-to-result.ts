import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startSlackDouble } from '../doubles/slack/index.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { PINNING_ENV, SIGNING_ENV } from '../support/verdict-keys.ts';
import { type Figure, percentile } from './figures.ts';
import { startGateway } from './gateway.ts';
import { type RawHops, startRawHops } from './raw-hops.ts';
import { startRawRedisHops } from './raw-redis-hops.ts';

/** Answers measured, after a few that warm both chains up. */
const ROUNDS = 200;
const WARM_UP = 20;

/**
 * From the WebSocket frame of a click to the agent having its tool result: Slack double → `handraise run` (Bolt, policy,
 * audited claim) → bridge → agent, taking turns with the raw hops in the same run.
 */
export async function benchClickToResult(): Promise<Figure[]> {
  const chain = await startOurs(ROUNDS + WARM_UP, undefined);
  return measured('click → tool result', 'raw hops', chain, await startRawHops());
}

/** The same with `handraise gateway` in a process of its own and Redis between, beside the raw hops over the same Redis. */
export async function benchClickOverRedis(): Promise<Figure[]> {
  const redis = await startRedisServer({ args: ['--appendonly', 'yes'] });
  try {
    const chain = await startOurs(ROUNDS + WARM_UP, redis.url);
    return await measured('click → tool result over Redis', 'raw hops', chain, await startRawRedisHops(redis.socket));
  } finally {
    await redis.stop();
  }
}

async function measured(name: string, baseline: string, chain: Chain, raw: RawHops): Promise<Figure[]> {
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      const [mine, theirs] = [await chain.once(), await raw.once()];
      if (round < WARM_UP) continue;
      ours.push(mine);
      bare.push(theirs);
    }
  } finally {
    await chain.close();
    await raw.close();
  }
  return [0.5, 0.99].map((fraction) => ({
    name: `${name}, p${fraction * 100}`,
    unit: 'ms',
    ours: percentile(ours, fraction),
    baseline: { name: baseline, value: percentile(bare, fraction) },
    limit: 3.0,
    aim: 1.5,
  }));
}

type Chain = Awaited<ReturnType<typeof startOurs>>;

/** `redisUrl`: a gateway of its own serves the run over this Redis; undefined: the run is its own. */
async function startOurs(questions: number, redisUrl: string | undefined) {
  const slack = await startSlackDouble({ rateLimits: false });
  const ana = slack.workspace.addUser({ name: 'Ana' });
  const channel = slack.workspace.addChannel({ name: 'agents', members: [ana.id] });
  slack.workspace.join(channel.id, slack.workspace.botUserId);
  const state = mkdtempSync(join(tmpdir(), 'hr-bench-'));
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const tokens = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    HANDRAISE_SLACK_CHANNEL: channel.id,
  };
  const homes = { PATH: process.env['PATH'], HOME: state, XDG_STATE_HOME: state };
  const gateway =
    redisUrl === undefined ? undefined : await startGateway(redisUrl, state, { ...homes, ...tokens, ...SIGNING_ENV });
  const run = spawn(
    process.execPath,
    [here('../../src/main.js'), 'run', '--', process.execPath, here('./asking-agent.js'), String(questions)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...homes,
        ...(redisUrl === undefined ? tokens : { HANDRAISE_REDIS_URL: redisUrl, ...PINNING_ENV }),
      },
    },
  );
  const lines = createInterface({ input: run.stdout })[Symbol.asyncIterator]();
  let answered = 0;
  // A click that was not taken is told in private: without a second one the agent would wait for ever.
  const notTaken = new Promise<never>((_, reject) => {
    slack.on('ephemeral', ({ text }) => reject(new Error(`the click was not taken: ${text}`)));
  });
  // Each round races it; after the last one nobody is left to be told.
  notTaken.catch(() => undefined);
  return {
    async once(): Promise<number> {
      const text = `Which database (${answered++})?`;
      const card = await slack.until(ana.id, channel.id, (screen) =>
        screen.messages.find((message) => message.controls.length > 0 && JSON.stringify(message.blocks).includes(text)),
      );
      const button = card.controls.find((control) => control.text.includes('Redis'));
      if (button === undefined) throw new Error('the card has no button for Redis');
      let sent = 0n;
      const stop = slack.on('frame', () => {
        sent = process.hrtime.bigint();
      });
      slack.user(ana.id).click({ channel: channel.id, message: card.ts, action: button.actionId });
      stop();
      const { value, done } = await Promise.race([lines.next(), notTaken]);
      if (done === true) throw new Error('the agent ended early');
      return Number(BigInt(value) - sent) / 1e6;
    },
    async close() {
      if (run.exitCode === null && run.signalCode === null) {
        const exited = once(run, 'exit');
        if (answered < questions) run.kill('SIGTERM');
        await exited;
      }
      await gateway?.close();
      await slack.close();
      rmSync(state, { recursive: true, force: true });
    },
  };
}
