import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelServer, type Script, startModelServer } from '../../doubles/model/index.ts';
import type { ScreenMessage, SlackDouble } from '../../doubles/slack/index.ts';
import { startSlackDouble } from '../../doubles/slack/index.ts';
import type { DiscordChannel } from '../../support/discord-channel.ts';
import { HANDRAISE } from '../../support/handraise.ts';
import { claudeArguments, claudeEnvironment, claudeWorkplace } from './claude.ts';
import { type RunningCommand, startCommand } from './command-line.ts';
import { noneLeft, processesWith } from './process-tree.ts';
import type { Workplace } from './workplace.ts';

/** A model, a Slack with one person in one channel, and a place to run `handraise` in, bound to that channel. */
export interface Stage extends AsyncDisposable {
  readonly workplace: Workplace;
  readonly model: ModelServer;
  readonly slack: SlackDouble;
  readonly ana: string;
  readonly channel: string;
  /** `handraise run … -- claude -p PROMPT …`. */
  claude(prompt: string, options?: { handraise?: string[]; claude?: string[] }): RunningCommand;
  /** `handraise` with any arguments. */
  handraise(...args: string[]): RunningCommand;
  /** The card of a question, once it is on Ana's screen and `fits`. */
  card(question: string, fits?: (card: ScreenMessage) => boolean): Promise<ScreenMessage>;
  /** Clicks a button of the open card of a question. */
  answer(question: string, label: string): Promise<void>;
  /** Waits until no process of this stage lives, and rejects when a socket's directory is left. */
  nothingLeft(): Promise<void>;
}

export interface StageOptions {
  script: Script;
  /** YAML of the one binding's `questions`. Default: none. */
  questions?: string;
  /** false: no channel is bound. */
  bound?: boolean;
  /** Bound beside the Slack channel. The stage does not close it. */
  discord?: DiscordChannel;
}

export async function openStage({ script, questions, bound = true, discord }: StageOptions): Promise<Stage> {
  const workplace = await claudeWorkplace();
  const model = await startModelServer({ script });
  const slack = await startSlackDouble();
  const ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  const channel = slack.workspace.addChannel({ name: 'agents' }).id;
  const config = join(workplace.files, 'handraise.yaml');
  const alsoOn = discord === undefined ? '' : `    discord: { channel: "${discord.channel}" }\n`;
  const binding = `bindings:\n  - match: { workspace: "*" }\n    slack: { channel: ${channel} }\n${alsoOn}`;
  if (bound) await writeFile(config, questions === undefined ? binding : `${binding}    questions: ${questions}\n`);
  const environment = {
    ...claudeEnvironment(model),
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    ...discord?.env,
    // Sockets and other leftovers would lie here.
    TMPDIR: workplace.files,
    ...(bound ? { HANDRAISE_CONFIG: config } : {}),
  };
  const running: RunningCommand[] = [];
  const handraise = (...args: string[]): RunningCommand => {
    const command = startCommand([process.execPath, HANDRAISE, ...args], { workplace, environment });
    running.push(command);
    return command;
  };
  const cardsIn = (messages: readonly ScreenMessage[], question: string) =>
    messages
      .flatMap((message) => [message, ...message.replies])
      .filter((message) => textOf(message).includes(question));
  const card = (question: string, fits: (card: ScreenMessage) => boolean = () => true) =>
    slack.until(ana, channel, ({ messages }) => cardsIn(messages, question).find(fits), 30_000);

  return {
    workplace,
    model,
    slack,
    ana,
    channel,
    handraise,
    claude: (prompt, options = {}) =>
      handraise('run', ...(options.handraise ?? []), '--', ...claudeArguments(prompt, ...(options.claude ?? []))),
    card,
    async answer(question, label) {
      const open = await card(question, ({ controls }) => controls.some((control) => control.text.includes(label)));
      const result = await slack.user(ana).click({ channel, message: open.ts, label: new RegExp(label) }).settled;
      if (result.kind !== 'acked') throw new Error(`the click was ${result.kind}`);
    },
    async nothingLeft() {
      await noneLeft(() => processesWith('HOME', workplace.home));
      const left = (await readdir(workplace.files)).filter((name) => /^handraise-\d/.test(name));
      if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
    },
    async [Symbol.asyncDispose]() {
      for (const each of [...running, workplace, model]) await each[Symbol.asyncDispose]();
      await slack.close();
      if (existsSync(workplace.home)) throw new Error('the workplace was not removed');
    },
  };
}

/** Everything a person can read on a message. */
export function textOf(message: ScreenMessage): string {
  const texts = [message.notification];
  JSON.stringify(message.blocks, (key, value: unknown) => {
    if (key === 'plain' && typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
}

/** A call of the tool as a model makes it. */
export function ask(question: string, ...labels: string[]) {
  const options = labels.map((label) => ({ label, description: `${label}, please.` }));
  return {
    name: 'mcp__operator__ask',
    input: { questions: [{ question, header: 'Choice', options, multiSelect: false }] },
  };
}
