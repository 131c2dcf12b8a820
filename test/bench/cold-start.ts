import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { bridgeCommand } from '../../src/bridge/command.ts';
import { type Figure, percentile } from './figures.ts';

/** Odd, so that the median is one of them. */
const RUNS = 31;
const WARM_UP = 3;

/**
 * From spawning the bridge to its answer to `initialize`, beside `node -e 0` from spawn to exit, taking turns in the
 * same run; and the most memory the bridge had held by then (VmHWM). The bounds count on Node 20; on others the figures
 * are printed only.
 */
export async function benchColdStart(): Promise<Figure[]> {
  const ours: Start[] = [];
  const bare: number[] = [];
  for (let run = 0; run < RUNS + WARM_UP; run += 1) {
    const [theirs, mine] = [await startBareNode(), await startBridge()];
    if (run < WARM_UP) continue;
    ours.push(mine);
    bare.push(theirs);
  }
  const isBounded = process.versions.node.startsWith('20.');
  const start: Figure = {
    name: 'bridge cold start: spawn → initialize answered',
    unit: 'ms',
    ours: percentile(
      ours.map((one) => one.ms),
      0.5,
    ),
    baseline: { name: 'node -e 0', value: percentile(bare, 0.5) },
    ...(isBounded ? { limit: 2.3, aim: 1.6 } : {}),
  };
  const memory = ours.map((one) => one.megabytes).filter((megabytes) => megabytes !== undefined);
  if (memory.length === 0) return [start];
  return [
    start,
    {
      name: 'bridge memory: most resident when answered',
      unit: 'MB',
      ours: percentile(memory, 0.5),
      ...(isBounded ? { limit: 50 } : {}),
    },
  ];
}

interface Start {
  readonly ms: number;
  readonly megabytes: number | undefined;
}

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } },
})}\n`;

async function startBridge(): Promise<Start> {
  const { command, args } = bridgeCommand();
  const startedAt = performance.now();
  const child = startClean(command, args);
  child.stdin.write(INITIALIZE);
  const [answer] = await once(child.stdout, 'data');
  const ms = performance.now() - startedAt;
  if (!String(answer).includes('"serverInfo"')) throw new Error(`the bridge answered ${String(answer)}`);
  const megabytes = mostResident(child.pid);
  child.stdin.end();
  await once(child, 'exit');
  return { ms, megabytes };
}

async function startBareNode(): Promise<number> {
  const startedAt = performance.now();
  await once(startClean(process.execPath, ['-e', '0']), 'exit');
  return performance.now() - startedAt;
}

/** NODE_EXTRA_CA_CERTS alone adds 38 ms to a start on Node 20, and NODE_OPTIONS anything: both start without. */
function startClean(command: string, args: readonly string[]): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { PATH: process.env['PATH'] } });
}

/** Linux's high-water mark; other systems do not tell. */
function mostResident(pid: number | undefined): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
}
