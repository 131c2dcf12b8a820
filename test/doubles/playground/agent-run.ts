import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Scratch } from './scratch.ts';
import type { PlaygroundWorkspace } from './workspace.ts';

/** A line of the agent's terminal. */
export interface TerminalLine {
  /** `plain` what the agent printed, `error` what came on stderr, `system` the playground's own words. */
  readonly kind: 'plain' | 'error' | 'system';
  readonly text: string;
}

/** The agent's terminal as the page draws it. */
export interface TerminalScreen {
  readonly state: 'running' | 'done' | 'failed';
  /** For people: "running", "ended with exit code 1". */
  readonly note: string;
  readonly lines: readonly TerminalLine[];
}

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url));
const AGENT = fileURLToPath(new URL('./agent/main.js', import.meta.url));

/** How long `handraise run` may take to settle its cards after a signal, and then some; then it is killed. */
const STOP_WITHIN_MS = 6_000;

/** `handraise run -- node <demonstration agent>` as a real process, again and again, with its terminal. */
export class AgentRun {
  readonly #workspace: PlaygroundWorkspace;
  readonly #scratch: Scratch;
  readonly #listeners = new Set<(line: TerminalLine | undefined) => void>();
  #screen: TerminalScreen = { state: 'done', note: 'not started', lines: [] };
  #child: ChildProcess | undefined;
  #ended: Promise<number> = Promise.resolve(0);

  constructor(workspace: PlaygroundWorkspace, scratch: Scratch) {
    this.#workspace = workspace;
    this.#scratch = scratch;
  }

  get screen(): TerminalScreen {
    return this.#screen;
  }

  /** The exit code of the run that is on, or was last. A signal counts as 128 + its number, as shells do it. */
  get ended(): Promise<number> {
    return this.#ended;
  }

  /** Calls `listener` with every new line, and without one when only the state changed. */
  onChange(listener: (line: TerminalLine | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts the agent unless it runs; returns whether it did. */
  start(): boolean {
    if (this.#child !== undefined) return false;
    this.#screen = { state: 'running', note: 'running', lines: [] };
    this.#print('system', '$ handraise run -- node main.js');
    const child = spawn(process.execPath, [MAIN, 'run', '--', process.execPath, AGENT], {
      cwd: this.#scratch.project,
      env: { ...this.#scratch.environment, ...this.#chatVariables() },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C then reaches it once, from here, and not twice.
      detached: true,
    });
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.#print('plain', line));
    createInterface({ input: child.stderr }).on('line', (line) => this.#print('error', line));
    const lastResort = () => this.#signal('SIGKILL');
    process.once('exit', lastResort);
    this.#ended = exitCodeOf(child).then((code) => {
      process.off('exit', lastResort);
      this.#child = undefined;
      const note = code === 0 ? 'finished' : `ended with exit code ${code}`;
      this.#screen = { ...this.#screen, state: code === 0 ? 'done' : 'failed', note };
      for (const listener of this.#listeners) listener(undefined);
      return code;
    });
    return true;
  }

  /** Interrupts the run as Ctrl-C does and waits until it has settled its cards. */
  async stop(): Promise<void> {
    if (this.#child === undefined) return;
    this.#child.kill('SIGINT');
    const late = setTimeout(() => this.#signal('SIGKILL'), STOP_WITHIN_MS);
    await this.#ended;
    clearTimeout(late);
  }

  #chatVariables(): Record<string, string> {
    const { slack, channel, discord, discordChannel } = this.#workspace;
    return {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      HANDRAISE_SLACK_CHANNEL: channel.id,
      DISCORD_BOT_TOKEN: discord.botToken,
      DISCORD_API_URL: discord.apiUrl,
      HANDRAISE_DISCORD_CHANNEL: discordChannel.id,
    };
  }

  #print(kind: TerminalLine['kind'], text: string): void {
    const line = { kind, text };
    this.#screen = { ...this.#screen, lines: [...this.#screen.lines, line] };
    for (const listener of this.#listeners) listener(line);
  }

  /** To the run and whatever it started. */
  #signal(name: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, name);
    } catch (error) {
      // Ended between looking and killing: what was wanted.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

async function exitCodeOf(child: ChildProcess): Promise<number> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? (signal === null ? 1 : 128 + (constants.signals[signal] ?? 0));
}
