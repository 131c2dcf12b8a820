import { once } from 'node:events';
import { expect, test } from 'vitest';
import { AskerLost, HandraiseError } from '../../../src/core/errors.ts';
import { CONFIRMATION_MS } from '../../../src/listener/ask.ts';
import { firstOf, questionsReading } from './desk.ts';
import { openWorkbench } from './workbench.ts';

const ask = (id: string, text = 'Which store?', more: object = {}) => ({
  v: 1,
  kind: 'ask',
  id,
  questions: questionsReading(text),
  ...more,
});

test('an ask is accepted, answered, and reported as delivered only after the bridge says so', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(ask('a', 'Which store?', { toolUseId: 'toolu_1' }));
  const asked = await bench.desk.next();
  expect(asked.context.pendingId).toBe('toolu_1');
  expect(await peer.receive()).toEqual({ v: 1, kind: 'accepted', id: 'a', requestId: 'request-1' });
  asked.pickFirst();
  expect(await peer.receive()).toEqual({
    v: 1,
    kind: 'outcome',
    id: 'a',
    requestId: 'request-1',
    outcome: 'answered',
    text: 'The operator answered:\n{"answers":{"Which store?":"Redis"}}\nContinue with these answers.',
    isError: false,
    answers: { 'Which store?': 'Redis' },
  });
  let fate: string | undefined;
  void asked.fate.then((told) => {
    fate = told;
  });
  // A second exchange on the same connection proves that time has passed without the first one's confirmation.
  peer.send(ask('b'));
  await bench.desk.next();
  expect(fate).toBeUndefined();
  peer.send({ v: 1, kind: 'delivered', id: 'a' });
  expect(await asked.fate).toBe('delivered');
});

test('several asks of one connection and of several are open at once and answered in any order', async () => {
  await using bench = await openWorkbench();
  const [one, two] = [await bench.connect(), await bench.connect()];
  one.send(ask('a', 'First?'));
  one.send(ask('b', 'Second?'));
  two.send(ask('a', 'Third?'));
  const asked = [await bench.desk.next(), await bench.desk.next(), await bench.desk.next()];
  const byText = new Map(asked.map((each) => [each.batch.questions[0]?.question, each]));
  await one.receive();
  await one.receive();
  await two.receive();
  byText.get('Second?')?.pickFirst();
  expect(await one.receive()).toMatchObject({ id: 'b', answers: { 'Second?': 'Redis' } });
  byText.get('Third?')?.pickFirst();
  expect(await two.receive()).toMatchObject({ id: 'a', answers: { 'Third?': 'Redis' } });
  byText.get('First?')?.pickFirst();
  expect(await one.receive()).toMatchObject({ id: 'a', answers: { 'First?': 'Redis' } });
});

test('an answer that the bridge does not confirm in time is reported as lost', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(ask('a'));
  const asked = await bench.desk.next();
  asked.pickFirst();
  await peer.receive();
  await peer.receive();
  bench.clock.advance(CONFIRMATION_MS);
  expect(await asked.fate).toBe('lost: the bridge did not confirm the delivery within 10 s');
});

test('a connection that closes between answer and confirmation loses the answer', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(ask('a'));
  const asked = await bench.desk.next();
  asked.pickFirst();
  await peer.receive();
  await peer.receive();
  peer.socket.destroy();
  expect(await asked.fate).toMatch(/^lost: the asker closed its connection/);
});

test('a confirmation that comes before the answer does not count', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(ask('a'));
  peer.send({ v: 1, kind: 'delivered', id: 'a' });
  const asked = await bench.desk.next();
  asked.pickFirst();
  await peer.receive();
  await peer.receive();
  peer.socket.destroy();
  expect(await asked.fate).toMatch(/^lost/);
});

