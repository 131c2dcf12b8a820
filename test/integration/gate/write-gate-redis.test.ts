import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newRandomId } from '../../../src/core/ids.ts';
import type { CallFacts, GateEvent, ToolCall } from '../../../src/core/ports/gate.ts';
import type { Decision, RequestRecord } from '../../../src/core/request.ts';
import { WriteGate } from '../../../src/gate/gate.ts';
import { createVouch } from '../../../src/gate/grants/vouch.ts';
import { DEFAULT_GATE } from '../../../src/gate/settings.ts';
import { createToolClassifier } from '../../../src/gate/tool-effects.ts';
import { ChatPrompter } from '../../../src/prompt/chat-prompter.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { KEYS, openStore } from '../../support/redis-store.ts';
import { ANA, SESSION } from '../../support/requests.ts';
import { claimSigned, verify } from '../../support/verdict-keys.ts';
import { arrived, bash, DENY, grant, proposalIn, writing } from '../../support/write-gate.ts';

const server = await startRedisServer();
afterAll(() => server.stop());

const PATIENCE = { timeout: 20_000, interval: 10 };

let workspace: string;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  await server.client.flushall();
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'hr-gate-')));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(workspace, { recursive: true, force: true });
});

/** One process with a gate of its own, over the same Redis as the others. */
async function anOwner(
  options: {
    readonly workspace?: string;
    readonly url?: string;
    readonly commandMs?: number;
    /** Between the verdict and what is done by it. */
    readonly onVerdict?: () => Promise<void>;
  } = {},
) {
  const { url = server.url, commandMs = 1_000, onVerdict = async () => undefined } = options;
  const here = options.workspace ?? workspace;
  const { store, log } = await openStore(url, { commandMs });
  const ownerId = newRandomId();
  const prompter = await ChatPrompter.start({
    store,
    ownerId,
    session: { ...SESSION, workspace: here },
    clock: store.clock,
    newId: newRandomId,
    log,
    verify,
    waitMs: 300_000,
    grants: { waitMs: 300_000 },
    surfaces: 1,
  });
  const events: GateEvent[] = [];
  const gate = new WriteGate({
    prompter: {
      async propose(proposal, context) {
        const result = await prompter.propose(proposal, context);
        await onVerdict();
        return result;
      },
    },
    grants: store.grants,
    vouch: createVouch(store, verify),
    classify: createToolClassifier(DEFAULT_GATE, here),
    settings: DEFAULT_GATE,
    workspace: here,
    ownerId,
    outlived: true,
    clock: store.clock,
    newId: newRandomId,
    events: { emit: (event) => events.push(event) },
    log,
  });
  closing.push(async () => {
    prompter.stop();
    store.stop();
  });
  const check = (call: ToolCall, facts: Partial<CallFacts> = {}) =>
    gate.check(
      call,
      { cwd: here, sessionId: 'session-1', turnId: 'turn-1', ...facts },
      { signal: new AbortController().signal },
    );
  const cards = async (count: number): Promise<readonly RequestRecord[]> => {
    const open = async () => (await store.listUnfinished()).filter(({ status }) => status === 'open');
    await expect.poll(async () => (await open()).length, PATIENCE).toBe(count);
    const found = await open();
    for (const { requestId } of found) {
      const card = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: requestId, thread: '1.0' } as const;
      await store.recordCard(requestId, card);
    }
    return found;
  };
  const decide = async (record: RequestRecord | undefined, decision: Decision) => {
    const requestId = record?.requestId ?? 'none';
    const { code } = await claimSigned(store, requestId, { decision, actor: ANA, interactionId: `on ${requestId}` });
    expect(code).toBe('done');
  };
  const decided = async (call: ToolCall, decision: Decision, facts: Partial<CallFacts> = {}) => {
    const checking = check(call, facts);
    await decide((await cards(1))[0], decision);
    return arrived(checking);
  };
  return { store, gate, events, check, cards, decide, decided };
}

