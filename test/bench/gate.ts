import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { bridgeCommand, hookCommand } from '../../src/bridge/command.ts';
import { systemClock } from '../../src/core/clock.ts';
import { newRandomId } from '../../src/core/ids.ts';
import { WriteGate } from '../../src/gate/gate.ts';
import { DEFAULT_GATE } from '../../src/gate/settings.ts';
import { createToolClassifier } from '../../src/gate/tool-effects.ts';
import { startListener } from '../../src/listener/listener.ts';
import { headlessPrompter } from '../../src/prompt/headless.ts';
import { createMemoryGrants } from '../../src/store/memory-grants.ts';
import { type Figure, percentile } from './figures.ts';

/** Run as a program with a role, this file plays one of the processes. */
const HERE = fileURLToPath(import.meta.url);
const [role, socketPath = ''] = process.argv.slice(2);
if (role === 'owner') await runOwner(socketPath);
if (role === 'raw-owner') {
  createServer((socket) => passOn(socket, socket)).listen(socketPath, () => process.stdout.write('up\n'));
}
if (role === 'raw-bridge') {
  const socket = connect(socketPath);
  passOn(process.stdin, socket);
  passOn(socket, process.stdout);
}

const ROUNDS = 300;
const WARM_UP = 30;
const HOOK_RUNS = 21;
const HOOK_WARM_UP = 3;

/** Steps as Claude Code puts them: one that is a read and runs, one that writes and finds nobody to ask. */
const STEPS = {
  allow: { tool_name: 'Bash', input: { command: 'ls -la src | head -3', description: 'reads' } },
  deny: { tool_name: 'Write', input: { file_path: 'a.txt', content: 'x' } },
} as const;

/**
 * From the agent's permission request on the bridge's stdin to the reply on its stdout, through the run's gate in another
 * process; beside a JSON line that goes down the same pipe and socket and comes back, taking turns in the same run.
 */
export async function benchApprove(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'hr-bench-gate-'));
  const children: Child[] = [];
  let hook: Socket | undefined;
  const started = (...args: string[]) => {
    const child = start(process.execPath, args);
    children.unshift(child);
    return child;
  };
  try {
    const owner = started(HERE, 'owner', directory);
    const socket = await nextLine(owner);
    const bridge = started(...bridgeCommand().args, '--socket', socket, '--tools', 'approve');
    const raw = join(directory, 'raw');
    await nextLine(started(HERE, 'raw-owner', raw));
    const rawBridge = started(HERE, 'raw-bridge', raw);
    send(bridge, { id: 0, method: 'initialize', params: INITIALIZE });
    await nextLine(bridge);

    hook = connect(socket);
    const ours = new Map(Object.keys(STEPS).map((name) => [name, [] as number[]]));
    const bare: number[] = [];
    let id = 0;
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      for (const [name, step] of Object.entries(STEPS)) {
        id += 1;
        await observed(hook, { toolUseId: `toolu_${id}`, cwd: directory });
        const params = { name: 'approve', arguments: { ...step, tool_use_id: `toolu_${id}` } };
        const request = { id, method: 'tools/call', params };
        const mine = await timed(bridge, request, `\\"${name}\\"`);
        const theirs = await timed(rawBridge, request, `"id":${id},`);
        if (round < WARM_UP) continue;
        ours.get(name)?.push(mine);
        bare.push(theirs);
      }
    }
    return [...ours].flatMap(([name, samples]) =>
      [0.5, 0.99].map((fraction) => ({
        name: `step → ${name}, p${fraction * 100}`,
        unit: 'ms' as const,
        ours: percentile(samples, fraction),
        baseline: { name: 'pipe and socket', value: percentile(bare, fraction) },
        ...(fraction === 0.5 ? { limit: 3.0 } : {}),
      })),
    );
  } finally {
    hook?.destroy();
    for (const child of children) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(directory, { recursive: true, force: true });
  }
}

/** From spawning the hook before a step to its end, beside `node -e 0`, taking turns in the same run. */
export async function benchHook(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'hr-bench-hook-'));
  const owner = start(process.execPath, [HERE, 'owner', directory]);
  try {
    const socket = await nextLine(owner);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let run = 0; run < HOOK_RUNS + HOOK_WARM_UP; run += 1) {
      const step = { hook_event_name: 'PreToolUse', tool_use_id: `toolu_${run}`, cwd: directory, prompt_id: 'p' };
      const mine = await lasted([...hookCommand().args, '--socket', socket], JSON.stringify(step));
      const theirs = await lasted(['-e', '0'], '');
      if (run < HOOK_WARM_UP) continue;
      ours.push(mine);
      bare.push(theirs);
    }
    const baseline = { name: 'node -e 0', value: percentile(bare, 0.5) };
    return [{ name: 'hook: spawn → facts noted, ended', unit: 'ms', ours: percentile(ours, 0.5), baseline }];
  } finally {
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    rmSync(directory, { recursive: true, force: true });
  }
}

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } };

/** A run as far as a step sees it: socket and gate, with nobody to ask. Prints the socket's path. */
async function runOwner(workspace: string): Promise<void> {
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const grants = createMemoryGrants({ clock: systemClock, audit: { append: ignore }, log });
  const gate = new WriteGate({
    prompter: headlessPrompter,
    grants,
    vouch: async () => false,
    classify: createToolClassifier(DEFAULT_GATE, workspace),
    settings: DEFAULT_GATE,
    workspace,
    ownerId: newRandomId(),
    outlived: false,
    clock: systemClock,
    newId: newRandomId,
    events: { emit: ignore },
    log,
  });
  const listener = await startListener({
    prompter: headlessPrompter,
    gate: { gate, sessionId: 'bench' },
    directory: workspace,
    clock: systemClock,
    newId: newRandomId,
    log,
  });
  process.stdout.write(`${listener.socketPath}\n`);
}

function ignore(): void {}

/** A message, a line each, as whoever reads and writes them has to take it: nothing is looked at in it. */
function passOn(from: Readable, to: Writable): void {
  createInterface({ input: from }).on('line', (line) => to.write(`${JSON.stringify(JSON.parse(line))}\n`));
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Without what would add to a start of Node (see `cold-start.ts`). */
function start(command: string, args: readonly string[]): Child {
  return spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { PATH: process.env['PATH'] } });
}

function send(child: Child, message: object): void {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

async function timed(child: Child, message: object, expected: string): Promise<number> {
  const reply = nextLine(child);
  const sent = performance.now();
  send(child, message);
  const line = await reply;
  const lasted = performance.now() - sent;
  if (!line.includes(expected)) throw new Error(`the reply is ${line}`);
  return lasted;
}

/** What the hook tells before a step. */
async function observed(socket: Socket, facts: object): Promise<void> {
  socket.write(`${JSON.stringify({ v: 1, kind: 'observe', id: 'hook', ...facts })}\n`);
  await once(socket, 'data');
}

async function lasted(args: readonly string[], input: string): Promise<number> {
  const begun = performance.now();
  const child = start(process.execPath, args);
  child.stdin.end(input);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return performance.now() - begun;
}

const readers = new WeakMap<Child, AsyncIterator<string>>();

async function nextLine(child: Child): Promise<string> {
  const reader = readers.get(child) ?? createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  readers.set(child, reader);
  const { value, done } = await reader.next();
  if (done === true) throw new Error('the process ended');
  return value;
}
