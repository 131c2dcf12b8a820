import { describe, expect, it } from 'vitest';
import { MOST_REMEMBERED } from '../../../src/prompt/joined-asks.ts';
import { COME_BACK_MS } from '../../../src/prompt/shared-result.ts';
import { gatewaysStoreInMemory } from '../../support/verdict-keys.ts';
import { BATCH, CARD, choice, ends, OTHER, setUpJoined } from './joined-desk.ts';

describe('calls that ask the same', () => {
  it.each([
    ['the same tool-use id', 'toolu_1', 'toolu_1'],
    ['two tool-use ids', 'toolu_1', 'toolu_2'],
    ['no ids', undefined, undefined],
    ['an id and none', undefined, 'toolu_2'],
  ])('with %s are one request, and its answer goes to each', async (_, first, second) => {
    const { call, clock, pick, requests, events, outcomeOf } = await setUpJoined();
    const calls = [call(first), call(second)];
    await clock.walk(0);
    await pick('request-1');
    const results = await Promise.all(calls.map(({ result }) => result));
    for (const { outcome } of results) expect(outcome).toMatchObject({ sheet: [{ labels: ['Redis'] }] });
    expect(await outcomeOf('request-1')).toBeUndefined();
    await results[1]?.delivered();
    expect(await outcomeOf('request-1')).toBe('answered');
    await results[0]?.lost('the socket closed');
    expect(calls.map(({ accepted }) => accepted)).toEqual([['request-1'], ['request-1']]);
    expect(requests()).toBe(1);
    expect(ends(events)).toEqual(['answered']);
    expect(await outcomeOf('request-1')).toBe('answered');
  });

  it('have one delivery recorded, though each of them has the answer', async () => {
    const { call, clock, pick, rows, events, log } = await setUpJoined();
    const calls = [call('toolu_1'), call('toolu_2'), call('toolu_3')];
    await clock.walk(0);
    await pick('request-1');
    for (const { result } of calls) await (await result).delivered();
    expect(rows.filter(({ event }) => event === 'delivered')).toHaveLength(1);
    expect(ends(events)).toEqual(['answered']);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('are known by content, not by the order in which an object holds it', async () => {
    const { call, clock, requests } = await setUpJoined();
    const reordered = BATCH.questions.map(({ question, header, options, multiSelect }) => {
      return { multiSelect, options, header, question };
    });
    call('toolu_1');
    call('toolu_2', { questions: reordered });
    await clock.walk(0);
    expect(requests()).toBe(1);
  });

  it('tell the id of the request to whoever joins later, too', async () => {
    const { call, clock } = await setUpJoined();
    call('toolu_1');
    await clock.walk(1_000);
    const { accepted } = call('toolu_2');
    expect(accepted).toEqual(['request-1']);
  });

  it('are withdrawn when the last of them is, and not before', async () => {
    const { call, clock, store, events, outcomeOf } = await setUpJoined();
    const [first, second] = [call('toolu_1'), call('toolu_1')];
    await clock.walk(0);
    first.withdraw();
    expect((await first.result).outcome.kind).toBe('cancelled');
    await clock.walk(COME_BACK_MS + 1);
    expect((await store.read('request-1'))?.status).toBe('open');
    second.withdraw();
    const { outcome, lost } = await second.result;
    expect(outcome.kind).toBe('cancelled');
    expect(await outcomeOf('request-1')).toBe('cancelled');
    await lost('the agent withdrew the call');
    expect(ends(events)).toEqual(['cancelled']);
  });

  it('leave an answer to the others when one withdrew between the click and its delivery', async () => {
    const { call, clock, pick, outcomeOf, events } = await setUpJoined();
    const [first, second] = [call('toolu_1'), call('toolu_2')];
    await clock.walk(0);
    await pick('request-1');
    const [one, two] = await Promise.all([first.result, second.result]);
    await one.lost('the agent withdrew the call');
    expect(await outcomeOf('request-1')).toBeUndefined();
    await two.delivered();
    expect(await outcomeOf('request-1')).toBe('answered');
    expect(ends(events)).toEqual(['answered']);
  });

  it('all time out with their one request, and the next one is a new card', async () => {
    const { call, clock, store, requests, events } = await setUpJoined();
    const calls = [call('toolu_1'), call('toolu_1')];
    await clock.walk(0);
    await store.recordCard('request-1', CARD);
    await clock.walk(300_000);
    for (const { result } of calls) {
      const { outcome, delivered } = await result;
      expect(outcome.kind).toBe('timed_out');
      await delivered();
    }
    call('toolu_1');
    await clock.walk(0);
    expect(requests()).toBe(2);
    expect(ends(events)).toEqual(['timed_out']);
  });

  it('are all told when asking fails, and asking again asks anew', async () => {
    const made = gatewaysStoreInMemory();
    let fails = true;
    const open: typeof made.store.open = (request) =>
      fails ? Promise.reject(new Error('ECONNREFUSED')) : made.store.open(request);
    const { call, clock, requests } = await setUpJoined({ ...made, store: { ...made.store, open } });
    const calls = [call('toolu_1'), call('toolu_2')];
    for (const { result } of calls) await expect(result).rejects.toThrow('ECONNREFUSED');
    fails = false;
    const { accepted } = call('toolu_1');
    await clock.walk(0);
    expect([requests(), accepted]).toEqual([2, ['request-2']]);
  });
});

describe('a call that was cut off', () => {
  it('finds its question still open when it comes back in time, by its id or by its content', async () => {
    for (const again of ['toolu_1', 'toolu_2']) {
      const { call, clock, pick, requests, events } = await setUpJoined();
      const first = call('toolu_1');
      await clock.walk(0);
      first.cutOff();
      expect((await first.result).outcome.kind).toBe('cancelled');
      await clock.walk(COME_BACK_MS - 1);
      const second = call(again);
      await clock.walk(COME_BACK_MS);
      await pick('request-1');
      const { outcome, delivered } = await second.result;
      await delivered();
      expect(outcome.kind).toBe('answered');
      expect(requests()).toBe(1);
      expect(ends(events)).toEqual(['answered']);
    }
  });

  it('is withdrawn when it does not come back', async () => {
    const { call, clock, outcomeOf, events } = await setUpJoined();
    const { cutOff } = call('toolu_1');
    await clock.walk(0);
    cutOff();
    await clock.walk(COME_BACK_MS);
    expect(await outcomeOf('request-1')).toBe('cancelled');
    expect(ends(events)).toEqual(['cancelled']);
  });

  it('gets the answer that came meanwhile; another call of the same content gets a card of its own', async () => {
    const { call, clock, pick, requests, outcomeOf } = await setUpJoined();
    const first = call('toolu_1');
    await clock.walk(0);
    first.cutOff();
    await pick('request-1');
    await clock.walk(0);
    call('toolu_2');
    await clock.walk(0);
    expect(requests()).toBe(2);
    const { outcome, delivered } = await call('toolu_1').result;
    expect(outcome).toMatchObject({ kind: 'answered', sheet: [{ labels: ['Redis'] }] });
    await delivered();
    expect(await outcomeOf('request-1')).toBe('answered');
  });

  it('ends as indeterminate when an answer came and nobody came for it', async () => {
    const { call, clock, pick, outcomeOf, events } = await setUpJoined();
    const first = call('toolu_1');
    await clock.walk(0);
    first.cutOff();
    await pick('request-1');
    await clock.walk(2 * COME_BACK_MS);
    expect(await outcomeOf('request-1')).toBe('indeterminate');
    expect(ends(events)).toEqual(['indeterminate']);
  });

  it('is waited for no longer than the run lasts', async () => {
    const { call, clock, joined, outcomeOf, events, pick } = await setUpJoined();
    const [open, answered] = [call('toolu_1'), call('toolu_2', OTHER)];
    await clock.walk(0);
    await pick('request-1');
    await (await open.result).lost('the socket closed');
    await clock.walk(0);
    answered.cutOff();
    await joined.stop();
    expect(await outcomeOf('request-1')).toBe('indeterminate');
    expect(await outcomeOf('request-2')).toBe('cancelled');
    expect(ends(events)).toEqual(['indeterminate', 'cancelled']);
    expect(clock.pending()).toEqual([]);
  });
});

describe('a recorded answer', () => {
  it.each(['delivered', 'lost'] as const)('is given again to the same call after it was %s', async (fate) => {
    const { call, clock, pick, requests, events } = await setUpJoined();
    const first = call('toolu_1');
    await clock.walk(0);
    await pick('request-1');
    await (await first.result)[fate]('the socket closed');
    await clock.walk(3_600_000);
    const { outcome, delivered } = await call('toolu_1').result;
    await delivered();
    expect(outcome).toMatchObject({ kind: 'answered', sheet: [{ labels: ['Redis'] }] });
    expect(requests()).toBe(1);
    expect(ends(events)).toEqual([fate === 'delivered' ? 'answered' : 'indeterminate']);
  });

  it('counts as delivered when the call that lost it comes back for it in time', async () => {
    const { call, clock, pick, outcomeOf, events } = await setUpJoined();
    const first = call('toolu_1');
    await clock.walk(0);
    await pick('request-1');
    await (await first.result).lost('the socket closed');
    await clock.walk(COME_BACK_MS - 1);
    expect(await outcomeOf('request-1')).toBeUndefined();
    await (await call('toolu_1').result).delivered();
    expect(await outcomeOf('request-1')).toBe('answered');
    expect(ends(events)).toEqual(['answered']);
  });

  it('is a decision to leave it to the agent, too', async () => {
    const { call, clock, store, requests } = await setUpJoined();
    const first = call('toolu_1');
    await clock.walk(0);
    await store.claim('request-1', { ...choice('Redis'), decision: { kind: 'declined' } });
    await (await first.result).delivered();
    expect((await call('toolu_1').result).outcome.kind).toBe('declined');
    expect(requests()).toBe(1);
  });

  it.each([
    ['another tool call', 'toolu_2', BATCH],
    ['a call without an id', undefined, BATCH],
    ['the same id with other content', 'toolu_1', OTHER],
  ])('is not given to %s: it is asked anew', async (_, pendingId, batch) => {
    const { call, clock, pick, requests } = await setUpJoined();
    const first = call('toolu_1');
    await clock.walk(0);
    await pick('request-1');
    await (await first.result).delivered();
    call(pendingId, batch);
    await clock.walk(0);
    expect(requests()).toBe(2);
  });

  it('is forgotten for the sake of many newer ones', async () => {
    const { call, clock, pick, requests } = await setUpJoined();
    for (let n = 1; n <= MOST_REMEMBERED + 1; n += 1) {
      const { result } = call(`toolu_${n}`);
      await clock.walk(0);
      await pick(`request-${n}`);
      await (await result).delivered();
    }
    await call('toolu_2').result;
    expect(requests()).toBe(MOST_REMEMBERED + 1);
    call('toolu_1');
    await clock.walk(0);
    expect(requests()).toBe(MOST_REMEMBERED + 2);
  });
});

describe('a tool-use id that comes with other content', () => {
  it('replaces its open question, which its earlier calls are told', async () => {
    const { call, clock, outcomeOf, store } = await setUpJoined();
    const calls = [call('toolu_1'), call('toolu_1')];
    await clock.walk(0);
    call('toolu_1', OTHER);
    for (const { result } of calls) expect((await result).outcome.kind).toBe('superseded');
    await clock.walk(0);
    expect(await outcomeOf('request-1')).toBe('superseded');
    expect((await store.read('request-2'))?.status).toBe('open');
  });

  it('takes nothing from another call that waits for the same question', async () => {
    const { call, clock, pick, outcomeOf } = await setUpJoined();
    const [first, second] = [call('toolu_1'), call('toolu_2')];
    await clock.walk(0);
    const third = call('toolu_1', OTHER);
    expect((await first.result).outcome.kind).toBe('superseded');
    await clock.walk(0);
    expect(await outcomeOf('request-1')).toBe('superseded');
    await pick('request-2', 'SQLite');
    await (await third.result).delivered();
    await pick('request-3', 'Redis');
    expect((await second.result).outcome).toMatchObject({ sheet: [{ labels: ['Redis'] }] });
    expect(second.accepted).toEqual(['request-1', 'request-3']);
  });

  it('lets go of a question that it only joined', async () => {
    const { call, clock, store, outcomeOf } = await setUpJoined();
    const [first, second] = [call('toolu_1'), call('toolu_2')];
    await clock.walk(0);
    call('toolu_2', OTHER);
    expect((await second.result).outcome.kind).toBe('superseded');
    expect((await store.read('request-1'))?.status).toBe('open');
    first.withdraw();
    await clock.walk(0);
    expect(await outcomeOf('request-1')).toBe('cancelled');
  });
});