test('a cancel ends its own ask and no other, and a stray one is ignored', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(ask('a', 'First?'));
  peer.send(ask('b', 'Second?'));
  const [first, second] = [await bench.desk.next(), await bench.desk.next()];
  peer.send({ v: 1, kind: 'cancel', id: 'a' });
  peer.send({ v: 1, kind: 'cancel', id: 'never seen' });
  expect(await first.fate).toBe('lost: the agent withdrew the call');
  expect(first.context.signal.aborted).toBe(true);
  // It withdrew, and is not waited for.
  expect(first.context.signal.reason).not.toBeInstanceOf(AskerLost);
  expect(second.context.signal.aborted).toBe(false);
  second.pickFirst();
  await peer.receive();
  await peer.receive();
  expect(await peer.receive()).toMatchObject({ kind: 'outcome', id: 'b' });
  peer.send({ v: 1, kind: 'delivered', id: 'b' });
  expect(await second.fate).toBe('delivered');
  peer.send({ v: 1, kind: 'cancel', id: 'b' });
  peer.send(ask('b', 'Third?'));
  expect((await bench.desk.next()).context.signal.aborted).toBe(false);
});

test('a cancel after the answer and before its confirmation loses the answer', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(ask('a'));
  const asked = await bench.desk.next();
  asked.pickFirst();
  await peer.receive();
  await peer.receive();
  peer.send({ v: 1, kind: 'cancel', id: 'a' });
  expect(await asked.fate).toBe('lost: the agent withdrew the call');
});

test.each([
  ['closes', (socket: { destroy(): void }) => socket.destroy()],
  ['half-closes', (socket: { end(): void }) => socket.end()],
])('an asker that %s its socket mid-wait ends its asks at once', async (_, leave) => {
  await using bench = await openWorkbench();
  const [leaver, stayer] = [await bench.connect({ halfOpen: true }), await bench.connect()];
  leaver.send(ask('a', 'First?'));
  const left = await bench.desk.next();
  stayer.send(ask('a', 'Second?'));
  const stayed = await bench.desk.next();
  leave(leaver.socket);
  expect(await left.fate).toMatch(/^lost/);
  // It may come back on another one.
  expect(left.context.signal.reason).toBeInstanceOf(AskerLost);
  await leaver.closed;
  expect(stayed.context.signal.aborted).toBe(false);
});

test('a prompter that throws becomes an outcome that says so, with the reason when it is one of ours', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(ask('a'));
  (await bench.desk.next()).fail(new HandraiseError('The audit file cannot be written', { code: 'store' }));
  await peer.receive();
  const ours = await peer.receive();
  expect(ours).toMatchObject({ kind: 'outcome', outcome: 'undeliverable', isError: true });
  expect(ours['text']).toContain('(The audit file cannot be written)');
  peer.send(ask('b'));
  (await bench.desk.next()).fail(new TypeError('secret detail of a bug'));
  await peer.receive();
  const bug = await peer.receive();
  expect(bug).toMatchObject({ outcome: 'undeliverable', isError: true });
  expect(bug['text']).not.toContain('secret detail');
  expect(bench.log.lines.map((line) => line.message)).toEqual(['asking failed', 'asking failed']);
});

test('questions that break the contract are refused with what to change, and nobody is asked', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send({
    ...ask('a'),
    questions: [{ ...(questionsReading('Which?')[0] as object), header: 'far too long a header' }],
  });
  const error = await peer.receive();
  expect(error).toMatchObject({ v: 1, kind: 'error', id: 'a', code: 'invalid_questions' });
  expect(error['text']).toMatch(/header has 21 characters.*Correct the call and ask again\.$/);
  peer.send({ v: 1, kind: 'ask', id: 'b' });
  expect(await peer.receive()).toMatchObject({ id: 'b', code: 'invalid_questions' });
  expect(bench.desk.count).toBe(0);
});

test('an id that is still open is refused and its first ask goes on', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(ask('a'));
  const asked = await bench.desk.next();
  await peer.receive();
  peer.send(ask('a', 'Another?'));
  expect(await peer.receive()).toMatchObject({ kind: 'error', id: 'a', code: 'duplicate_id' });
  asked.answer(firstOf(asked.batch));
  expect(await peer.receive()).toMatchObject({ kind: 'outcome', id: 'a' });
});

test('an ask that comes while the listener closes is put to nobody', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect({ halfOpen: true });
  peer.send(ask('a'));
  await bench.desk.next();
  const closing = bench.listener.close();
  peer.send(ask('b', 'Too late?'));
  peer.send({ v: 1, kind: 'cancel', id: 'a' });
  await once(peer.socket, 'end');
  peer.socket.end();
  await closing;
  expect(bench.desk.count).toBe(1);
});
