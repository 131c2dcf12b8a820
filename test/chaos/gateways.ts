import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { comeAsUsual } from './priority.ts';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** Milliseconds until a gateway that was started is given up. */
const READY_WITHIN_MS = 120_000;

/** The exit code of a gateway that found no Redis or no Slack, and how long its supervisor waits. */
const UNAVAILABLE = 69;
const AGAIN_MS = 500;

/** One `handraise gateway` after the other, with the same configuration. */
export interface GatewayProcess {
  readonly isReady: boolean;
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
  let again: NodeJS.Timeout | undefined;
  let isReady = false;
  const gateway: GatewayProcess = {
    get isReady() {
      return isReady;
    },
    async start() {
      const log = openSync(join(folder, `${name}.log`), 'a');
      const child = spawn(process.execPath, [MAIN, 'gateway'], {
        stdio: ['ignore', 'pipe', log],
        env: { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: home, ...env },
      });
      closeSync(log);
      comeAsUsual(child.pid);
      running = child;
      child.once('exit', (code) => {
        if (running !== child) return;
        running = undefined;
        isReady = false;
        // Without Redis a gateway does not start, and says so; whatever supervises it tries again.
        if (code === UNAVAILABLE) again = setTimeout(() => void gateway.start(), AGAIN_MS);
        else onFailure(`${name} ended with ${code}; see its log`);
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
        child.stdout?.once('data', () => {
          isReady = running === child;
          settled();
        });
        child.once('exit', settled);
      });
    },
    async kill() {
      clearTimeout(again);
      const child = running;
      if (child === undefined) return;
      running = undefined;
      isReady = false;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
  return gateway;
}
