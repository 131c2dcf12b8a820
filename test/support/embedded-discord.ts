import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Binding, Config } from '../../src/config/schema.ts';
import { Secret } from '../../src/config/secret.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { newRandomId } from '../../src/core/ids.ts';
import type { ByClass } from '../../src/core/policy/approval.ts';
import type { OperatorRule } from '../../src/core/policy/people.ts';
import type { QuestionBatch } from '../../src/core/questions/contract.ts';
import type { Redactor } from '../../src/core/redact/redactor.ts';
import type { SessionFacts } from '../../src/core/request.ts';
import { type Embedded, startEmbedded } from '../../src/gateway/embedded.ts';
import {
  type DiscordDouble,
  type DiscordDoubleOptions,
  type ScreenMessage,
  startDiscordDouble,
} from '../doubles/discord/index.ts';
import { recordingLog } from './recording-log.ts';
import { SESSION } from './requests.ts';

export interface EmbeddedDiscord extends AsyncDisposable {
  readonly discord: DiscordDouble;
  readonly embedded: Embedded;
  readonly log: ReturnType<typeof recordingLog>;
  readonly ana: string;
  readonly ben: string;
  readonly channel: string;
  readonly stateDirectory: string;
  /** Asks and, unless told otherwise, confirms the delivery of whatever comes back. */
  ask(batch: QuestionBatch, signal?: AbortSignal): Promise<string>;
  /** Waits until somebody sees a card in the session's thread that contains the text and satisfies `see`. */
  card(text: string, see?: (card: ScreenMessage) => boolean, user?: string): Promise<ScreenMessage>;
  /** The session's thread, once there is one. */
  thread(): Promise<string>;
  /** What `user` was told in private so far. */
  told(user: string): Promise<string[]>;
}

/** The real embedded gateway with the real discord.js, connected to a Discord on loopback with two people in one channel. */
export async function embeddedOnDiscord(
  options: DiscordDoubleOptions & {
    owner?: {
      clock?: Clock;
      /** Default: `SESSION`. */
      session?: SessionFacts;
      questions?: Partial<Binding['questions']>;
      /** Who may approve. Default: nobody. */
      approvers?: (people: { readonly ana: string; readonly ben: string }) => OperatorRule;
      quorum?: ByClass<number>;
      more?: Partial<Config> & { slackTo?: string };
      redactor?: Redactor;
    };
  } = {},
): Promise<EmbeddedDiscord> {
  const { owner = {}, ...double } = options;
  const discord = await startDiscordDouble(double);
  const ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  const ben = discord.guild.addMember({ name: 'ben', displayName: 'Ben' }).id;
  const channel = discord.guild.addChannel({ name: 'agents' }).id;
  const stateDirectory = mkdtempSync(join(tmpdir(), 'hr-state-'));
  const log = recordingLog();
  const { slackTo: _, ...more } = owner.more ?? {};
  const config: Config = { ...discordConfig(discord, channel, owner, owner.approvers?.({ ana, ben })), ...more };
  const binding = config.bindings[0];
  if (binding === undefined) throw new Error('no binding');
  const clock = owner.clock ?? systemClock;
  const { session = SESSION } = owner;
  const masking = owner.redactor === undefined ? {} : { redactor: owner.redactor };
  const common = { session, stateDirectory, clock, newId: newRandomId, log };
  const started = startEmbedded({ config, binding, ...common, ...masking });
  const embedded = await started.catch(async (error: unknown) => {
    await discord.close();
    rmSync(stateDirectory, { recursive: true, force: true });
    throw error;
  });
  const thread = () =>
    discord.until(
      ana,
      channel,
      (screen) => screen.messages.find((message) => message.thread !== undefined)?.thread?.id,
    );
  return {
    discord,
    embedded,
    log,
    ana,
    ben,
    channel,
    stateDirectory,
    thread,
    async ask(batch, signal = new AbortController().signal) {
      const result = await embedded.prompter.ask(batch, { signal });
      await result.delivered();
      return result.outcome.kind;
    },
    async card(text, see = () => true, user = ana) {
      return discord.until(user, await thread(), (screen) =>
        screen.messages.find((message) => message.notification.includes(text) && see(message)),
      );
    },
    async told(user) {
      const { messages } = discord.screen(user, await thread());
      return messages.filter((message) => message.ephemeral).map((message) => message.notification);
    },
    async [Symbol.asyncDispose]() {
      await embedded.stop(3_000);
      const violations = discord.violations.map(({ rule, message }) => ({ rule, message }));
      await discord.close();
      rmSync(stateDirectory, { recursive: true, force: true });
      expect(violations).toEqual([]);
    },
  };
}

function discordConfig(
  discord: DiscordDouble,
  channel: string,
  {
    questions = {},
    quorum,
    more = {},
  }: { questions?: Partial<Binding['questions']>; quorum?: ByClass<number>; more?: { slackTo?: string } },
  approvers: OperatorRule = {},
): Config {
  const { slackTo } = more;
  return {
    bindings: [
      {
        match: { workspace: '*' },
        discord: { channel },
        ...(slackTo === undefined ? {} : { slack: { channel: slackTo } }),
        questions: { mode: 'ask', operators: '*', waitMs: 300_000, ...questions },
        grants: { approvers, waitMs: 300_000, ...(quorum === undefined ? {} : { quorum }) },
      },
    ],
    slack: {},
    discord: { botToken: new Secret(discord.botToken), apiUrl: discord.apiUrl },
    origins: new Map(),
  };
}
