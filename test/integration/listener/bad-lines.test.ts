import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { MAX_LINE_BYTES } from '../../../src/core/wire/limits.ts';
import { LINE_MS } from '../../../src/listener/connection.ts';
import { questionsReading } from './desk.ts';
import type { Peer } from './peer.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const ASK = { v: 1, kind: 'ask', id: 'good', questions: questionsReading('Which café? ☕🏴‍☠️') };

async function expectStillServed(bench: Workbench, peer: Peer): Promise<void> {
  peer.send(ASK);
  (await bench.desk.next()).pickFirst();
  expect(await peer.receive()).toMatchObject({ kind: 'accepted', id: 'good' });
  expect(await peer.receive()).toMatchObject({ kind: 'outcome', id: 'good', isError: false });
}

test.each([
  ['no JSON', 'what?', 'invalid_frame', 'The line is not a JSON object.'],
  ['half of an object', '{"v":1,"kind":', 'invalid_frame', 'The line is not a JSON object.'],
  ['an array', '[1]', 'invalid_frame', 'The line is not a JSON object.'],
  ['null', 'null', 'invalid_frame', 'The line is not a JSON object.'],
  ['another version', '{"v":2,"kind":"ask","id":"x"}', 'invalid_frame', 'Only version 1 of this wire is spoken here.'],
  [
    'another kind',
    '{"v":1,"kind":"sing","id":"x"}',
    'unknown_kind',
    'The kind must be ask, propose, observe, lifecycle, cancel or delivered.',
  ],
  ['no id', '{"v":1,"kind":"ask","questions":[]}', 'invalid_frame', 'The frame cannot be read (id: '],
])('a line with %s is answered with an error, and the next one is served', async (_, line, code, text) => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.write(`${line}\n`);
  const error = await peer.receive();
  expect(error).toMatchObject({ v: 1, kind: 'error', code });
  expect(error['text']).toContain(text);
  await expectStillServed(bench, peer);
});

test('bytes that are not UTF-8 are refused instead of being shown as other characters', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.write(
    Buffer.concat([Buffer.from('{"v":1,"kind":"ask","id":"x","questions":"'), Buffer.of(0xff), Buffer.from('"}\n')]),
  );
  expect(await peer.receive()).toMatchObject({ code: 'invalid_frame', text: 'The line is not UTF-8 text.' });
  await expectStillServed(bench, peer);
});

test('a line of 2 MiB is refused once, is not held, and leaves other asks of its connection alone', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send({ ...ASK, id: 'open' });
  const open = await bench.desk.next();
  await peer.receive();
  peer.write(`{"v":1,"kind":"ask","id":"big","questions":"${'x'.repeat(2 * 1_048_576)}"}\n`);
  expect(await peer.receive()).toEqual({
    v: 1,
    kind: 'error',
    code: 'line_too_long',
    text: 'The line is longer than 1048576 bytes and was not read.',
  });
  open.pickFirst();
  expect(await peer.receive()).toMatchObject({ kind: 'outcome', id: 'open' });
  await expectStillServed(bench, peer);
});

test('an endless line is cut off when its time is over', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.write('x'.repeat(MAX_LINE_BYTES + 1));
  expect(await peer.receive()).toMatchObject({ code: 'line_too_long' });
  bench.clock.advance(LINE_MS);
  expect(await peer.receive()).toMatchObject({ code: 'invalid_frame' });
  await peer.closed;
});

test('half a line and then silence is told, and the connection ended', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(ASK);
  const asked = await bench.desk.next();
  await peer.receive();
  peer.write('{"v":1,"kind":"can');
  await expect.poll(() => bench.clock.pending()).toEqual([LINE_MS]);
  bench.clock.advance(LINE_MS);
  expect(await peer.receive()).toMatchObject({ kind: 'error', text: 'The line was not finished within 10 s.' });
  await peer.closed;
  expect(await asked.fate).toBe('lost: the asker stopped in the middle of a line');
});

test('a quiet connection between lines has no deadline', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  await expectStillServed(bench, peer);
  peer.send({ v: 1, kind: 'delivered', id: 'good' });
  await expect.poll(() => bench.clock.pending()).toEqual([]);
});

test('a line may arrive byte by byte, also in the middle of a character', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.socket.setNoDelay(true);
  for (const byte of Buffer.from(`\r\n\n${JSON.stringify(ASK)}\r\n`)) {
    await new Promise<void>((resolve) => peer.socket.write(Buffer.of(byte), () => resolve()));
  }
  expect((await bench.desk.next()).batch.questions[0]?.question).toBe('Which café? ☕🏴‍☠️');
});

test('each line has its own time, also when every write ends in the middle of the next one', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  let begun = '';
  for (const id of ['a', 'b', 'c', 'd']) {
    const line = JSON.stringify({ ...ASK, id });
    peer.write(`${line.slice(begun.length)}\n${line.slice(0, 20)}`);
    begun = line.slice(0, 20);
    await bench.desk.next();
    bench.clock.advance(LINE_MS - 1_000);
  }
  expect(bench.clock.pending()).toEqual([1_000]);
});

test('a peer that reads nothing is read no further, so that answers to its bad lines fill no memory', async () => {
  await using bench = await openWorkbench();
  const socket = connect(bench.listener.socketPath);
  const piece = '?????????\n'.repeat(3_000);
  for (let pieces = 0; pieces < 40; pieces += 1) socket.write(piece);
  const left: number[] = [];
  const isStill = () => left.push(socket.writableLength) > 5 && new Set(left.slice(-5)).size === 1;
  await expect.poll(isStill, { interval: 100, timeout: 20_000 }).toBe(true);
  expect(socket.writableLength).toBeGreaterThan(10 * piece.length);
  socket.resume();
  await expect.poll(() => socket.writableLength, { timeout: 20_000 }).toBe(0);
  socket.destroy();
});
