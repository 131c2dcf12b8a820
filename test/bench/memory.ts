import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSlackAdapter } from '../../adapters/slack/index.ts';
import { systemClock } from '../../src/core/clock.ts';
import { newRandomId } from '../../src/core/ids.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { ChatPrompter } from '../../src/prompt/chat-prompter.ts';
import { openRedisStore } from '../../src/store/redis/open.ts';
import { startSlackDouble } from '../doubles/slack/index.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { sign, verify } from '../support/verdict-keys.ts';
import type { Figure } from './figures.ts';
import { batchOf, QUIET, sessionOf } from './pending.ts';

const PENDING = 1_000;

const [role, redisUrl = '', apiUrl = '', botToken = '', appToken = '', channel = ''] = process.argv.slice(2);
if (role === 'memory-owner') await playOwner();
if (role === 'memory-gateway') await playGateway();

/** What a pending question holds in an owner (waiting) and in a gateway (its card posted), on the heap after a collection. */
export async function benchMemory(): Promise<Figure[]> {
  const redis = await startRedisServer();
  const slack = await startSlackDouble({ rateLimits: false });
  const ana = slack.workspace.addUser({ name: 'ana' }).id;
  const { id } = slack.workspace.addChannel({ name: 'agents', members: [ana] });
  slack.workspace.join(id, slack.workspace.botUserId);
  const start = (part: string) => runner(part, redis.url, slack.apiUrl, slack.botToken, slack.appToken, id);
  const gateway = start('memory-gateway');
  try {
    const before = await gateway.next();
    const owner = start('memory-owner');
    try {
      const perQuestion = await owner.next();
      // The owner waits; the gateway says what it holds once every card is posted.
      const after = await gateway.next();
      return [
        { name: 'memory of a pending question in its owner', unit: 'kB', ours: perQuestion },
        { name: 'memory of a pending question in a gateway', unit: 'kB', ours: (after - before) / PENDING },
      ];
    } finally {
      owner.kill();
    }
  } finally {
    gateway.kill();
    await Promise.all([slack.close(), redis.stop()]);
  }
}

/** A process of this file that prints numbers, in kB. */
function runner(...args: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'hr-memory-'));
  const child = spawn(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: home },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async next(): Promise<number> {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('a process that measures memory ended early');
      return Number(value);
    },
    kill() {
      child.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function playOwner(): Promise<void> {
  const store = await openRedisStore({ url: redisUrl, clock: systemClock, log: QUIET });
  const common = { store, verify, ownerId: newRandomId(), clock: store.clock, newId: newRandomId, log: QUIET };
  const session = sessionOf('memory');
  const prompter = await ChatPrompter.start({ ...common, session, waitMs: 3_600_000, surfaces: 1 });
  await store.leases.holdOwner(common.ownerId, 3_600_000);
  const before = heldKB();
  await new Promise<void>((allOpen) => {
    let opened = 0;
    const onAccepted = () => {
      opened += 1;
      if (opened === PENDING) allOpen();
    };
    // A rejection ends this process, and with it the measurement.
    for (let n = 0; n < PENDING; n += 1)
      void prompter.ask(batchOf(`Which database (${n})?`), { signal: new AbortController().signal, onAccepted });
  });
  process.stdout.write(`${(heldKB() - before) / PENDING}\n`);
  setInterval(() => undefined, 60_000);
}

async function playGateway(): Promise<void> {
  const store = await openRedisStore({ url: redisUrl, clock: systemClock, log: QUIET });
  const adapter = createSlackAdapter(
    { botToken, appToken, apiUrl, secondConnectionAfterMs: 0 },
    { clock: systemClock, log: QUIET },
  );
  const place = { platform: 'slack', channel } as const;
  const gateway = createGateway({
    ...{ store, adapters: [adapter], clock: store.clock, log: QUIET, gatewayId: newRandomId(), sign },
    route: () => ({ places: [place], operators: '*' }),
  });
  await gateway.start();
  process.stdout.write(`${heldKB()}\n`);
  for (;;) {
    await sleep(250);
    const open = await store.listUnfinished();
    if (open.length === PENDING && (await store.listWork()).length === 0) break;
  }
  process.stdout.write(`${heldKB()}\n`);
}

function heldKB(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_024;
}
