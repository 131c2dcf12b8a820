import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { newRandomId } from '../../../src/core/ids.ts';
import { startListener } from '../../../src/listener/listener.ts';
import { MAX_PATH_BYTES } from '../../../src/listener/socket-place.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { PROPOSES_NOTHING } from '../../support/requests.ts';
import { createDesk, questionsReading } from './desk.ts';
import { connectPeer } from './peer.ts';
import { openWorkbench } from './workbench.ts';

const deps = () => ({ prompter: createDesk(), clock: systemClock, newId: newRandomId, log: recordingLog() });

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hr-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A process that leaves what a killed run leaves: its directory with a bound socket in it. */
async function leaveSocketOfKilledProcess(parent: string): Promise<string> {
  const script = `
    const { mkdtempSync } = require('node:fs');
    const directory = mkdtempSync(process.argv[1] + '/handraise-' + process.pid + '-');
    require('node:net').createServer().listen(directory + '/ask.sock', () => console.log(directory));`;
  const child = spawn(process.execPath, ['-e', script, parent], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return String(line).trim();
}

test('only our user can reach the socket, and its path is short enough for macOS', async () => {
  await using bench = await openWorkbench();
  const path = bench.listener.socketPath;
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(Buffer.byteLength(path)).toBeLessThanOrEqual(MAX_PATH_BYTES);
});

test('closing ends every ask and connection and leaves no socket and no directory', async () => {
  const desk = createDesk();
  const parent = temporaryDirectory();
  const listener = await startListener({ ...deps(), prompter: desk, directory: parent });
  const peer = await connectPeer(listener.socketPath);
  peer.send({ v: 1, kind: 'ask', id: 'a', questions: questionsReading('Which?') });
  const asked = await desk.next();
  await Promise.all([listener.close(), listener.close()]);
  expect(await asked.fate).toBe('lost: the run is ending');
  await peer.closed;
  expect(readdirSync(parent)).toEqual([]);
});

test('closing still reads the confirmation that an agent left behind', async () => {
  const desk = createDesk();
  const listener = await startListener({ ...deps(), prompter: desk });
  const peer = await connectPeer(listener.socketPath);
  peer.send({ v: 1, kind: 'ask', id: 'a', questions: questionsReading('Which?') });
  const asked = await desk.next();
  asked.pickFirst();
  await peer.receive();
  await peer.receive();
  peer.send({ v: 1, kind: 'delivered', id: 'a' });
  await listener.close();
  expect(await asked.fate).toBe('delivered');
});

test('closing does not wait for a peer that does not end, and its answer is lost', async () => {
  const bench = await openWorkbench();
  const peer = await bench.connect({ halfOpen: true });
  peer.send({ v: 1, kind: 'ask', id: 'a', questions: questionsReading('Which?') });
  const asked = await bench.desk.next();
  asked.pickFirst();
  await peer.receive();
  await peer.receive();
  const closing = bench.listener.close();
  await bench.clock.walk(1_000);
  await closing;
  expect(await asked.fate).toBe('lost: the run is ending');
});

test('closing does not wait for ever for a prompter that does not come back', async () => {
  const { log, ...rest } = deps();
  let asked = false;
  const prompter = {
    ...PROPOSES_NOTHING,
    ask: () => {
      asked = true;
      return new Promise<never>(() => undefined);
    },
  };
  await using bench = await openWorkbench();
  const listener = await startListener({ ...rest, log, prompter, clock: bench.clock });
  const peer = await connectPeer(listener.socketPath);
  peer.send({ v: 1, kind: 'ask', id: 'a', questions: questionsReading('Which?') });
  await expect.poll(() => asked).toBe(true);
  const closing = listener.close();
  await bench.clock.walk(2_500);
  await closing;
  expect(log.lines.map((line) => line.message)).toEqual(['asks did not end in time and were left']);
  expect(existsSync(listener.socketPath)).toBe(false);
});

test('sockets of killed processes are removed at the next start, those of living ones stay', async () => {
  const parent = temporaryDirectory();
  const stale = await leaveSocketOfKilledProcess(parent);
  const living = await startListener({ ...deps(), directory: parent });
  expect(existsSync(stale)).toBe(false);
  const another = await startListener({ ...deps(), directory: parent });
  expect(existsSync(living.socketPath)).toBe(true);
  await connectPeer(living.socketPath).then((peer) => peer.socket.destroy());
  await Promise.all([living.close(), another.close()]);
});

test('the directory of the older systems is honoured where nothing else is said', async () => {
  const parent = temporaryDirectory();
  vi.stubEnv('KITSOKI_OPERATOR_ASK_SOCKET_DIR', parent);
  const listener = await startListener(deps());
  expect(dirname(dirname(listener.socketPath))).toBe(parent);
  await listener.close();
});

test('a temporary directory with a long path is passed over for a short one', async () => {
  const long = join(temporaryDirectory(), 'x'.repeat(80));
  vi.stubEnv('TMPDIR', long);
  const listener = await startListener(deps());
  expect(dirname(dirname(listener.socketPath))).toBe('/tmp');
  await listener.close();
  await expect(startListener({ ...deps(), directory: long })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('more than 103'),
  });
});
