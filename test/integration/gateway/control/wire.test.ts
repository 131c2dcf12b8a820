import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialControl } from '../../../../src/cli/control-client.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { MAX_REQUEST_BYTES } from '../../../../src/core/wire/control.ts';
import { controlDirectory, listenAt, liveSockets, newControlPath } from '../../../../src/gateway/control/place.ts';
import { type ControlStage, openControlStage } from '../../../support/control-socket.ts';
import { type StoreInMemory, storeInMemory } from '../../../support/memory-store.ts';
import { batchOf, question, requestOf } from '../../../support/requests.ts';

const BATCH = batchOf(question('Which database?', ['Postgres', 'SQLite']));
const onLinux = process.platform === 'linux';

let made: StoreInMemory;
let stage: ControlStage;
beforeEach(async () => {
  made = storeInMemory();
  stage = await openControlStage({ store: made.store, clock: systemClock });
  await made.store.open(requestOf('r1', BATCH));
});
afterEach(() => stage[Symbol.asyncDispose]());

/** A client that says whatever the test wants. */
async function raw(path = stage.control.path) {
  const socket = connect(path);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> => JSON.parse((await lines.next()).value ?? 'null');
  const hello = await next();
  return {
    socket,
    hello,
    next,
    say: (frame: unknown) => socket.write(`${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n`),
    async identify() {
      const title = process.title;
      process.title = String(hello['name']);
      socket.write(`${JSON.stringify({ v: 1, kind: 'identify', id: 'me', pid: process.pid })}\n`);
      const answer = await next();
      process.title = title;
      return answer;
    },
  };
}

const PENDING = { v: 1, kind: 'pending', id: 'p' };

describe('the control socket', () => {
  it('is a file of 0600 in a directory of 0700, and gone once it is closed', async () => {
    const { path } = stage.control;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(dirname(path)).toBe(controlDirectory(stage.stateDirectory));
    await stage.control.close();
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['what is no JSON', 'hello?', 'invalid_frame', 'not JSON'],
    ['another version', { ...PENDING, v: 2 }, 'invalid_frame', 'v: '],
    ['an unknown kind', { ...PENDING, kind: 'grant' }, 'invalid_frame', 'kind: '],
    ['an unknown member', { ...PENDING, since: 'yesterday' }, 'invalid_frame', 'since'],
    ['a line that is too long', `"${'x'.repeat(MAX_REQUEST_BYTES)}"`, 'line_too_long', 'longer than'],
  ])('refuses %s, does nothing, and goes on', async (_, line, code, said) => {
    const client = await raw();
    expect(await client.identify()).toMatchObject({ kind: 'identified', id: 'me' });
    client.say(line);
    expect(await client.next()).toMatchObject({ v: 1, kind: 'error', code, text: expect.stringContaining(said) });
    client.say(PENDING);
    expect(await client.next()).toMatchObject({ kind: 'requests', id: 'p', total: 1 });
    client.socket.destroy();
  });

  it('refuses an unknown argument of resolve before it looks at the request', async () => {
    const client = await raw();
    await client.identify();
    client.say({ v: 1, kind: 'resolve', id: 'c', requestId: 'r1', choice: { skip: true }, source: 'slack' });
    expect(await client.next()).toMatchObject({ kind: 'error', id: 'c', code: 'invalid_frame' });
    expect((await made.store.read('r1'))?.status).toBe('open');
    expect(made.rows.filter(({ event }) => event === 'click_refused')).toEqual([]);
    client.socket.destroy();
  });

  it('tells nothing to a client that has not said who it is', async () => {
    const client = await raw();
    client.say(PENDING);
    expect(await client.next()).toMatchObject({ kind: 'error', id: 'p', code: 'refused' });
    client.socket.destroy();
  });

  it.runIf(onLinux)('believes no process that it is another one', async () => {
    const client = await raw();
    client.say({ v: 1, kind: 'identify', id: 'me', pid: process.ppid });
    expect(await client.next()).toMatchObject({ kind: 'error', id: 'me', code: 'refused' });
    client.say(PENDING);
    expect(await client.next()).toMatchObject({ kind: 'error', code: 'refused' });
    client.socket.destroy();
  });

  it('hangs up on a client that floods it, and on one more than it has room for', async () => {
    const client = await raw();
    const closed = once(client.socket, 'close');
    client.say(Array.from({ length: 40 }, () => JSON.stringify(PENDING)).join('\n'));
    await closed;
    const many = await Promise.all(Array.from({ length: 32 }, () => raw()));
    const refused = connect(stage.control.path);
    await once(refused, 'close');
    for (const { socket } of many) socket.destroy();
  });

  it('hangs up on a client that says nothing for 15 s', async () => {
    await using idle = await openControlStage({ store: made.store, clock: made.clock });
    const client = await raw(idle.control.path);
    const closed = once(client.socket, 'close');
    made.clock.advance(14_999);
    expect(await client.identify()).toMatchObject({ kind: 'identified' });
    made.clock.advance(14_999);
    expect(client.socket.destroyed).toBe(false);
    made.clock.advance(1);
    await closed;
  });

  it('lists for several clients in one process at once', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => dialControl(stage.control.path, undefined)));
    const lists = await Promise.all(clients.map((client) => client.pending()));
    expect(lists.map(({ total }) => total)).toEqual([1, 1, 1, 1, 1]);
    for (const client of clients) client.close();
  });
});

describe('its place', () => {
  let root: string;
  const held: (() => void)[] = [];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hr-place-'));
  });
  afterEach(() => {
    for (const release of held.splice(0)) release();
    rmSync(root, { recursive: true, force: true });
  });

  async function listen(path: string): Promise<() => void> {
    const clients = new Set<Socket>();
    const server = createServer((socket) => clients.add(socket));
    const remove = await listenAt(server, path);
    held.push(() => {
      server.close();
      for (const socket of clients) socket.destroy();
    });
    return remove;
  }

  it('lets the sockets of several runs be found, without those of the dead', async () => {
    const [one, two] = [newControlPath(root), newControlPath(root)];
    await listen(one);
    await listen(two);
    const dead = join(controlDirectory(root), '4711-00000000.sock');
    await leaveBehind(dead);
    expect(existsSync(dead)).toBe(true);
    expect(await liveSockets(controlDirectory(root))).toEqual([one, two].sort());
    expect(existsSync(dead)).toBe(false);
    expect(await liveSockets(join(root, 'nowhere'))).toEqual([]);
  });

  it('is taken over from a gateway that was killed, and from nobody else', async () => {
    const path = join(root, 'own', 'control.sock');
    mkdirSync(dirname(path), { mode: 0o755 });
    await leaveBehind(path);
    const remove = await listen(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await expect(listen(path)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('listens'),
    });
    // Another one's file at the same path is not ours to remove.
    rmSync(path);
    writeFileSync(path, '');
    remove();
    expect(existsSync(path)).toBe(true);
    await expect(listen(path)).rejects.toMatchObject({ code: 'configuration' });
  });

  it('is refused where others may write, and where the path is longer than a socket takes', async () => {
    const open = join(root, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    await expect(listen(join(open, 'c.sock'))).rejects.toMatchObject({
      code: 'configuration',
      hint: expect.stringContaining('chmod go-w'),
    });
    await expect(listen(join(root, 'x'.repeat(90), 'c.sock'))).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('bytes'),
    });
  });
});

/** The socket file of a process that was killed. */
async function leaveBehind(path: string): Promise<void> {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await execa(process.execPath, ['-e', script], { reject: false });
}
