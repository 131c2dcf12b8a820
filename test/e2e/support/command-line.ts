import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { Feed } from '../../doubles/model/index.ts';
import { parseStreamEvent, type StreamEvent } from './stream-events.ts';
import type { Workplace } from './workplace.ts';

export interface Exit {
  /** Null when a signal ended the process. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand extends AsyncDisposable {
  pid: number;
  /** Settles when the process has ended and its output is closed; rejects when it had to be killed for lasting too long. */
  exit: Promise<Exit>;
  /** The stream-json lines of stdout, in order. */
  events: Feed<StreamEvent>;
  /** To the process alone. */
  signal(name: NodeJS.Signals): void;
  /** To the process and whatever shares its group, as Ctrl-C in a terminal does. */
  signalGroup(name: NodeJS.Signals): void;
  stdin: NodeJS.WritableStream | null;
}

export interface CommandOptions {
  workplace: Workplace;
  /** Beside the workplace's own environment. */
  environment?: Record<string, string>;
  /** `ignore` (default) is an immediate end of input. */
  stdin?: 'ignore' | 'pipe';
  /** Milliseconds until the process is killed and `exit` rejects. Default 120,000. */
  within?: number;
}

/** Starts a real process in the workplace's project, as the leader of a process group that disposal kills. */
export function startCommand(
  [file, ...args]: readonly [string, ...string[]],
  { workplace, environment = {}, stdin = 'ignore', within = 120_000 }: CommandOptions,
): RunningCommand {
  const child = execa(file, args, {
    cwd: workplace.project,
    env: { ...workplace.environment, ...environment },
    extendEnv: false,
    detached: true,
    reject: false,
    stdin,
    stripFinalNewline: false,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot start ${file}: is it in ${workplace.environment['PATH']}?`);
  const events = new Feed<StreamEvent>('stream-json events');
  const lines = createInterface({ input: child.stdout });
  const lastLine = once(lines, 'close');
  lines.on('line', (line) => {
    const event = parseStreamEvent(line);
    if (event) events.push(event);
  });
  const signalGroup = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name);
    } catch (error) {
      // The whole group has ended already.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  };
  // A detached group outlives a test runner that stops halfway; this is its last chance.
  const lastChance = () => signalGroup('SIGKILL');
  process.once('exit', lastChance);

  // Not execa's own timeout: that kills the leader only, and a child of it which holds stdout keeps `exit` waiting.
  let timedOut = false;
  const limit = setTimeout(() => {
    timedOut = true;
    signalGroup('SIGKILL');
  }, within);

  const exit = child.then(async ({ exitCode, signal, stdout, stderr }): Promise<Exit> => {
    await lastLine;
    clearTimeout(limit);
    process.off('exit', lastChance);
    events.end(`${file} ended with ${signal ?? exitCode}, stderr: ${stderr.slice(-1_000)}`);
    if (timedOut) throw new Error(`${file} still ran after ${within} ms\nstdout: ${stdout}\nstderr: ${stderr}`);
    return { code: exitCode ?? null, signal: (signal as NodeJS.Signals | undefined) ?? null, stdout, stderr };
  });
  // Whoever awaits `exit` gets the rejection; a test that has already failed elsewhere never does.
  exit.catch(() => undefined);

  return {
    pid,
    exit,
    events,
    signal: (name) => void child.kill(name),
    signalGroup,
    stdin: child.stdin,
    [Symbol.asyncDispose]: async () => {
      signalGroup('SIGKILL');
      await Promise.allSettled([exit]);
    },
  };
}
