import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startSlackDouble } from '../doubles/slack/index.ts';
import { type Figure, percentile } from './figures.ts';
import { startRawHops } from './raw-hops.ts';

/** Answers measured, after a few that warm both chains up. */
const ROUNDS = 200;
const WARM_UP = 20;

/**
 * From the WebSocket frame of a click to the agent having its tool result: Slack double → `handraise run` (Bolt, policy,
 * audited claim) → bridge → agent, taking turns with the raw hops in the same run.
 */
export async function benchClickToResult(): Promise<Figure[]> {
  const raw = await startRawHops();
  const ours: number[] = [];
  const bare: number[] = [];
  const chain = await startOurs(ROUNDS + WARM_UP);
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
    name: `click → tool result, p${fraction * 100}`,
    unit: 'ms',
    ours: percentile(ours, fraction),
    baseline: { name: 'raw hops', value: percentile(bare, fraction) },
    limit: 3.0,
    aim: 1.5,
  }));
}

async function startOurs(questions: number) {
  const slack = await startSlackDouble({ rateLimits: false });
  const ana = slack.workspace.addUser({ name: 'Ana' });
  const channel = slack.workspace.addChannel({ name: 'agents', members: [ana.id] });
  slack.workspace.join(channel.id, slack.workspace.botUserId);
  const state = mkdtempSync(join(tmpdir(), 'hr-bench-'));
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const run = spawn(
    process.execPath,
    [here('../../src/main.js'), 'run', '--', process.execPath, here('./asking-agent.js'), String(questions)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        HOME: state,
        XDG_STATE_HOME: state,
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_APP_TOKEN: slack.appToken,
        SLACK_API_URL: slack.apiUrl,
        HANDRAISE_SLACK_CHANNEL: channel.id,
      },
    },
  );
  const lines = createInterface({ input: run.stdout })[Symbol.asyncIterator]();
  let answered = 0;
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
      const { value, done } = await lines.next();
      if (done === true) throw new Error('the agent ended early');
      return Number(BigInt(value) - sent) / 1e6;
    },
    async close() {
      if (run.exitCode === null && run.signalCode === null) {
        const exited = once(run, 'exit');
        if (answered < questions) run.kill('SIGTERM');
        await exited;
      }
      await slack.close();
      rmSync(state, { recursive: true, force: true });
    },
  };
}
