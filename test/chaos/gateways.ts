import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** Milliseconds until a gateway that was started is given up. */
const READY_WITHIN_MS = 60_000;

/** One `handraise gateway` after the other, with the same configuration. */
export interface GatewayProcess {
  readonly isRunning: boolean;
  /** Resolves when it says that it is ready, or has ended before. */
  start(): Promise<void>;
  kill(): Promise<void>;
}

export interface GatewayOptions {
  readonly name: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** It ended although nobody killed it. */
  readonly onFailure: (why: string) => void;
}

export function createGateway({ name, folder, env, onFailure }: GatewayOptions): GatewayProcess {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  let running: ChildProcess | undefined;
  return {
    get isRunning() {
      return running !== undefined;
    },
    async start() {
      const log = openSync(join(folder, `${name}.log`), 'a');
      const child = spawn(process.execPath, [MAIN, 'gateway'], {
        stdio: ['ignore', 'pipe', log],
        env: { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: home, ...env },
      });
      closeSync(log);
      running = child;
      child.once('exit', (code) => {
        if (running !== child) return;
        running = undefined;
        onFailure(`${name} ended with ${code}; see its log`);
      });
      await new Promise<void>((resolve) => {
        const late = setTimeout(() => {
          onFailure(`${name} is not ready after ${READY_WITHIN_MS} ms`);
          resolve();
        }, READY_WITHIN_MS);
        const settled = () => {
          clearTimeout(late);
          resolve();
        };
        child.stdout?.once('data', settled);
        child.once('exit', settled);
      });
    },
    async kill() {
      const child = running;
      if (child === undefined) return;
      running = undefined;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
