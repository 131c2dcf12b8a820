import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OVERDUE_AFTER_MS } from '../../../src/core/request.ts';
import { gatewayRules, ownerRules } from '../../../src/store/redis/acl.ts';
import { mustRead, request, WAIT_MS } from '../../contracts/request-store/harness.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { KEYS, openStore, openStoreByTestClock, type StoreByTestClock } from '../../support/redis-store.ts';

const PASSWORD = ['made', 'up'].join('-');
const SET_ASIDE = 'a damaged request was taken off the lists';
const MOVES = readFileSync(
  new URL('../../../src/store/redis/scripts/includes/moves.lua', import.meta.url).pathname,
  'utf8',
);

let server: RedisServer;
let opened: StoreByTestClock;
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  opened = await openStoreByTestClock(server);
});
afterEach(() => opened.store.stop());

const setAside = (log = opened.log) =>
  log.lines.filter((line) => line.message === SET_ASIDE).map((line) => line.fields['requestId']);

/** What an owner's user may write: by itself, with no script of ours. */
async function asOwner(...commands: (readonly [string, ...(string | number)[]])[]): Promise<void> {
  await server.client.call('ACL', 'SETUSER', 'owner', 'on', `>${PASSWORD}`, ...ownerRules(KEYS));
  const other = server.client.duplicate({ username: 'owner', password: PASSWORD });
  try {
    for (const [command, ...args] of commands) await other.call(command, ...args);
  } finally {
    other.disconnect();
  }
}

/** Two that only a sweep ends: one long overdue, and one of an owner that was lost. */
async function openTwoToSweep(): Promise<void> {
  const { store } = opened;
  await store.open(request('overdue', { sessionId: 'a', ownerId: 'stuck' }));
  await store.leases.holdOwner('lost', WAIT_MS + OVERDUE_AFTER_MS);
  await opened.advance(WAIT_MS + OVERDUE_AFTER_MS);
  await store.open(request('orphan', { sessionId: 'b', ownerId: 'lost' }));
}

/** In every list, before all others, and one of the lost owner. */
function inEveryList(id: string): [string, ...(string | number)[]][] {
  return [
    ['ZADD', KEYS.due, 0, id],
    ['ZADD', KEYS.unfinished, 0, id],
    ['ZADD', KEYS.work, 0, id],
    ['SADD', KEYS.ownersRequests('lost'), id],
  ];
}

async function expectOthersSwept(): Promise<void> {
  expect(await mustRead(opened.store, 'overdue')).toMatchObject({ outcome: { kind: 'timed_out' } });
  expect(await mustRead(opened.store, 'orphan')).toMatchObject({ outcome: { kind: 'owner_lost' } });
}

const FACTS = {
  request: '{"a":1}',
  session: 's',
  owner: 'o',
  pending: '',
  wait: 1_000,
  createdAt: 1,
  shownAt: 1,
  deadline: 2,
  queueDeadline: 2,
  digest: 'd',
  offered: 'q0.o0',
};

