import { expect, test } from 'vitest';
import { AskerLost } from '../../../src/core/errors.ts';
import { openWorkbench } from './workbench.ts';

const OLD = {
  questions: [{ question: 'Which store?', options: [{ label: 'Redis' }, { label: 'Memory' }, { label: 'Other' }] }],
};

test('a frame without version is answered in the older form, and delivered once it was flushed', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(OLD);
  const asked = await bench.desk.next();
  expect(asked.batch.questions[0]).toEqual({
    question: 'Which store?',
    header: 'Question',
    multiSelect: false,
    options: [
      { label: 'Redis', description: '' },
      { label: 'Memory', description: '' },
    ],
  });
  asked.pickFirst();
  expect(await peer.receive()).toEqual({ answers: { 'Which store?': 'Redis' } });
  expect(await asked.fate).toBe('delivered');
});

test('skipping everything is an empty answers object, and no answer is an error with its sentence', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(OLD);
  (await bench.desk.next()).answer({ kind: 'skipped', sheet: [{ status: 'skipped' }] });
  expect(await peer.receive()).toEqual({ answers: {} });
  peer.send(OLD);
  (await bench.desk.next()).answer({ kind: 'timed_out', shown: true, waitedMs: 300_000 });
  expect(await peer.receive()).toEqual({ error: expect.stringContaining('Nobody answered within 5 minutes.') });
});

test('many asks of one connection are put one after another and answered in their order', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  const texts = ['One?', 'Two?', 'Three?'];
  for (const question of texts) peer.send({ question, options: ['A', 'B'] });
  for (const question of texts) {
    const asked = await bench.desk.next();
    expect(asked.batch.questions[0]?.question).toBe(question);
    asked.pickFirst();
    expect(await peer.receive()).toEqual({ answers: { [question]: 'A' } });
  }
  expect(bench.desk.count).toBe(3);
});

test('what cannot be read or asked is an error, and the next ask is served', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.write('{"questions":[\n');
  expect(await peer.receive()).toMatchObject({ error: 'The line is not a JSON object.' });
  peer.send({ questions: [] });
  expect(await peer.receive()).toEqual({ error: expect.stringContaining('The questions were not asked') });
  peer.write('nonsense\n');
  expect(await peer.receive()).toEqual({ error: 'The line is not a JSON object.' });
  peer.send(OLD);
  (await bench.desk.next()).pickFirst();
  expect(await peer.receive()).toHaveProperty('answers');
});

test('a last line without newline is accepted and answered on the other half', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect({ halfOpen: true });
  peer.socket.end(JSON.stringify(OLD));
  const asked = await bench.desk.next();
  asked.pickFirst();
  expect(await peer.receive()).toHaveProperty('answers');
  expect(await asked.fate).toBe('delivered');
  await peer.closed;
});

test('an asker that is gone ends its ask, and those in line behind it are not put', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.send(OLD);
  peer.send(OLD);
  const asked = await bench.desk.next();
  peer.socket.destroy();
  expect(await asked.fate).toMatch(/^lost/);
  // Its only way to withdraw: it is not waited for.
  expect(asked.context.signal.reason).not.toBeInstanceOf(AskerLost);
  const other = await bench.connect();
  other.send(OLD);
  await bench.desk.next();
  expect(bench.desk.count).toBe(2);
});

test('a peer that connects and closes is dropped in silence', async () => {
  await using bench = await openWorkbench();
  const peer = await bench.connect();
  peer.socket.end();
  await expect(peer.receive()).rejects.toThrow('closed the connection');
  expect(bench.log.lines).toEqual([]);
});
