import { describe, expect, it } from 'vitest';
import type { RequestStore } from '../../../src/core/ports/request-store.ts';
import { type Card, type Place, type SurfaceAdapter, SurfaceError } from '../../../src/core/ports/surface-adapter.ts';
import type { CardRef } from '../../../src/core/request.ts';
import { createGateway } from '../../../src/gateway/gateway.ts';
import { storeInMemory } from '../../support/memory-store.ts';
import { ANA, batchOf, question, requestOf, SESSION } from '../../support/requests.ts';
import { sign } from '../../support/verdict-keys.ts';

const BATCH = batchOf(question('Which database?', ['Postgres', 'Redis']));
const PLACE: Place = { platform: 'slack', channel: 'C1' };

/** A chat platform that does what the test says, and remembers what it drew. */
function surface() {
  const drawn: string[] = [];
  let messages = 0;
  const made = {
    drawn,
    post: async (_: Card): Promise<CardRef> => {
      messages += 1;
      return { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: `1.${messages}`, thread: '1.0' };
    },
    findCard: async (): Promise<CardRef | undefined> => undefined,
    /** Before the session's thread is there. */
    beforeThread: async () => undefined as undefined,
    /** Before a card is drawn anew. */
    beforeUpdate: async () => undefined as undefined,
  };
  const adapter: SurfaceAdapter = {
    platform: 'slack',
    workspaceId: 'T1',
    start: async () => undefined,
    stop: async () => undefined,
    groupsOf: async () => new Set(),
    whoIs: async (actor) => actor,
    health: () => ({ connected: true, connections: 1, detail: '' }),
    checkPlace: async () => undefined,
    async openThread() {
      await made.beforeThread();
      return '1.0';
    },
    post: (_place, _thread, card) => made.post(card),
    findCard: () => made.findCard(),
    announce: async (ref) => ref,
    findThread: async () => undefined,
    async update(_, card) {
      await made.beforeUpdate();
      drawn.push(card.state.phase === 'ended' ? card.state.outcome.kind : card.state.phase);
    },
    retire: async () => undefined,
  };
  return Object.assign(made, { adapter });
}

/** `gatewayId`: one of several gateways over the store. `failing`: operations that a test lets fail. */
async function setUp(gatewayId?: string, failing: Partial<RequestStore> = {}) {
  const made = storeInMemory();
  const chat = surface();
  const gateway = createGateway({
    store: { ...made.store, ...failing },
    adapters: [chat.adapter],
    route: () => ({ places: [PLACE], operators: '*' }),
    sign,
    clock: made.clock,
    log: made.log,
    ...(gatewayId === undefined ? {} : { gatewayId }),
  });
  await gateway.start();
  const open = async (requestId: string, sessionId: string) => {
    await made.store.open(requestOf(requestId, BATCH, { session: { ...SESSION, sessionId } }));
    await made.clock.walk(0);
  };
  return Object.assign(made, { chat, gateway, open });
}

const lostReply = () => new SurfaceError('no reply', { platformCode: 'timeout', ambiguous: true });
const notAllowed = () => new SurfaceError('missing_scope', { platformCode: 'missing_scope', permanent: true });
const unavailable = () => new SurfaceError('internal_error', { platformCode: 'internal_error' });

describe('posting', () => {
  it.each([
    ['may not be looked for', notAllowed, false],
    ['cannot be looked for now', unavailable, true],
  ])('goes on with other cards when one that was lost %s', async (_, failure, keepsLooking) => {
    const { chat, open, clock, store, rows } = await setUp();
    const post = chat.post;
    let looks = 0;
    chat.findCard = async () => {
      looks += 1;
      throw failure();
    };
    chat.post = () => Promise.reject(lostReply());
    await open('r1', 'session-1');
    chat.post = post;
    await clock.walk(10_000);
    await store.close('r1', { kind: 'undeliverable', reason: 'timeout' });
    await open('r2', 'session-2');
    await clock.walk(10_000);
    expect((await store.read('r2'))?.cards).toHaveLength(1);
    const failed = rows.filter((row) => row.event === 'card_failed').length;
    const before = looks;
    await clock.walk(60_000);
    expect(looks > before).toBe(keepsLooking);
    expect(rows.filter((row) => row.event === 'card_failed')).toHaveLength(failed);
  });
});

describe('a card that a click made known', () => {
  it('gets the pointer that whoever posted it could not tell at once', async () => {
    const made: { store?: RequestStore } = {};
    let tries = 0;
    const recordCard: RequestStore['recordCard'] = async (requestId, card) => {
      tries += 1;
      if (tries > 1 && made.store !== undefined) return made.store.recordCard(requestId, card);
      // The store is away for the one, and there for the click.
      const { pointer: _, ...clicked } = card;
      await made.store?.recordCard(requestId, clicked);
      throw new Error('Redis did not carry out an operation');
    };
    const { chat, open, clock, store } = await setUp(undefined, { recordCard });
    made.store = store;
    const { post } = chat;
    chat.post = async (card) => ({ ...(await post(card)), pointer: '2.1' });
    await open('r1', 'session-1');
    await clock.walk(10_000);
    expect((await store.read('r1'))?.cards).toMatchObject([{ message: '1.1', pointer: '2.1' }]);
  });

  it('is drawn one thing after another, also when its pointer becomes known in between', async () => {
    const { chat, open, clock, store } = await setUp();
    let release = () => {};
    let begun = 0;
    chat.beforeUpdate = () => {
      begun += 1;
      return new Promise<undefined>((resolve) => {
        if (begun > 1) resolve(undefined);
        else release = () => resolve(undefined);
      });
    };
    await open('r1', 'session-1');
    const [card] = (await store.read('r1'))?.cards ?? [];
    await store.claim('r1', { decision: { kind: 'declined' }, actor: ANA, interactionId: 'click-1' });
    await clock.walk(1_000);
    expect(begun).toBe(1);
    if (card !== undefined) await store.recordCard('r1', { ...card, pointer: '2.1' });
    await store.confirm('r1');
    await clock.walk(1_000);
    expect(begun).toBe(1);
    release();
    await clock.walk(1_000);
    expect(chat.drawn[0]).toBe('recorded');
    expect(chat.drawn.slice(1)).not.toContain('recorded');
    expect(chat.drawn.at(-1)).toBe('declined');
  });
});

