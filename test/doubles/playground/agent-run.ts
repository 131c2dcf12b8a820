import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type HandraiseProcess, startHandraise } from './handraise-process.ts';

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

/** An agent, or several as if they were one. */
export interface Agents {
  readonly screen: TerminalScreen;
  /** The exit code of the run that is on, or was last; of several, the worst. */
  readonly ended: Promise<number>;
  /** Calls `listener` with every new line, and without one when only the state changed. */
  onChange(listener: (line: TerminalLine | undefined) => void): () => void;
  /** Starts those that do not run; returns whether there was one. */
  start(): boolean;
  /** Interrupts them as Ctrl-C does and waits until they have settled their cards. */
  stop(): Promise<void>;
}

const AGENT = fileURLToPath(new URL('./agent/main.js', import.meta.url));

/** How long `handraise run` may take to settle its cards after a signal, and then some; then it is killed. */
const STOP_WITHIN_MS = 6_000;

/** `handraise run -- node <demonstration agent>` as a real process, again and again, with its terminal. */
export class AgentRun implements Agents {
  readonly #cwd: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #listeners = new Set<(line: TerminalLine | undefined) => void>();
  #screen: TerminalScreen = { state: 'done', note: 'not started', lines: [] };
  #process: HandraiseProcess | undefined;
  #ended: Promise<number> = Promise.resolve(0);

  /** `env` says where to ask. */
  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    this.#cwd = cwd;
    this.#env = env;
  }

  get screen(): TerminalScreen {
    return this.#screen;
  }

  get ended(): Promise<number> {
    return this.#ended;
  }

  onChange(listener: (line: TerminalLine | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): boolean {
    if (this.#process !== undefined) return false;
    this.#screen = { state: 'running', note: 'running', lines: [] };
    this.#print('system', '$ handraise run -- node main.js');
    const run = startHandraise(['run', '--', process.execPath, AGENT], { cwd: this.#cwd, env: this.#env });
    this.#process = run;
    createInterface({ input: run.stdout }).on('line', (line) => this.#print('plain', line));
    createInterface({ input: run.stderr }).on('line', (line) => this.#print('error', line));
    this.#ended = run.ended.then((code) => {
      this.#process = undefined;
      const note = code === 0 ? 'finished' : `ended with exit code ${code}`;
      this.#screen = { ...this.#screen, state: code === 0 ? 'done' : 'failed', note };
      for (const listener of this.#listeners) listener(undefined);
      return code;
    });
    return true;
  }

  async stop(): Promise<void> {
    await this.#process?.stop('SIGINT', STOP_WITHIN_MS);
    await this.#ended;
  }

  #print(kind: TerminalLine['kind'], text: string): void {
    const line = { kind, text };
    this.#screen = { ...this.#screen, lines: [...this.#screen.lines, line] };
    for (const listener of this.#listeners) listener(line);
  }
}
