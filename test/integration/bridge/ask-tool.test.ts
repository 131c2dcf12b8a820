import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, onTestFinished, test } from 'vitest';
import { createOwnerClient } from '../../../src/bridge/client.ts';
import { serveOperator } from '../../../src/bridge/operator-server.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { questionsReading } from '../listener/desk.ts';
import { openWorkbench } from '../listener/workbench.ts';

/** The bridge in this process, so that the test holds its clock and decides when a response has left. */
async function connect(socketPath: string, flushed: () => Promise<void> = async () => undefined) {
  const clock = createFakeClock();
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const owner = createOwnerClient({ socketPath, clock });
  await serveOperator(ours, { owner, tools: ['ask'], clock, flushed });
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(theirs);
  onTestFinished(async () => {
    await client.close();
    owner.close();
  });
  const ask = (options?: Parameters<Client['callTool']>[2]) =>
    client.callTool({ name: 'ask', arguments: { questions: questionsReading('Which?') } }, undefined, options);
  return { client, clock, ask };
}

test('a client that gave a token hears every 15 s that the operator is waited for, until the answer', async () => {
  await using bench = await openWorkbench();
  const { clock, ask } = await connect(bench.listener.socketPath);
  const heard: unknown[] = [];
  const answer = ask({ onprogress: (progress) => heard.push(progress) });
  const asked = await bench.desk.next();
  await clock.walk(14_999);
  expect(heard).toEqual([]);
  await clock.walk(1);
  expect(heard).toEqual([{ progress: 15, message: 'Waiting for the operator' }]);
  await clock.walk(165_000);
  expect(heard).toHaveLength(12);
  asked.pickFirst();
  expect(await answer).not.toHaveProperty('isError');
  expect(clock.pending()).toEqual([]);
});

test('a client without a token hears nothing', async () => {
  await using bench = await openWorkbench();
  const { client, clock, ask } = await connect(bench.listener.socketPath);
  const heard: unknown[] = [];
  client.fallbackNotificationHandler = async (notification) => void heard.push(notification);
  const answer = ask();
  const asked = await bench.desk.next();
  expect(clock.pending()).toEqual([]);
  await clock.walk(180_000);
  asked.pickFirst();
  await answer;
  expect(heard).toEqual([]);
});

test('the owner hears of the delivery only once the response was flushed', async () => {
  await using bench = await openWorkbench();
  let flush: () => void = () => undefined;
  const { ask } = await connect(
    bench.listener.socketPath,
    () =>
      new Promise((resolve) => {
        flush = resolve;
      }),
  );
  // `initialize` waits for its flush, too, but nobody waits for that.
  const answer = ask();
  const asked = await bench.desk.next();
  asked.pickFirst();
  await answer;
  let fate: string | undefined;
  void asked.fate.then((told) => {
    fate = told;
  });
  void ask().catch(() => undefined);
  await bench.desk.next();
  expect(fate).toBeUndefined();
  flush();
  expect(await asked.fate).toBe('delivered');
});

test('a response that could not be flushed is not reported as delivered', async () => {
  await using bench = await openWorkbench();
  const { ask } = await connect(bench.listener.socketPath, () => Promise.reject(new Error('EPIPE')));
  const answer = ask();
  const asked = await bench.desk.next();
  asked.pickFirst();
  await answer;
  await expect.poll(() => bench.clock.pending()).toEqual([10_000]);
  bench.clock.advance(10_000);
  expect(await asked.fate).toMatch(/^lost/);
});

test('a cancel that overtakes the flush withdraws the answer', async () => {
  await using bench = await openWorkbench();
  const { client, ask } = await connect(bench.listener.socketPath, () => new Promise(() => undefined));
  const answer = ask();
  const asked = await bench.desk.next();
  asked.pickFirst();
  await answer;
  await client.notification({ method: 'notifications/cancelled', params: { requestId: 1 } });
  expect(await asked.fate).toBe('lost: the agent withdrew the call');
});

test('a call that is nested too deeply is refused with what to change, and nothing is said about it afterwards', async () => {
  await using bench = await openWorkbench();
  const { client, clock } = await connect(bench.listener.socketPath);
  let deep: unknown[] = [];
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const heard: unknown[] = [];
  const onprogress = (progress: unknown) => void heard.push(progress);
  const result = await client.callTool({ name: 'ask', arguments: { questions: deep } }, undefined, { onprogress });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('nested too deeply. Correct the call') }],
  });
  expect(clock.pending()).toEqual([]);
});

test('an answer comes back whole when the question is as long as a line may be and has to be escaped', async () => {
  await using bench = await openWorkbench();
  const { client } = await connect(bench.listener.socketPath);
  const text = '"'.repeat(500_000);
  const answer = client.callTool({ name: 'ask', arguments: { questions: questionsReading(text) } });
  const asked = await bench.desk.next();
  asked.answer({ kind: 'answered', sheet: [{ status: 'answered', labels: ['Redis'], notes: 'Not the old one.' }] });
  const [content] = (await answer).content as { text: string }[];
  expect(content?.text).toContain(JSON.stringify({ [text]: { notes: 'Not the old one.' } }));
});
