import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Binding, Config } from '../../../src/config/schema.ts';
import { Secret } from '../../../src/config/secret.ts';
import { newRandomId } from '../../../src/core/ids.ts';
import { normaliseQuestions } from '../../../src/core/questions/normalise.ts';
import { startEmbedded } from '../../../src/gateway/embedded.ts';
import { createClock } from '../../doubles/clock.ts';
import type { Agents } from '../../doubles/playground/agent-run.ts';
import { startPageServer } from '../../doubles/playground/page-server.ts';
import { openWorkspace } from '../../doubles/playground/workspace.ts';
import { recordingLog } from '../../support/recording-log.ts';

/** The playground's page over an owner in this process, whose clock can be moved. */
export interface PictureStage extends AsyncDisposable {
  readonly url: string;
  /** Asks on both platforms; resolves to the outcome's kind once the agent would have it. */
  ask(questions: unknown): Promise<string>;
  /** Moves the owner's time, as if nobody had done anything meanwhile. */
  later(ms: number): Promise<void>;
}

const WAIT_MS = 300_000;
const SESSION = {
  sessionId: 'session-of-the-pictures',
  agent: 'claude-code',
  workspace: '/home/ana/webshop',
  branch: 'rate-limits',
  startedBy: 'ana@laptop',
} as const;

/** Nobody works in the terminal. */
const NOBODY: Agents = {
  screen: { state: 'done', note: '', lines: [] },
  ended: Promise.resolve(0),
  onChange: () => () => undefined,
  start: () => false,
  stop: async () => undefined,
};

export async function openPictureStage(): Promise<PictureStage> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'hr-pictures-'));
  const workspace = await openWorkspace();
  const { slack, channel, discord, discordChannel } = workspace;
  const page = await startPageServer(workspace, NOBODY, 0);
  const clock = createClock();
  const binding: Binding = {
    match: { workspace: '*' },
    slack: { channel: channel.id },
    discord: { channel: discordChannel.id },
    questions: { mode: 'ask', operators: '*', waitMs: WAIT_MS },
  };
  const config: Config = {
    bindings: [binding],
    slack: { botToken: new Secret(slack.botToken), appToken: new Secret(slack.appToken), apiUrl: slack.apiUrl },
    discord: { botToken: new Secret(discord.botToken), apiUrl: discord.apiUrl },
    origins: new Map(),
  };
  const places = { config, binding, session: SESSION, stateDirectory };
  const owner = await startEmbedded({ ...places, clock, newId: newRandomId, log: recordingLog() });
  return {
    url: page.url,
    async ask(questions) {
      const batch = normaliseQuestions(questions, 'caller');
      const { outcome, delivered } = await owner.prompter.ask(batch, { signal: new AbortController().signal });
      await delivered();
      return outcome.kind;
    },
    later: (ms) => clock.advance(ms),
    async [Symbol.asyncDispose]() {
      await owner.stop(3_000);
      await page.close();
      await workspace.close();
      clock.close();
      rmSync(stateDirectory, { recursive: true, force: true });
    },
  };
}
