import { describe, expect, it } from 'vitest';
import type { AskContext } from '../../../src/core/ports/prompter.ts';
import type { Claim } from '../../../src/core/ports/request-store.ts';
import { ChatPrompter } from '../../../src/prompt/chat-prompter.ts';
import { ANA, BEN, batchOf, question, SESSION } from '../../support/requests.ts';
import { gatewaysStoreInMemory, verify } from '../../support/verdict-keys.ts';

const BATCH = batchOf(question('Which database?', ['Postgres', 'Redis']));
const CARD = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' } as const;

async function setUp(made = gatewaysStoreInMemory(), store = made.store) {
  let ids = 0;
  const prompter = await ChatPrompter.start({
    store,
    ownerId: 'owner-1',
    session: SESSION,
    clock: made.clock,
    newId: () => `request-${++ids}`,
    log: made.log,
    verify,
    waitMs: 300_000,
    surfaces: 1,
  });
  const ask = (more: Partial<AskContext> = {}) =>
    prompter.ask(BATCH, { signal: new AbortController().signal, ...more });
  return Object.assign(made, { prompter, ask });
}

function choice(label: string, interactionId: string, actor = ANA): Claim {
  return { decision: { kind: 'answers', sheet: [{ status: 'answered', labels: [label] }] }, actor, interactionId };
}

