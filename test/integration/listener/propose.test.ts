import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newRandomId } from '../../../src/core/ids.ts';
import { type Listener, startListener } from '../../../src/listener/listener.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { DENY, type GateStage, gateStage, grant } from '../../support/write-gate.ts';
import { createDesk } from './desk.ts';
import { connectPeer, type Peer } from './peer.ts';
import { openWorkbench } from './workbench.ts';

const PATIENCE = { timeout: 20_000, interval: 5 };

describe('a step that is put to the socket', () => {
  let stage: GateStage;
  let listener: Listener;
  let peer: Peer;
  beforeEach(async () => {
    stage = await gateStage();
    const gate = { gate: stage.gate, sessionId: 'session-1' };
    const common = { clock: createFakeClock(), newId: newRandomId, log: stage.log };
    listener = await startListener({ prompter: createDesk(), gate, ...common });
    peer = await connectPeer(listener.socketPath);
  });
  afterEach(async () => {
    peer.socket.destroy();
    await listener.close();
    await stage.stop();
  });

  const input = () => ({ file_path: stage.path('a.txt'), content: 'one\n' });
  const propose = (id: string) =>
    peer.send({ v: 1, kind: 'propose', id, tool: 'Write', input: input(), toolUseId: `toolu_${id}` });
  const observe = async (id: string) => {
    const facts = { toolUseId: `toolu_${id}`, cwd: stage.workspace, turnId: 'turn-1' };
    peer.send({ v: 1, kind: 'observe', id: `o${id}`, ...facts });
    expect(await peer.receive()).toEqual({ v: 1, kind: 'noted', id: `o${id}` });
  };
  const decisionOf = ({ text }: Record<string, unknown>) => JSON.parse(String(text)) as Record<string, unknown>;

  it('is allowed by a person with exactly the input that was judged, and told once it has arrived', async () => {
    await observe('a');
    propose('a');
    const [card] = await stage.cards(1);
    await stage.decide(card?.requestId ?? '', grant('turn'));
    const outcome = await peer.receive();
    expect(outcome).toMatchObject({ kind: 'outcome', id: 'a', outcome: 'allow', isError: false });
    expect(decisionOf(outcome)).toEqual({ behavior: 'allow', updatedInput: input() });
    expect(stage.events).toEqual([]);
    peer.send({ v: 1, kind: 'delivered', id: 'a' });
    await expect.poll(() => stage.events, PATIENCE).toMatchObject([{ granted: true, by: 'operator', scope: 'turn' }]);
    expect(existsSync(stage.path('a.txt'))).toBe(false);
  });

  it('runs by a grant for the turn until the hooks tell that the turn is over', async () => {
    await observe('a');
    propose('a');
    const [card] = await stage.cards(1);
    await stage.decide(card?.requestId ?? '', grant('turn'));
    expect(await peer.receive()).toMatchObject({ outcome: 'allow' });
    await observe('b');
    propose('b');
    expect(await peer.receive()).toMatchObject({ id: 'b', outcome: 'allow' });
    peer.send({ v: 1, kind: 'lifecycle', id: 'l', event: 'turn_ended', turnId: 'turn-1' });
    expect(await peer.receive()).toEqual({ v: 1, kind: 'noted', id: 'l' });
    expect(await stage.active()).toEqual([]);
  });

  it('can be allowed for one call at most where no hook told where it runs', async () => {
    propose('a');
    const [card] = await stage.cards(1);
    expect(card).toMatchObject({ view: { proposal: { cwd: null } } });
    expect(JSON.stringify(card)).not.toContain('"scope":"turn"');
    await stage.decide(card?.requestId ?? '', DENY);
    expect(decisionOf(await peer.receive())).toEqual({ behavior: 'deny', message: expect.stringMatching(/\S/) });
  });

  it('keeps the first facts about a call, so that none can be told over them', async () => {
    await observe('a');
    peer.send({ v: 1, kind: 'observe', id: 'again', toolUseId: 'toolu_a', cwd: '/elsewhere' });
    await peer.receive();
    propose('a');
    const [card] = await stage.cards(1);
    expect(card).toMatchObject({ view: { proposal: { cwd: stage.workspace } } });
  });

  it('is withdrawn with the connection of who wants it', async () => {
    propose('a');
    await stage.cards(1);
    peer.socket.destroy();
    await expect.poll(() => stage.store.listUnfinished(), PATIENCE).toEqual([]);
    expect(stage.events.filter(({ granted }) => granted)).toEqual([]);
  });

  it('is refused where the run has no gate', async () => {
    await using bench = await openWorkbench();
    const other = await bench.connect();
    other.send({ v: 1, kind: 'propose', id: 'a', tool: 'Write', input: input() });
    expect(await other.receive()).toMatchObject({ kind: 'error', id: 'a', code: 'unavailable' });
  });
});
