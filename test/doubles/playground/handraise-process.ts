import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** `handraise` in a process of its own, with everything it starts. It never outlives this process. */
export interface HandraiseProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The exit code. A signal counts as 128 + its number, as shells do it. */
  readonly ended: Promise<number>;
  /** Sends the signal and waits for the end; after `withinMs` all of it is killed. */
  stop(signal: NodeJS.Signals, withinMs: number): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url));

export function startHandraise(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): HandraiseProcess {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C then reaches it once, from here, and not twice.
    detached: true,
  });
  const killAll = () => killGroup(child.pid);
  process.once('exit', killAll);
  const ended = exitCodeOf(child).finally(() => process.off('exit', killAll));
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    async stop(signal, withinMs) {
      child.kill(signal);
      const late = setTimeout(killAll, withinMs);
      await ended;
      clearTimeout(late);
    },
  };
}

async function exitCodeOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<number> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? (signal === null ? 1 : 128 + (constants.signals[signal] ?? 0));
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Ended between looking and killing: what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
