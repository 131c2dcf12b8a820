import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { newRandomId } from '../../../src/core/ids.ts';
import { startListener } from '../../../src/listener/listener.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { createDesk, questionsReading } from '../listener/desk.ts';
import { connectPeer } from '../listener/peer.ts';
import { type BridgeClient, startBridge } from './client.ts';

const ASKS = 1_000;
const AT_A_TIME = 100;

const descriptors = (pid: number | 'self') => readdirSync(`/proc/${pid}/fd`).length;

/** What keeps this process busy, counted by kind. */
function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

test.runIf(existsSync('/proc/self/fd'))(
  'after 1,000 asks, 100 at a time, no descriptor, resource or socket file is left',
  async () => {
    const parent = mkdtempSync(join(tmpdir(), 'hr-'));
    onTestFinished(() => rmSync(parent, { recursive: true }));
    const count = () => ({ descriptors: descriptors('self'), resources: resources(), files: readdirSync(parent) });
    const before = count();
    await askMany(parent, ASKS);
    await expect.poll(count).toEqual(before);
  },
  120_000,
);

async function askMany(parent: string, total: number): Promise<void> {
  const desk = createDesk();
  const deps = { prompter: desk, clock: systemClock, newId: newRandomId, log: recordingLog() };
  const listener = await startListener({ ...deps, directory: parent });
  try {
    await using bridge = await startBridge(listener.socketPath);
    await askThroughBridge(bridge, desk, 1);
    const held = { owner: descriptors('self'), bridge: descriptors(bridge.pid) };
    for (let asked = 0; asked < total; asked += AT_A_TIME) {
      await askThroughBridge(bridge, desk, Math.min(AT_A_TIME, total - asked));
      await askOverOwnSockets(listener.socketPath, desk, 10);
    }
    await expect.poll(() => ({ owner: descriptors('self'), bridge: descriptors(bridge.pid) })).toEqual(held);
  } finally {
    await listener.close();
  }
}

async function askThroughBridge(bridge: BridgeClient, desk: ReturnType<typeof createDesk>, count: number) {
  const texts = Array.from({ length: count }, (_, index) => `Question ${index}?`);
  const answers = texts.map((text) => bridge.ask(questionsReading(text)));
  const asked = await Promise.all(texts.map(() => desk.next()));
  for (const each of asked) each.pickFirst();
  for (const [index, answer] of (await Promise.all(answers)).entries()) {
    expect(answer.text).toContain(`{"Question ${index}?":"Redis"}`);
  }
  expect(new Set(await Promise.all(asked.map((each) => each.fate)))).toEqual(new Set(['delivered']));
}

/** Half of them go away without an answer. */
async function askOverOwnSockets(path: string, desk: ReturnType<typeof createDesk>, count: number) {
  const peers = await Promise.all(Array.from({ length: count }, () => connectPeer(path)));
  for (const peer of peers) peer.send({ question: 'Which?', options: ['A', 'B'] });
  const asked = await Promise.all(peers.map(() => desk.next()));
  for (const peer of peers.slice(0, count / 2)) peer.socket.destroy();
  for (const each of asked) each.pickFirst();
  await Promise.all(asked.map((each) => each.fate));
  for (const peer of peers) peer.socket.destroy();
  await Promise.all(peers.map((peer) => peer.closed));
}
