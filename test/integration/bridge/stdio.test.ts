import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { questionsReading } from '../listener/desk.ts';
import { openWorkbench } from '../listener/workbench.ts';
import { askCall, INITIALIZE, startRawBridge } from './raw-bridge.ts';

test('it answers before the socket is dialled, and what came before the end of stdin', async () => {
  await using bench = await openWorkbench();
  using bridge = startRawBridge(['--socket', bench.listener.socketPath]);
  bridge.send(INITIALIZE);
  bridge.send({ id: 1, method: 'tools/list' });
  bridge.endStdin();
  expect(await bridge.receive()).toMatchObject({ id: 0, result: { serverInfo: { name: 'operator' } } });
  expect(await bridge.receive()).toMatchObject({ id: 1, result: { tools: [{ name: 'ask' }] } });
  expect(await bridge.exit).toEqual({ code: 0, signal: null });
  expect(bridge.stderr()).toBe('');
});

test('lines that are no messages are answered with what is wrong, and reading goes on', async () => {
  using bridge = startRawBridge();
  bridge.write('what?\n{"jsonrpc":\n{"some":"object"}\n');
  const answers = [await bridge.receive(), await bridge.receive(), await bridge.receive()];
  const error = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message } });
  expect(answers).toEqual([
    error(-32700, 'The line is not JSON'),
    error(-32700, 'The line is not JSON'),
    error(-32600, 'The line is not a JSON-RPC message'),
  ]);
  bridge.send(INITIALIZE);
  expect(await bridge.receive()).toMatchObject({ id: 0, result: {} });
  bridge.send({ id: 1, method: 'tools/call', params: { name: 'approve', arguments: {} } });
  expect(await bridge.receive()).toMatchObject({ id: 1, error: { code: -32602 } });
});

test('a message over what it can hold ends it with one line', async () => {
  using bridge = startRawBridge();
  bridge.write('x'.repeat(11 * 1_048_576));
  expect(await bridge.exit).toEqual({ code: 1, signal: null });
  expect(bridge.stderr()).toBe('handraise mcp: a message of the agent was too long to read\n');
});

test.each([
  ['stdin ends', 0, (bridge: ReturnType<typeof startRawBridge>) => bridge.endStdin()],
  ['SIGINT comes', 130, (bridge: ReturnType<typeof startRawBridge>) => bridge.kill('SIGINT')],
  ['SIGTERM comes', 143, (bridge: ReturnType<typeof startRawBridge>) => bridge.kill('SIGTERM')],
])('when %s it ends with %i and the open ask with it', async (_, code, end) => {
  await using bench = await openWorkbench();
  using bridge = startRawBridge([], { HANDRAISE_SOCK: bench.listener.socketPath });
  bridge.send(INITIALIZE);
  bridge.send(askCall(1, questionsReading('Which?')));
  const asked = await bench.desk.next();
  end(bridge);
  expect(await asked.fate).toMatch(/^lost/);
  expect(await bridge.exit).toEqual({ code, signal: null });
  expect(bridge.stderr()).toBe('');
});

test('an agent that stops reading its answers is not told to have them', async () => {
  await using bench = await openWorkbench();
  using bridge = startRawBridge([], { HANDRAISE_SOCK: bench.listener.socketPath });
  bridge.send(INITIALIZE);
  await bridge.receive();
  bridge.kill('SIGSTOP');
  bridge.send(askCall(1, questionsReading('Which?')));
  bridge.kill('SIGCONT');
  const asked = await bench.desk.next();
  bridge.kill('SIGSTOP');
  asked.pickFirst();
  await expect.poll(() => bench.clock.pending()).toEqual([10_000]);
  bench.clock.advance(10_000);
  expect(await asked.fate).toBe('lost: the bridge did not confirm the delivery within 10 s');
  bridge.kill('SIGCONT');
});

test('an argument it does not know ends it with 64', async () => {
  using bridge = startRawBridge(['--verbose']);
  expect(await bridge.exit).toEqual({ code: 64, signal: null });
  expect(bridge.stderr()).toBe(
    'handraise mcp: unknown argument "--verbose"; it takes only --socket PATH and --tools LIST\n',
  );
});

test('the socket survives its bridges', async () => {
  await using bench = await openWorkbench();
  for (const attempt of [1, 2]) {
    using bridge = startRawBridge([], { KITSOKI_OPERATOR_ASK_SOCK: bench.listener.socketPath });
    bridge.send(INITIALIZE);
    bridge.send(askCall(attempt, questionsReading('Which?')));
    (await bench.desk.next()).pickFirst();
    await bridge.receive();
    expect(await bridge.receive()).toMatchObject({ id: attempt, result: {} });
    bridge.kill('SIGKILL');
    await bridge.exit;
  }
  expect(existsSync(bench.listener.socketPath)).toBe(true);
});