describe('a damaged request', () => {
  const req = KEYS.request('bad', 'req');
  const but = (more: Readonly<Record<string, string | number | undefined>>) =>
    ['HSET', req, ...Object.entries({ ...FACTS, ...more }).flatMap(([k, v]) => (v === undefined ? [] : [k, v]))] as [
      string,
      ...(string | number)[],
    ];
  it.each<[string, [string, ...(string | number)[]][]]>([
    ['without a fact', [but({ pending: undefined })]],
    ['without a session', [but({ session: undefined })]],
    ['with a wait that is no number', [but({ wait: 'soon' })]],
    ['with a wait that is not finite', [but({ wait: 'inf' })]],
    ['that is shown without a deadline', [but({ deadline: undefined })]],
    ['that is something else altogether', [['SET', req, 'x']]],
    ['whose end is something else', [but({}), ['SET', KEYS.request('bad', 'close'), 'x']]],
    ['whose end lacks its facts', [but({}), ['HSET', KEYS.request('bad', 'close'), 'x', 'y']]],
  ])('%s leaves every list, is logged, and keeps no other one from its end', async (_, damage) => {
    await openTwoToSweep();
    await asOwner(...damage, ...inEveryList('bad'));
    expect((await opened.store.listUnfinished()).map((record) => record.requestId)).toEqual(['overdue', 'orphan']);
    expect(await opened.store.listWork()).toContain('overdue');
    expect([...(await opened.store.sweep())].sort()).toEqual(['orphan', 'overdue']);
    await expectOthersSwept();
    expect(setAside()).toEqual(['bad']);
    for (const list of [KEYS.due, KEYS.unfinished, KEYS.work]) expect(await server.client.zcard(list)).toBe(0);
    expect(await opened.store.read('bad')).toBeUndefined();
    expect(await opened.store.listUnfinished()).toEqual([]);
    expect(await opened.store.sweep()).toEqual([]);
    expect(setAside()).toEqual(['bad']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['something else', () => server.client.set(KEYS.request('overdue', 'verdict'), 'x')],
    ['a hash without a verdict', () => server.client.hset(KEYS.request('overdue', 'verdict'), 'x', 'y')],
  ])('with %s in the place of its verdict is spoilt: ended without an answer', async (_, damage) => {
    await openTwoToSweep();
    await damage();
    expect(await mustRead(opened.store, 'overdue')).toMatchObject({ status: 'claimed' });
    expect((await opened.store.confirm('overdue')).code).toBe('not_allowed');
    await opened.store.sweep();
    expect(await mustRead(opened.store, 'overdue')).toMatchObject({ outcome: { kind: 'indeterminate' } });
    expect(await mustRead(opened.store, 'orphan')).toMatchObject({ outcome: { kind: 'owner_lost' } });
  });
});

describe('a session or an owner whose lists hold something else', () => {
  it.each(['queue', 'shown', 'pending'] as const)('ends its request all the same (%s)', async (part) => {
    await openTwoToSweep();
    await asOwner(
      ['DEL', KEYS.session('a', part)],
      part === 'shown' ? ['RPUSH', KEYS.session('a', part), 'x'] : ['SET', KEYS.session('a', part), 'x'],
    );
    await opened.store.sweep();
    await expectOthersSwept();
    expect(setAside()).toEqual([]);
  });

  it('ends the requests of such an owner when they are due', async () => {
    await openTwoToSweep();
    await asOwner(['DEL', KEYS.ownersRequests('lost')], ['SET', KEYS.ownersRequests('lost'), 'x']);
    expect(await opened.store.sweep()).toEqual(['overdue']);
    await opened.advance(WAIT_MS + OVERDUE_AFTER_MS);
    expect(await opened.store.sweep()).toEqual(['orphan']);
  });
});

describe('a request that cannot be ended for a reason nobody foresaw', () => {
  /** Scripts in which it fails for one request only. */
  const failing = (how: string) => ({
    ...opened.sameClock.includes,
    moves: `${MOVES}
      local choice_as_it_was = choice_of
      choice_of = function(id) if id == 'bad' then ${how} end return choice_as_it_was(id) end`,
  });

  it.each([
    ['an error of Lua', 'local nothing = nil; return nothing.at'],
    ['an error of a command', `redis.call('ZADD', 'some-list', 'not a number', 'x')`],
    ['the wrong kind of value', `redis.call('INCR', request_key(id, 'req'))`],
  ])('is set aside: %s', async (_, how) => {
    await opened.store.open(request('bad', { sessionId: 'c', ownerId: 'stuck' }));
    await openTwoToSweep();
    const { store, log } = await openStore(server.url, { includes: failing(how), ownerGraceMs: 0 });
    expect([...(await store.sweep())].sort()).toEqual(['orphan', 'overdue']);
    await expectOthersSwept();
    expect(setAside(log)).toEqual(['bad']);
    store.stop();
  });

  it.each(['OOM no memory', 'MISCONF no disk', 'NOREPLICAS too few', 'NOPERM not you'])(
    'stays, and the sweep fails, when it is for the server: %s',
    async (error) => {
      await opened.store.open(request('bad', { sessionId: 'c', ownerId: 'stuck' }));
      await openTwoToSweep();
      const includes = failing(`error({ err = '${error}' })`);
      const { store, log } = await openStore(server.url, { includes, ownerGraceMs: 0 });
      await expect(store.sweep()).rejects.toThrow(error);
      expect(await server.client.zscore(KEYS.due, 'bad')).not.toBeNull();
      expect(setAside(log)).toEqual([]);
      store.stop();
    },
  );

  it('stays, and the sweep fails, when this user may not', async () => {
    await openTwoToSweep();
    // Not allowed to wake anybody: the sweep comes as far as the first end.
    const rules = [...gatewayRules(KEYS), '~test-clock', '-publish'];
    await server.client.call('ACL', 'SETUSER', 'narrow', 'on', `>${PASSWORD}`, ...rules);
    const url = server.url.replace('unix://', `unix://narrow:${PASSWORD}@`);
    const { store, log } = await openStore(url, { ...opened.sameClock, ownerGraceMs: 0 });
    await expect(store.sweep()).rejects.toThrow(/NOPERM|The user executing the script/);
    expect(await server.client.zscore(KEYS.due, 'overdue')).not.toBeNull();
    expect(setAside(log)).toEqual([]);
    store.stop();
  });
});
