import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newRandomId } from '../../../src/core/ids.ts';
import { startListener } from '../../../src/listener/listener.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createDesk } from '../../support/handraise.ts';
import { DENY, type GateStage, gateStage, grant } from '../../support/write-gate.ts';
import { createDesk as createOperator } from '../listener/desk.ts';
import { type BridgeClient, startBridge } from './client.ts';

/** Undone in the opposite order. */
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const INPUT = { file_path: 'a.txt', content: 'one\n' };

/** Calls the permission prompt as Claude Code does. */
async function approve(
  { client }: BridgeClient,
  args: object = { tool_name: 'Write', input: INPUT, tool_use_id: 'toolu_1' },
) {
  const result = await client.callTool({ name: 'approve', arguments: { ...args } });
  const content = result.content as { type: string; text: string }[];
  expect({ ...result, content: content.map(({ type }) => type) }).toEqual({ content: ['text'] });
  return JSON.parse(content[0]?.text ?? '') as { behavior: string; message?: string; updatedInput?: object };
}

async function bridge(socketPath?: string): Promise<BridgeClient> {
  const started = await startBridge(socketPath, ['--tools', 'approve']);
  undo.push(() => started[Symbol.asyncDispose]());
  return started;
}

describe('the permission prompt of the bridge, in front of the gate', () => {
  let stage: GateStage;
  let socketPath: string;
  beforeEach(async () => {
    stage = await gateStage();
    const gate = { gate: stage.gate, sessionId: 'session-1' };
    const common = { clock: createFakeClock(), newId: newRandomId, log: stage.log };
    const listener = await startListener({ prompter: createOperator(), gate, ...common });
    socketPath = listener.socketPath;
    undo.push(
      () => stage.stop(),
      () => listener.close(),
    );
  });

  it('allows exactly the input that was judged, and says when the agent has it', async () => {
    const asked = approve(await bridge(socketPath));
    const [card] = await stage.cards(1);
    await stage.decide(card?.requestId ?? '', grant('action'));
    expect(await asked).toEqual({ behavior: 'allow', updatedInput: INPUT });
    await expect.poll(() => stage.events, { timeout: 20_000 }).toMatchObject([{ granted: true, by: 'operator' }]);
  });

  it('denies with the words of the gate', async () => {
    const asked = approve(await bridge(socketPath));
    const [card] = await stage.cards(1);
    await stage.decide(card?.requestId ?? '', DENY);
    expect(await asked).toEqual({ behavior: 'deny', message: expect.stringContaining('A person refused this step') });
  });

  it('allows what only reads at once', async () => {
    const read = { tool_name: 'Read', input: { file_path: '/etc/hostname' }, tool_use_id: 'toolu_2' };
    // Where it runs is not known here, and does not matter to a path from the root.
    expect(await approve(await bridge(socketPath), read)).toEqual({ behavior: 'allow', updatedInput: read.input });
    await stage.noCardIsOpen();
  });

  it('withdraws the step when the client takes the call back', async () => {
    const { client } = await bridge(socketPath);
    const withdrawal = new AbortController();
    const asked = client.callTool({ name: 'approve', arguments: { tool_name: 'Write', input: INPUT } }, undefined, {
      signal: withdrawal.signal,
    });
    await stage.cards(1);
    withdrawal.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => stage.store.listUnfinished(), { timeout: 20_000 }).toEqual([]);
  });

  it('denies a call without a tool, and one that is too long to be sent', async () => {
    const one = await bridge(socketPath);
    expect(await approve(one, { input: {} })).toMatchObject({ behavior: 'deny' });
    const long = { tool_name: 'Write', input: { file_path: 'a', content: 'x'.repeat(1_100_000) } };
    expect(await approve(one, long)).toMatchObject({ behavior: 'deny', message: expect.stringContaining('bytes') });
    await stage.noCardIsOpen();
  });
});

describe('the permission prompt of the bridge, where nobody decides', () => {
  it.each([undefined, '/nowhere/ask.sock'])('denies without a run behind the socket %s', async (socketPath) => {
    expect(await approve(await bridge(socketPath))).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/cannot be reached.*not a refusal by a person.*Nothing was run/),
    });
  });

  const outcome = (text: string) => ({ kind: 'outcome', outcome: 'allow', text, isError: false });
  it.each<[string, (id: string) => string | undefined]>([
    ['junk', () => 'allow'],
    [
      'a frame of another version',
      (id) => JSON.stringify({ v: 2, id, ...outcome('{"behavior":"allow","updatedInput":{}}') }),
    ],
    ['an allow without its input', (id) => framed(id, outcome('{"behavior":"allow"}'))],
    ['an allow whose input is a list', (id) => framed(id, outcome('{"behavior":"allow","updatedInput":[]}'))],
    ['an allow whose input is null', (id) => framed(id, outcome('{"behavior":"allow","updatedInput":null}'))],
    ['a denial without words', (id) => framed(id, outcome('{"behavior":"deny"}'))],
    ['another behaviour', (id) => framed(id, outcome('{"behavior":"ask","updatedInput":{}}'))],
    ['a word', (id) => framed(id, outcome('allow'))],
    ['null', (id) => framed(id, outcome('null'))],
    [
      'an allow marked as an error',
      (id) => framed(id, { ...outcome('{"behavior":"allow","updatedInput":{}}'), isError: true }),
    ],
    [
      'an error frame',
      (id) => framed(id, { kind: 'error', code: 'unavailable', text: '{"behavior":"allow","updatedInput":{}}' }),
    ],
    ['no reply, and a closed connection', () => undefined],
  ])('denies on %s', async (_, reply) => {
    const server = await playOwner(reply);
    expect(await approve(await bridge(server))).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('Nothing was run'),
    });
  });

  it('takes an allow that is complete, so that the denials above are of what they say', async () => {
    const server = await playOwner((id) => framed(id, outcome('{"behavior":"allow","updatedInput":{"a":1}}')));
    expect(await approve(await bridge(server))).toEqual({ behavior: 'allow', updatedInput: { a: 1 } });
  });
});

function framed(id: string, frame: object): string {
  return JSON.stringify({ v: 1, id, ...frame });
}

/** An owner that answers every step with the same line, or hangs up. */
async function playOwner(reply: (id: string) => string | undefined): Promise<string> {
  const desk = createDesk();
  const path = join(desk.home, 's');
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const frame = JSON.parse(String(chunk).split('\n', 1)[0] ?? '') as { kind: string; id: string };
      if (frame.kind !== 'propose') return;
      const line = reply(frame.id);
      if (line === undefined) socket.destroy();
      else socket.write(`${line}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  undo.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    rmSync(desk.home, { recursive: true, force: true });
  });
  return path;
}
