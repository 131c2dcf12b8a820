import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GateEvent } from '../../../src/core/ports/gate.ts';
import type { Scope } from '../../../src/core/proposals/contract.ts';
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
  /** Clicks on the open proposal that says `text`; resolves to what it said. An external one is confirmed. */
  decide(text: string, decision: Scope | 'deny' | { readonly note: string }): Promise<string>;
  /** A file of the project, or undefined. */
  file(name: string): string | undefined;
  /** What the run wrote to its events file about steps. */
  events(): Promise<GateEvent[]>;
  /** Waits until no process of this stage lives, and rejects when a socket's directory is left. */
  nothingLeft(): Promise<void>;
}

export interface StageOptions {
  script: Script;
  /** YAML of the one binding's `questions`. Default: none. */
  questions?: string;
  /** Whether Ana may allow steps. Default false: nobody may. */
  approves?: boolean;
  /** YAML of `gate`. Default: none. */
  gate?: string;
  /** false: no channel is bound. */
  bound?: boolean;
  /** The `handraise` to start. Default: this clone's. */
  program?: string;
  /** Variables beside those of the stage. */
  environment?: Record<string, string>;
  /** Bound beside the Slack channel. The stage does not close it. */
  discord?: DiscordChannel;
}

export async function openStage({
  script,
  questions,
  approves = false,
  gate,
  bound = true,
  program = HANDRAISE,
  environment: more = {},
  discord,
}: StageOptions): Promise<Stage> {
  const workplace = await claudeWorkplace();
  const model = await startModelServer({ script });
  const slack = await startSlackDouble();
  const ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  const channel = slack.workspace.addChannel({ name: 'agents' }).id;
  const config = join(workplace.files, 'handraise.yaml');
  const events = join(workplace.files, 'events.jsonl');
  const alsoOn = discord === undefined ? '' : `    discord: { channel: "${discord.channel}" }\n`;
  const binding = `bindings:\n  - match: { workspace: "*" }\n    slack: { channel: ${channel} }\n${alsoOn}`;
  const asked = questions === undefined ? '' : `    questions: ${questions}\n`;
  const approvers = approves ? `    grants: { approvers: { slackUsers: [${ana}] } }\n` : '';
  const rules = gate === undefined ? '' : `gate: ${gate}\n`;
  const configured = bound ? `${binding}${asked}${approvers}${rules}` : rules;
  if (configured !== '') await writeFile(config, configured);
  const environment = {
    ...claudeEnvironment(model),
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    ...discord?.env,
    // Sockets and other leftovers would lie here.
    TMPDIR: workplace.files,
    ...(configured === '' ? {} : { HANDRAISE_CONFIG: config }),
    ...more,
  };
  const running: RunningCommand[] = [];
  const handraise = (...args: string[]): RunningCommand => {
    const command = startCommand([process.execPath, program, ...args], { workplace, environment });
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
      handraise(
        'run',
        '--events',
        events,
        ...(options.handraise ?? []),
        '--',
        ...claudeArguments(prompt, ...(options.claude ?? [])),
      ),
    card,
    async answer(question, label) {
      const open = await card(question, ({ controls }) => controls.some((control) => control.text.includes(label)));
      const result = await slack.user(ana).click({ channel, message: open.ts, label: new RegExp(label) }).settled;
      if (result.kind !== 'acked') throw new Error(`the click was ${result.kind}`);
    },
    async decide(text, decision) {
      const open = await card(text, ({ controls }) =>
        controls.some((control) => control.actionId === 'handraise.deny'),
      );
      const person = slack.user(ana);
      if (typeof decision === 'object') {
        await person.click({ channel, message: open.ts, action: 'handraise.denynote' }).settled;
        await slack.until(ana, channel, ({ modals }) => modals.length > 0, 30_000);
        person.type({ block: 'note' }, decision.note);
        await person.submit().settled;
      } else {
        const action = decision === 'deny' ? 'handraise.deny' : `handraise.g${decision}`;
        const control = open.controls.find(({ actionId }) => actionId === action);
        const confirm = control?.confirm === undefined ? {} : { confirm: true };
        const result = await person.click({ channel, message: open.ts, action, ...confirm }).settled;
        if (result.kind !== 'acked') throw new Error(`the click was ${result.kind}`);
      }
      return textOf(open);
    },
    file(name) {
      const path = join(workplace.project, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    },
    async events() {
      const lines = (await readFile(events, 'utf8')).trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'machine.write_mode_granted');
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
