import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bridgeCommand } from '../../../src/bridge/command.ts';

/** The built bridge with our hands on its stdin and stdout. */
export interface RawBridge extends Disposable {
  readonly pid: number;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  write(text: string): void;
  send(message: object): void;
  receive(): Promise<Record<string, unknown>>;
  endStdin(): void;
  kill(signal: NodeJS.Signals): void;
  stderr(): string;
}

export function startRawBridge(args: readonly string[] = [], environment: Record<string, string> = {}): RawBridge {
  const bridge = bridgeCommand();
  const child = spawn(bridge.command, [...bridge.args, ...args], { env: environment });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  // Writing to one that has left is what some tests are about; its exit is what they look at.
  child.stdin.on('error', () => undefined);
  return {
    pid: child.pid ?? 0,
    exit: once(child, 'close').then(([code, signal]) => ({ code, signal })),
    write: (text) => void child.stdin.write(text),
    send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    async receive() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`the bridge ended: ${stderr}`);
      return JSON.parse(value);
    },
    endStdin: () => void child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    stderr: () => stderr,
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

export const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

/** A `tools/call` of `ask`. */
export function askCall(id: number, questions: unknown, meta?: object): object {
  const params = { name: 'ask', arguments: { questions }, ...(meta === undefined ? {} : { _meta: meta }) };
  return { id, method: 'tools/call', params };
}