describe('a poll', () => {
  const fails = () => Promise.reject(new Error('Redis did not carry out an operation'));
  const wakesNobody = async () => () => undefined;

  it('looks at the list of work also while nothing can be swept', async () => {
    const { chat, open, clock, store, log } = await setUp('g1', { sweep: fails, watchRequests: wakesNobody });
    await open('r1', 'session-1');
    // A card that another gateway posted and did not live to settle.
    await store.recordCard('r1', {
      platform: 'slack',
      workspaceId: 'T1',
      channel: 'C1',
      message: '9.9',
      thread: '1.0',
    });
    await store.close('r1', { kind: 'cancelled' });
    await clock.walk(60_000);
    expect(chat.drawn).toEqual(['cancelled']);
    expect(log.lines.map((line) => line.message)).toContain(
      'requests that nobody ends could not be ended; trying again',
    );
  });

  it('sweeps also while the work cannot be listed', async () => {
    let sweeps = 0;
    const sweep = async () => {
      sweeps += 1;
      return [];
    };
    const { clock, log } = await setUp('g1', { sweep, listWork: fails });
    await clock.walk(2_000);
    expect(sweeps).toBeGreaterThan(1);
    expect(log.lines.map((line) => line.message)).toContain('the open requests could not be listed; trying again');
  });
});

describe('a post that is on its way when its request ends', () => {
  it('keeps the request on the list of work until it is known what became of it', async () => {
    const { chat, open, clock, store } = await setUp('g1');
    const post = chat.post;
    let arrive: () => void = () => undefined;
    chat.post = async (card) => {
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      return post(card);
    };
    await open('r1', 'session-1');
    await store.close('r1', { kind: 'cancelled' });
    await clock.walk(3_000);
    expect(await store.listWork()).toEqual(['r1']);
    arrive();
    await clock.walk(3_000);
    expect(chat.drawn).toEqual(['cancelled']);
    expect(await store.listWork()).toEqual([]);
  });
});

describe('a request that is withdrawn while its thread begins', () => {
  it.each(['g1', undefined])('gets no card, and none is looked for later (gateway %s)', async (gatewayId) => {
    const made = await setUp(gatewayId);
    const { chat, open, clock, store } = made;
    let begin: () => void = () => undefined;
    chat.beforeThread = () =>
      new Promise<undefined>((resolve) => {
        begin = () => resolve(undefined);
      });
    let posts = 0;
    const { post } = chat;
    chat.post = (card) => {
      posts += 1;
      return post(card);
    };
    await open('r1', 'session-1');
    await store.close('r1', { kind: 'cancelled' });
    begin();
    await clock.walk(5_000);
    expect(posts).toBe(0);
    expect(await store.listWork()).toEqual([]);
    expect(made.journal.at(-1)).toMatchObject({ kind: 'not_posted', requestId: 'r1' });
  });
});

describe('settling', () => {
  it.each(['auditFails', 'journalFails'] as const)(
    'journals the end it has drawn as soon as it can (%s), and draws it once',
    async (full) => {
      const made = await setUp();
      const { chat, open, clock, store } = made;
      await open('r1', 'session-1');
      const decision = { kind: 'answers', sheet: [{ status: 'answered', labels: ['Redis'] }] } as const;
      await store.claim('r1', { decision, actor: ANA, interactionId: 'click-1' });
      await store.confirm('r1');
      made[full] = true;
      await clock.walk(5_000);
      expect(chat.drawn).toEqual(['answered']);
      made[full] = false;
      await clock.walk(10_000);
      expect(made.journal.some((entry) => entry.kind === 'settled')).toBe(true);
      expect(made.rows.filter((row) => row.event === 'card_settled')).toHaveLength(1);
      expect(chat.drawn).toEqual(['answered']);
    },
  );
});

describe('an edit without an answer', () => {
  it('may arrive late, so that the end is drawn once more after it', async () => {
    const { chat, open, clock, store } = await setUp();
    await open('r1', 'session-1');
    const decision = { kind: 'answers', sheet: [{ status: 'answered', labels: ['Redis'] }] } as const;
    await store.claim('r1', { decision, actor: ANA, interactionId: 'click-1' });
    chat.beforeUpdate = () => Promise.reject(lostReply());
    await clock.walk(450);
    chat.beforeUpdate = async () => undefined;
    await store.confirm('r1');
    await clock.walk(5_000);
    expect(chat.drawn).toEqual(['answered']);
    await clock.walk(60_000);
    expect(chat.drawn).toEqual(['answered', 'answered']);
  });
});

describe('stopping', () => {
  it('polls no more, also when a poll was under way', async () => {
    const { gateway, clock } = await setUp();
    clock.advance(1_000);
    await gateway.stop(0);
    await clock.walk(0);
    expect(clock.pending()).toEqual([]);
  });
});
