import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WebSocket, WebSocketServer } from 'ws';

/**
 * The way of a click without anything of ours on it, in as many processes: a WebSocket frame arrives (owner), one line
 * is written and synced to a file, goes over a unix socket (bridge) and down a pipe (agent), which reads the clock.
 * Run as a program with a role, it plays one of them.
 */
const HERE = fileURLToPath(import.meta.url);
const [role, first = '', second = ''] = process.argv.slice(2);
if (role === 'raw-owner') runOwner(first, second);
if (role === 'raw-bridge') runBridge(first);
if (role === 'raw-agent') runAgent(first);

export interface RawHops {
  /** Milliseconds from writing the frame to the agent having read the line. */
  once(): Promise<number>;
  close(): Promise<void>;
}

/** Starts the three processes and a WebSocket server that plays Slack. */
export function startRawHops(): Promise<RawHops> {
  return startHops((url, directory) => [[HERE, 'raw-owner', url, directory]]);
}

/** The same with other processes before the bridge, each a program and its arguments, started in order. */
export async function startHops(
  before: (url: string, directory: string) => readonly (readonly string[])[],
): Promise<RawHops> {
  const directory = mkdtempSync(join(tmpdir(), 'hr-raw-'));
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const connected = once(server, 'connection') as Promise<[WebSocket]>;
  const children: ChildProcess[] = [];
  const agent = [HERE, 'raw-agent', join(directory, 's')];
  for (const program of [...before(`ws://127.0.0.1:${port}`, directory), agent]) {
    const child = start(...program);
    children.unshift(child);
    await nextLine(child);
  }
  const [reader] = children;
  if (reader === undefined) throw new Error('there is no agent');
  const [socket] = await connected;
  const frame = JSON.stringify({ envelope_id: 'e', payload: { filler: 'x'.repeat(2_000) } });
  return {
    async once() {
      const arrival = nextLine(reader);
      const sent = process.hrtime.bigint();
      socket.send(frame);
      return Number(BigInt(await arrival) - sent) / 1e6;
    },
    async close() {
      for (const child of children) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      for (const client of server.clients) client.terminate();
      server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

const readers = new WeakMap<ChildProcess, AsyncIterator<string>>();

async function nextLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no stdout');
  const reader = readers.get(child) ?? createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  readers.set(child, reader);
  const { value, done } = await reader.next();
  if (done === true) throw new Error('a process of the raw chain ended early');
  return value;
}

function runOwner(url: string, directory: string): void {
  const file = openSync(join(directory, 'log'), 'a');
  process.on('exit', () => closeSync(file));
  createServer((bridge) => {
    const slack = new WebSocket(url);
    slack.on('message', (data) => {
      const line = `${JSON.stringify(JSON.parse(String(data)))}\n`;
      slack.send('{"envelope_id":"e"}');
      writeSync(file, line);
      fdatasyncSync(file);
      bridge.write(line);
    });
    bridge.on('close', () => process.exit(0));
  }).listen(join(directory, 's'), () => process.stdout.write('ready\n'));
}

function runBridge(path: string): void {
  const socket = createConnection(path);
  createInterface({ input: socket }).on('line', (line) => process.stdout.write(`${line}\n`));
  process.stdin.on('end', () => process.exit(0)).resume();
}

function runAgent(path: string): void {
  const bridge = start(HERE, 'raw-bridge', path);
  if (bridge.stdout === null) throw new Error('the bridge has no stdout');
  createInterface({ input: bridge.stdout }).on('line', (line) => {
    JSON.parse(line);
    process.stdout.write(`${process.hrtime.bigint()}\n`);
  });
  bridge.once('spawn', () => process.stdout.write('ready\n'));
  process.stdin.on('end', () => process.exit(0)).resume();
}
