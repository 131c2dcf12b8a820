import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { questionsReading } from '../listener/desk.ts';
import { openWorkbench } from '../listener/workbench.ts';
import { isAlive, startBridge } from './client.ts';

const PROCEED =
  'Proceed without this input: use your own judgement, take the conventional choice and say which one you took.';

test('it lists one read-only tool, with the asking threshold and the whole contract as its schema', async () => {
  await using bridge = await startBridge();
  expect(bridge.client.getServerVersion()).toMatchObject({ name: 'operator', title: 'handraise' });
  const { tools } = await bridge.client.listTools();
  await expect(JSON.stringify(tools, null, 2)).toMatchFileSnapshot('./__snapshots__/tools-list.txt');
});

test('an ask reaches the operator with its tool-use id, and its answer is delivered', async () => {
  await using bench = await openWorkbench();
  await using bridge = await startBridge(bench.listener.socketPath);
  const answer = bridge.ask(questionsReading('Which store?'), { meta: { 'claudecode/toolUseId': 'toolu_7' } });
  const asked = await bench.desk.next();
  expect(asked.context.pendingId).toBe('toolu_7');
  asked.pickFirst();
  expect(await answer).toEqual({
    text: 'The operator answered:\n{"answers":{"Which store?":"Redis"}}\nContinue with these answers.',
    isError: false,
  });
  expect(await asked.fate).toBe('delivered');
});

test('asks overlap on one connection and are answered in any order', async () => {
  await using bench = await openWorkbench();
  await using bridge = await startBridge(bench.listener.socketPath);
  const answers = new Map(['One?', 'Two?', 'Three?'].map((text) => [text, bridge.ask(questionsReading(text))]));
  const asked = [await bench.desk.next(), await bench.desk.next(), await bench.desk.next()];
  for (const each of asked.reverse()) {
    each.pickFirst();
    const text = each.batch.questions[0]?.question ?? '';
    expect((await answers.get(text))?.text).toContain(`{"${text}":"Redis"}`);
    expect(await each.fate).toBe('delivered');
  }
});

test('a call that breaks the contract is told what to change', async () => {
  await using bench = await openWorkbench();
  await using bridge = await startBridge(bench.listener.socketPath);
  expect(await bridge.ask([])).toEqual({
    text: 'The questions were not asked: questions: ask at least one question. Correct the call and ask again.',
    isError: true,
  });
  expect(await bridge.ask(undefined)).toEqual({
    text: 'The questions were not asked: questions: give questions, a list of 1 to 4. Correct the call and ask again.',
    isError: true,
  });
  const flat = await bridge.client.callTool({ name: 'ask', arguments: { question: 'Which?' } });
  expect(flat).toEqual({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining('"question" is not known') }],
  });
  expect(bench.desk.count).toBe(0);
});

test('a call of 2 MiB is refused with its size, and the next one is asked', async () => {
  await using bench = await openWorkbench();
  await using bridge = await startBridge(bench.listener.socketPath);
  const refused = await bridge.ask(questionsReading('x'.repeat(2 * 1_048_576)));
  expect(refused).toEqual({
    text: expect.stringMatching(/^The questions were not asked: the call has 2\d{6} bytes, and 1048576 is the most/),
    isError: true,
  });
  const answer = bridge.ask(questionsReading('Which store?'));
  (await bench.desk.next()).pickFirst();
  expect((await answer).isError).toBe(false);
});

test('without a socket the agent is told to proceed', async () => {
  await using bridge = await startBridge();
  expect(await bridge.ask(questionsReading('Which?'))).toEqual({
    text: `The operator cannot be reached (this agent was not started by handraise). ${PROCEED}`,
    isError: true,
  });
});

test('with a socket that is gone the agent is told to proceed', async () => {
  await using bench = await openWorkbench();
  await bench.listener.close();
  expect(existsSync(bench.listener.socketPath)).toBe(false);
  await using bridge = await startBridge(bench.listener.socketPath);
  expect(await bridge.ask(questionsReading('Which?'))).toEqual({
    text: `The operator cannot be reached (its socket is gone, so the run that started this agent has ended). ${PROCEED}`,
    isError: true,
  });
});

test('an owner that ends mid-wait leaves no agent hanging', async () => {
  await using bench = await openWorkbench();
  await using bridge = await startBridge(bench.listener.socketPath);
  const answers = [bridge.ask(questionsReading('One?')), bridge.ask(questionsReading('Two?'))];
  await bench.desk.next();
  await bench.desk.next();
  await bench.listener.close();
  for (const answer of answers) {
    expect(await answer).toEqual({
      text: `The operator cannot be reached (the run closed the connection before an answer came). ${PROCEED}`,
      isError: true,
    });
  }
  expect((await bridge.ask(questionsReading('Three?'))).text).toContain('its socket is gone');
});

test('a withdrawn call ends its ask and no other, and cancelling an answered one does nothing', async () => {
  await using bench = await openWorkbench();
  await using bridge = await startBridge(bench.listener.socketPath);
  const withdrawal = new AbortController();
  const withdrawn = bridge.ask(questionsReading('One?'), { signal: withdrawal.signal });
  const first = await bench.desk.next();
  const kept = bridge.ask(questionsReading('Two?'));
  const second = await bench.desk.next();
  withdrawal.abort('user-cancel');
  await expect(withdrawn).rejects.toThrow('user-cancel');
  expect(await first.fate).toBe('lost: the agent withdrew the call');
  // Claude sends cancels for requests that were answered long ago.
  await bridge.client.notification({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'stray' } });
  expect(second.context.signal.aborted).toBe(false);
  second.pickFirst();
  expect((await kept).isError).toBe(false);
  expect(await second.fate).toBe('delivered');
});

test('killing the bridge mid-wait ends its ask', async () => {
  await using bench = await openWorkbench();
  await using bridge = await startBridge(bench.listener.socketPath);
  const rejected = expect(bridge.ask(questionsReading('Which?'))).rejects.toThrow('Connection closed');
  const asked = await bench.desk.next();
  process.kill(bridge.pid, 'SIGKILL');
  expect(await asked.fate).toMatch(/^lost: /);
  expect(asked.context.signal.aborted).toBe(true);
  await rejected;
});

test('a client that closes leaves no process behind', async () => {
  await using bench = await openWorkbench();
  const bridge = await startBridge(bench.listener.socketPath);
  void bridge.ask(questionsReading('Which?')).catch(() => undefined);
  const asked = await bench.desk.next();
  await bridge.client.close();
  expect(await asked.fate).toMatch(/^lost/);
  await expect.poll(() => isAlive(bridge.pid)).toBe(false);
});
