import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Secret } from '../../src/config/secret.ts';
import { systemClock } from '../../src/core/clock.ts';
import { newRandomId } from '../../src/core/ids.ts';
import { normaliseQuestions } from '../../src/core/questions/normalise.ts';
import type { Redactor } from '../../src/core/redact/redactor.ts';
import { openSharedOwner, type SharedOwner } from '../../src/gateway/shared-owner.ts';
import { type SlackDouble, type SlackDoubleOptions, startSlackDouble } from '../doubles/slack/index.ts';
import type { Interaction } from '../doubles/slack/operator-types.ts';
import type { ScreenMessage } from '../doubles/slack/types.ts';
import type { DiscordChannel } from './discord-channel.ts';
import { createDesk, type Desk } from './handraise.ts';
import { recordingLog } from './recording-log.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { SESSION } from './requests.ts';
import { OWNER_CONFIG, PINNING_ENV, SIGNING_ENV } from './verdict-keys.ts';

const READY_WITHIN_MS = 30_000;

/** Longer than a test that waits for an owner's lease to be over. */
const GATEWAY_LASTS_MS = 150_000;

/** `handraise gateway` as a process. */
export interface RunningGateway {
  /** Of its probes. */
  readonly url: string;
  readonly pid: number;
  readonly done: Promise<{ readonly exitCode: number | undefined; readonly log: string }>;
  kill(signal: NodeJS.Signals): void;
}

/** A Slack on loopback with one person in one channel, a private Redis, and gateways as processes of their own. */
export interface GatewayStage {
  readonly slack: SlackDouble;
  readonly redis: RedisServer;
  readonly desk: Desk;
  readonly ana: string;
  readonly channel: string;
  /**
   * Resolves when it says that it is ready; rejects when it ends before, such as by the signal it is sent. `env` is added to
   * its environment.
   */
  gateway(
    stop?: { whenAsked: () => boolean; signal: NodeJS.Signals },
    env?: Readonly<Record<string, string>>,
  ): Promise<RunningGateway>;
  /** The environment of an owner: the Redis and the gateways' public key, and no token. */
  readonly ownerEnv: Readonly<Record<string, string>>;
  /** An owner in this process, stopped with the stage. */
  owner(sessionId: string, redactor?: Redactor): Promise<SharedOwner>;
  /** Waits until Ana sees the text. */
  seen(text: string, withinMs?: number): Promise<void>;
  click(message: RegExp, label: string): Interaction;
  /** Messages with the text, whatever thread they are in. */
  cards(text: string): ScreenMessage[];
  close(): Promise<void>;
}

/** `discord`: bound beside the Slack channel; whoever opened it closes it. */
export async function openGatewayStage(
  options: SlackDoubleOptions = {},
  discord?: DiscordChannel,
): Promise<GatewayStage> {
  const desk = createDesk();
  const [slack, redis] = await Promise.all([startSlackDouble(options), startRedisServer()]);
  const ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  const channel = slack.workspace.addChannel({ name: 'agents', members: [ana] }).id;
  slack.workspace.join(channel, slack.workspace.botUserId);
  const config = join(desk.home, 'gateway.yaml');
  writeFileSync(
    config,
    JSON.stringify({
      gateway: { listen: '127.0.0.1:0' },
      bindings: [
        {
          match: { workspace: '*' },
          slack: { channel },
          ...(discord && { discord: { channel: discord.channel } }),
          grants: { approvers: { slackUsers: [ana] } },
        },
      ],
    }),
  );
  const gatewayEnv = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    HANDRAISE_REDIS_URL: redis.url,
    HANDRAISE_CONFIG: config,
    ...discord?.env,
    ...SIGNING_ENV,
  };
  const running = new Set<RunningGateway>();
  const owners: SharedOwner[] = [];
  const stage: GatewayStage = {
    slack,
    redis,
    desk,
    ana,
    channel,
    ownerEnv: { HANDRAISE_REDIS_URL: redis.url, ...PINNING_ENV },
    async gateway(stop, env) {
      const child = desk.start(['gateway'], { env: { ...gatewayEnv, ...env }, withinMs: GATEWAY_LASTS_MS });
      const done = child.then(({ exitCode, stderr }) => ({ exitCode, log: String(Buffer.from(stderr)) }));
      if (stop !== undefined) {
        void expect
          .poll(stop.whenAsked, { timeout: 20_000 })
          .toBe(true)
          .then(() => child.kill(stop.signal));
      }
      const url = await new Promise<string>((resolve, reject) => {
        let said = '';
        child.stdout.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          const [, found] = /(http:\S+)\/readyz/.exec(said) ?? [];
          if (found !== undefined) resolve(found);
        });
        void done.then(({ exitCode, log }) => reject(new Error(`the gateway ended with ${exitCode}: ${log}`)));
        setTimeout(() => reject(new Error('the gateway is not ready')), READY_WITHIN_MS).unref();
      });
      const gateway = { url, pid: Number(child.pid), done, kill: (signal: NodeJS.Signals) => void child.kill(signal) };
      running.add(gateway);
      void done.then(() => running.delete(gateway));
      return gateway;
    },
    async owner(sessionId, redactor) {
      const owner = await openSharedOwner({
        config: OWNER_CONFIG,
        redisUrl: new Secret(redis.url),
        session: { ...SESSION, sessionId },
        ...(redactor === undefined ? {} : { redactor }),
        clock: systemClock,
        newId: newRandomId,
        log: recordingLog(),
      });
      if (owner === undefined) throw new Error('no binding');
      owners.push(owner);
      return owner;
    },
    async seen(text, withinMs = 20_000) {
      await slack.until(
        ana,
        channel,
        () => JSON.stringify(slack.screen(ana, channel).messages).includes(text),
        withinMs,
      );
    },
    click: (message, label) => slack.user(ana).click({ channel, message, label: new RegExp(label) }),
    cards: (text) =>
      everyMessage(slack.screen(ana, channel).messages).filter(({ blocks }) => JSON.stringify(blocks).includes(text)),
    async close() {
      await Promise.all(owners.map((owner) => owner.stop()));
      for (const gateway of running) gateway.kill('SIGKILL');
      await Promise.all([...running].map(({ done }) => done));
      await Promise.all([slack.close(), redis.stop()]);
      desk.remove();
    },
  };
  return stage;
}

/** One question with two buttons. */
export function choice(question: string, ...labels: string[]) {
  return normaliseQuestions({ questions: [{ question, options: labels }] }, 'caller');
}

/** A broadcast reply is shown in its thread and in the channel; it is one message. */
function everyMessage(messages: readonly ScreenMessage[]): ScreenMessage[] {
  const all = messages.flatMap((message) => [message, ...everyMessage(message.replies)]);
  return [...new Map(all.map((message) => [message.ts, message])).values()];
}
