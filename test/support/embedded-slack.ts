import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Binding, Config } from '../../src/config/schema.ts';
import { Secret } from '../../src/config/secret.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { newRandomId } from '../../src/core/ids.ts';
import type { OperatorRule } from '../../src/core/policy/people.ts';
import type { QuestionBatch } from '../../src/core/questions/contract.ts';
import type { Redactor } from '../../src/core/redact/redactor.ts';
import type { SessionFacts } from '../../src/core/request.ts';
import { type Embedded, startEmbedded } from '../../src/gateway/embedded.ts';
import { type SlackDouble, type SlackDoubleOptions, startSlackDouble } from '../doubles/slack/index.ts';
import type { ScreenMessage } from '../doubles/slack/types.ts';
import { recordingLog } from './recording-log.ts';
import { SESSION } from './requests.ts';

export interface EmbeddedSlack extends AsyncDisposable {
  readonly slack: SlackDouble;
  readonly embedded: Embedded;
  readonly log: ReturnType<typeof recordingLog>;
  readonly ana: string;
  readonly ben: string;
  readonly channel: string;
  readonly stateDirectory: string;
  /** Asks and, unless told otherwise, confirms the delivery of whatever comes back. */
  ask(batch: QuestionBatch, signal?: AbortSignal): Promise<string>;
  /** Waits until somebody's screen shows a card that contains the text and satisfies `see`. */
  card(text: string, see?: (card: ScreenMessage) => boolean, user?: string): Promise<ScreenMessage>;
  /** What `user` was told in private so far. */
  told(user: string): string[];
}

/** The real embedded gateway with the real Bolt, connected to a Slack on loopback with two people in one channel. */
export async function embeddedOnSlack(
  options: SlackDoubleOptions & {
    /** Default true. */
    botIsMember?: boolean;
    owner?: {
      clock?: Clock;
      /** Default: `SESSION`. */
      session?: SessionFacts;
      questions?: Partial<Binding['questions']>;
      /** Who may approve. Default: nobody. */
      approvers?: (people: { readonly ana: string; readonly ben: string }) => OperatorRule;
      redactor?: Redactor;
    };
  } = {},
): Promise<EmbeddedSlack> {
  const { owner = {}, botIsMember = true, ...double } = options;
  const slack = await startSlackDouble(double);
  const ana = slack.workspace.addUser({ name: 'Ana' }).id;
  const ben = slack.workspace.addUser({ name: 'Ben' }).id;
  const channel = slack.workspace.addChannel({ name: 'agents', members: [ana, ben] }).id;
  if (botIsMember) slack.workspace.join(channel, slack.workspace.botUserId);
  else slack.workspace.leave(channel, slack.workspace.botUserId);
  const stateDirectory = mkdtempSync(join(tmpdir(), 'hr-state-'));
  const log = recordingLog();
  const config = configFor(slack, channel, owner.questions, owner.approvers?.({ ana, ben }));
  const binding = config.bindings[0];
  if (binding === undefined) throw new Error('no binding');
  const clock = owner.clock ?? systemClock;
  const { session = SESSION } = owner;
  const { redactor } = owner;
  const started = startEmbedded({
    ...{ config, binding, session, stateDirectory, clock, newId: newRandomId, log },
    ...(redactor === undefined ? {} : { redactor }),
  });
  const embedded = await started.catch(async (error: unknown) => {
    await slack.close();
    rmSync(stateDirectory, { recursive: true, force: true });
    throw error;
  });
  return {
    slack,
    embedded,
    log,
    ana,
    ben,
    channel,
    stateDirectory,
    async ask(batch, signal = new AbortController().signal) {
      const result = await embedded.prompter.ask(batch, { signal });
      await result.delivered();
      return result.outcome.kind;
    },
    card: (text, see = () => true, user = ana) =>
      slack.until(user, channel, (screen) =>
        screen.messages.find((message) => JSON.stringify(message.blocks).includes(text) && see(message)),
      ),
    told: (user) =>
      everyMessage(slack.screen(user, channel).messages)
        .filter((message) => message.ephemeral)
        .map((message) => wordsOf(message)),
    async [Symbol.asyncDispose]() {
      await embedded.stop(3_000);
      const violations = slack.violations.map(({ method, rule, message }) => ({ method, rule, message }));
      await slack.close();
      rmSync(stateDirectory, { recursive: true, force: true });
      expect(violations).toEqual([]);
    },
  };
}

export function configFor(
  slack: SlackDouble,
  channel: string,
  questions: Partial<Binding['questions']> = {},
  approvers: OperatorRule = {},
): Config {
  return {
    bindings: [
      {
        match: { workspace: '*' },
        slack: { channel },
        questions: { mode: 'ask', operators: '*', waitMs: 300_000, ...questions },
        grants: { approvers, waitMs: 300_000 },
      },
    ],
    slack: { botToken: new Secret(slack.botToken), appToken: new Secret(slack.appToken), apiUrl: slack.apiUrl },
    origins: new Map(),
  };
}

/** What a message says, read from top to bottom. */
export function wordsOf(message: ScreenMessage): string {
  const blocks = message.blocks.flatMap((block) =>
    'text' in block && block.text !== undefined ? [block.text.plain] : [],
  );
  return (blocks.length === 0 ? [message.text.plain] : blocks).join('\n');
}

export function everyMessage(messages: readonly ScreenMessage[]): ScreenMessage[] {
  return messages.flatMap((message) => [message, ...everyMessage(message.replies)]);
}