describe('the write gate over Redis', () => {
  it('lets a later process of the same session in the same workspace run by a grant for the session', async () => {
    const first = await anOwner();
    await first.decided(writing('a.txt'), grant('session'));
    await first.decided(bash('npm test'), grant('session'));
    await first.decided(writing('.claude/settings.json'), grant('action'));
    await first.gate.stop();

    const second = await anOwner();
    for (const call of [writing('b.txt'), bash('npm test', { description: 'Again' })]) {
      expect((await arrived(second.check(call, { turnId: 'turn-9' }))).behavior).toBe('allow');
    }
    expect(second.events).toMatchObject([
      { by: 'active_scope', scope: 'session', granted: true },
      { by: 'active_scope', scope: 'session', granted: true },
    ]);
    const another = second.check(bash('npm test -- --watch'));
    await second.decide((await second.cards(1))[0], DENY);
    expect((await arrived(another)).behavior).toBe('deny');
  });

  it('ends a session’s grant when it goes on in another workspace', async () => {
    const first = await anOwner();
    await first.decided(writing('a.txt'), grant('session'));
    const elsewhere = await anOwner({ workspace: realpathSync(tmpdir()) });
    const checking = elsewhere.check(writing('hr-b.txt'));
    await elsewhere.decide((await elsewhere.cards(1))[0], DENY);
    expect((await arrived(checking)).behavior).toBe('deny');
    expect(await first.store.grants.listActive()).toEqual([]);
  });

  it('does not believe a stored grant that no gateway signed, or that says more than was signed', async () => {
    const first = await anOwner();
    await first.decided(bash('npm test'), grant('session'));
    await first.decided(bash('make all'), grant('action'));
    const [given] = await first.store.grants.listActive();
    if (given === undefined) throw new Error('nothing was granted');
    const { grantedAt: _, uses: __, usedBy: ___, ...signed } = given;
    const wide = { ...signed, covers: 'workspace-writes' } as const;
    // As somebody with the Redis user of runs could.
    await server.client.hset(KEYS.request(given.requestId, 'grant'), 'grant', JSON.stringify(wide));
    const record = (await first.store.read(given.requestId)) as RequestRecord;
    for (const forged of [
      { ...wide, requestId: 'made up' },
      { ...wide, requestId: newRandomId(), ownerId: given.ownerId, scope: 'turn' as const },
    ]) {
      await first.store.grants.grant(forged);
    }
    expect(record.verdict?.signature).toBeDefined();
    for (const owner of [first, await anOwner()]) {
      const checking = owner.check(writing('a.txt'));
      await owner.decide((await owner.cards(1))[0], DENY);
      expect((await arrived(checking)).behavior).toBe('deny');
      await owner.gate.turnEnded('turn-1');
    }
    // What was given here is still as good as it was.
    expect((await arrived(first.check(bash('npm test'), { turnId: 'turn-2' }))).behavior).toBe('allow');
  });

  it('keeps a turn’s grant to the process it was given to, and ends it with that', async () => {
    const first = await anOwner();
    await first.decided(writing('a.txt'), grant('turn'));
    const second = await anOwner();
    const checking = second.check(writing('a.txt'));
    await second.decide((await second.cards(1))[0], DENY);
    expect((await arrived(checking)).behavior).toBe('deny');
    await first.gate.stop();
    expect(await first.store.grants.listActive()).toEqual([]);
  });

  it('answers another open proposal of the session, and its record says by which', async () => {
    const { check, cards, decide, store } = await anOwner();
    const [first, other] = [check(writing('a.txt')), check(writing('b.txt'))];
    const open = await cards(2);
    const on = (name: string) => open.find((card) => proposalIn(card).targets[0]?.path.endsWith(name));
    await decide(on('a.txt'), grant('turn'));
    expect((await arrived(first)).behavior).toBe('allow');
    expect((await arrived(other)).behavior).toBe('allow');
    expect((await store.read(on('b.txt')?.requestId ?? ''))?.outcome).toEqual({
      kind: 'cancelled',
      coveredBy: on('a.txt')?.requestId,
    });
  });

  it('denies, and says that it is no refusal, when Redis goes away between the click and the grant', async () => {
    const away = await startRedisServer();
    closing.push(() => away.stop());
    const { check, cards, decide, events } = await anOwner({
      url: away.url,
      commandMs: 200,
      onVerdict: () => away.kill(),
    });
    const checking = check(writing('a.txt'));
    await decide((await cards(1))[0], grant('turn'));
    const denied = { behavior: 'deny', kind: 'not_recorded', message: expect.stringContaining('not a refusal') };
    expect(await arrived(checking)).toMatchObject(denied);
    // And from the start, when it is away.
    expect(await arrived(check(writing('b.txt')))).toMatchObject(denied);
    expect(events.map(({ granted, by }) => [granted, by])).toEqual([
      [false, 'system'],
      [false, 'system'],
    ]);
  });
});