describe('asking in chat', () => {
  it('returns the answer that was claimed, and ends the request only once its delivery is confirmed', async () => {
    const { ask, store, clock } = await setUp();
    const result = ask();
    await clock.walk(0);
    await store.claim('request-1', choice('Redis', 'click-1'));
    const { outcome, delivered } = await result;
    expect(outcome).toEqual({ kind: 'answered', sheet: [{ status: 'answered', labels: ['Redis'] }] });
    expect((await store.read('request-1'))?.status).toBe('claimed');
    await delivered();
    expect(await store.read('request-1')).toMatchObject({
      status: 'ended',
      outcome: { kind: 'answered' },
      by: 'operator',
    });
  });

  it('ends as indeterminate, never as answered, when the answer did not arrive', async () => {
    const { ask, store, clock } = await setUp();
    const result = ask();
    await clock.walk(0);
    await store.claim('request-1', choice('Redis', 'click-1'));
    await (await result).lost('the socket closed');
    expect(await store.read('request-1')).toMatchObject({ status: 'ended', outcome: { kind: 'indeterminate' } });
  });

  it('times out at the deadline, and a click after it is refused as late', async () => {
    const { ask, store, clock } = await setUp();
    const result = ask();
    await clock.walk(0);
    await store.recordCard('request-1', CARD);
    await clock.walk(300_000);
    expect((await result).outcome).toEqual({ kind: 'timed_out', shown: true, waitedMs: 300_000 });
    expect((await store.claim('request-1', choice('Redis', 'click-1'))).code).toBe('deadline_passed');
  });

  it('decides a click and the deadline in the same millisecond one way for everybody', async () => {
    const { ask, store, clock } = await setUp();
    const result = ask();
    await clock.walk(0);
    await store.recordCard('request-1', CARD);
    clock.advance(299_999);
    const [claimed] = await Promise.all([store.claim('request-1', choice('Redis', 'click-1')), clock.walk(1)]);
    expect(claimed.code).toBe('done');
    expect((await result).outcome.kind).toBe('answered');
  });

  it('gives up after 20 seconds without a card', async () => {
    const { ask, clock, store } = await setUp();
    const result = ask();
    await clock.walk(0);
    await store.recordPostFailure('request-1', {
      platform: 'slack',
      channel: 'C1',
      reason: 'Slack is down',
      permanent: false,
    });
    await clock.walk(20_000);
    expect((await result).outcome).toEqual({ kind: 'undeliverable', reason: 'Slack is down' });
  });

  it('withdraws the request when the asker is gone', async () => {
    const { ask, store, clock } = await setUp();
    const asker = new AbortController();
    const result = ask({ signal: asker.signal });
    await clock.walk(0);
    asker.abort();
    expect((await result).outcome).toEqual({ kind: 'cancelled' });
    expect((await store.claim('request-1', choice('Redis', 'click-1'))).code).toBe('stale');
  });

  it('never calls an answer delivered that came for an asker who was gone', async () => {
    const { ask, store, clock } = await setUp();
    const asker = new AbortController();
    const result = ask({ signal: asker.signal });
    await clock.walk(0);
    await store.claim('request-1', choice('Redis', 'click-1'));
    asker.abort();
    expect((await result).outcome).toEqual({ kind: 'indeterminate' });
    expect((await store.read('request-1'))?.outcome).toEqual({ kind: 'indeterminate' });
  });

  it('shows the questions of one session one after another, each with its own deadline', async () => {
    const { ask, store, clock } = await setUp();
    const first = ask();
    const second = ask();
    await clock.walk(0);
    expect((await store.read('request-2'))?.status).toBe('queued');
    clock.advance(60_000);
    await store.claim('request-1', choice('Redis', 'click-1'));
    await (await first).delivered();
    const shown = await store.read('request-2');
    expect(shown).toMatchObject({ status: 'open', shownAt: clock.now(), deadline: clock.now() + 300_000 });
    await store.claim('request-2', choice('Postgres', 'click-2'));
    expect((await second).outcome.kind).toBe('answered');
  });

  it('gives the earlier call its own outcome when the same tool call comes again', async () => {
    const { ask, clock } = await setUp();
    const first = ask({ pendingId: 'toolu_1' });
    await clock.walk(0);
    const second = ask({ pendingId: 'toolu_1' });
    expect((await first).outcome).toEqual({ kind: 'superseded' });
    expect(await Promise.race([second, clock.walk(10_000)])).toBeUndefined();
  });

  it('asks nobody when the request cannot be audited', async () => {
    const made = await setUp();
    made.auditFails = true;
    expect((await made.ask()).outcome).toEqual({ kind: 'undeliverable', reason: 'it could not be recorded' });
  });

  it('tells the agent in time when the end cannot be audited, and records it once it can be', async () => {
    const made = await setUp();
    const result = made.ask();
    await made.clock.walk(0);
    await made.store.recordCard('request-1', CARD);
    made.auditFails = true;
    await made.clock.walk(300_000);
    expect((await result).outcome).toMatchObject({ kind: 'timed_out', shown: true });
    expect((await made.store.read('request-1'))?.status).toBe('open');
    await made.clock.walk(60_000);
    made.auditFails = false;
    await made.clock.walk(2_000);
    expect(await made.store.read('request-1')).toMatchObject({ status: 'ended', outcome: { kind: 'timed_out' } });
    expect(made.clock.pending()).toEqual([]);
  });

  it.each(['delivered', 'lost'] as const)(
    'lets the next question open once the disk has room again, when %s could not be audited',
    async (fate) => {
      const made = await setUp();
      const first = made.ask();
      void made.ask();
      await made.clock.walk(0);
      await made.store.claim('request-1', choice('Redis', 'click-1'));
      const result = await first;
      made.auditFails = true;
      await result[fate]('the socket closed');
      await made.clock.walk(10_000);
      expect((await made.store.read('request-2'))?.status).toBe('queued');
      made.auditFails = false;
      await made.clock.walk(2_000);
      const outcome = { kind: fate === 'delivered' ? 'answered' : 'indeterminate' };
      expect(await made.store.read('request-1')).toMatchObject({ status: 'ended', outcome });
      expect((await made.store.read('request-2'))?.status).toBe('open');
    },
  );

  it('never ends as withdrawn a request that was answered while its withdrawal could not be audited', async () => {
    const made = await setUp();
    const asker = new AbortController();
    const result = made.ask({ signal: asker.signal });
    await made.clock.walk(0);
    made.auditFails = true;
    asker.abort();
    expect((await result).outcome).toEqual({ kind: 'cancelled' });
    made.auditFails = false;
    expect((await made.store.claim('request-1', choice('Redis', 'click-1'))).code).toBe('done');
    await made.clock.walk(2_000);
    expect((await made.store.read('request-1'))?.outcome).toEqual({ kind: 'indeterminate' });
  });

  it('gets the answer from the slow poll when the wake-up is lost', async () => {
    const made = gatewaysStoreInMemory();
    const { ask } = await setUp(made, { ...made.store, watchOwner: async () => () => undefined });
    const result = ask();
    await made.clock.walk(0);
    await made.store.claim('request-1', choice('Redis', 'click-1', BEN));
    await made.clock.walk(2_000);
    expect((await result).outcome.kind).toBe('answered');
  });

  it('waits on while the store is unreachable, and gets the answer that was recorded meanwhile', async () => {
    const made = gatewaysStoreInMemory();
    let isAway = false;
    const read = (id: string) => (isAway ? Promise.reject(new Error('ECONNREFUSED')) : made.store.read(id));
    const { ask } = await setUp(made, { ...made.store, read });
    const result = ask();
    await made.clock.walk(0);
    await made.store.recordCard('request-1', CARD);
    await made.clock.walk(2_000);
    isAway = true;
    await made.clock.walk(60_000);
    await made.store.claim('request-1', choice('Redis', 'click-1'));
    await made.clock.walk(60_000);
    isAway = false;
    await made.clock.walk(2_000);
    expect((await result).outcome.kind).toBe('answered');
  });

  it('ends at its deadline while the store is unreachable, and says afterwards that an answer did not arrive', async () => {
    const made = gatewaysStoreInMemory();
    let isAway = false;
    const reach = <T>(work: () => Promise<T>) => (isAway ? Promise.reject(new Error('ECONNREFUSED')) : work());
    const { ask } = await setUp(made, {
      ...made.store,
      read: (id) => reach(() => made.store.read(id)),
      close: (id, outcome) => reach(() => made.store.close(id, outcome)),
    });
    const result = ask();
    await made.clock.walk(0);
    await made.store.recordCard('request-1', CARD);
    await made.clock.walk(2_000);
    isAway = true;
    await made.store.claim('request-1', choice('Redis', 'click-1'));
    await made.clock.walk(298_000);
    expect((await result).outcome.kind).toBe('timed_out');
    isAway = false;
    await made.clock.walk(2_000);
    expect((await made.store.read('request-1'))?.outcome).toEqual({ kind: 'indeterminate' });
  });

  it('leaves nothing open behind a call to the store that failed after it had worked', async () => {
    const made = gatewaysStoreInMemory();
    const { ask } = await setUp(made, {
      ...made.store,
      async open(request) {
        await made.store.open(request);
        throw new Error('the reply was lost');
      },
    });
    await expect(ask()).rejects.toThrow('the reply was lost');
    expect(await made.store.read('request-1')).toMatchObject({ status: 'ended', outcome: { kind: 'undeliverable' } });
  });
});
