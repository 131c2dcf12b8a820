import { describe, expect, it } from 'vitest';
import { questionView } from '../../../src/prompt/card-view.ts';
import { question, SESSION } from '../../support/requests.ts';
import { choose, claim, eachTest, type MakeStore, mustRead, recordIn, request, WAIT_MS } from './harness.ts';

export function queue(makeStore: MakeStore): void {
  describe('opening and the session queue', () => {
    const harness = eachTest(makeStore);

    it('opens the first request of a session, with its deadline counted from now', async () => {
      const { store, now } = harness();
      const handedOver = request('r1');
      expect(await store.open(handedOver)).toEqual({
        code: 'done',
        record: {
          ...handedOver,
          status: 'open',
          createdAt: now(),
          queueDeadline: now() + 3 * WAIT_MS,
          shownAt: now(),
          deadline: now() + WAIT_MS,
          cards: [],
          postFailures: [],
        },
      });
    });

    it('gives back every fact that may be absent, as it was handed over', async () => {
      const { store } = harness();
      const full = request('r1', {
        pendingId: 'tool-1',
        session: { ...SESSION, program: 'node review.mjs', branch: 'main' },
        batch: {
          questions: [
            question('Which?', [], {
              options: [
                { label: 'A', description: 'a', preview: 'let a' },
                { label: 'B', description: '' },
              ],
            }),
          ],
          metadata: { source: 'a plan' },
        },
      });
      const handedOver = { ...full, view: questionView('r1', full.session, full.batch) };
      await store.open(handedOver);
      expect(await mustRead(store, 'r1')).toMatchObject(handedOver);
    });

    it('queues the next ones of the session without a deadline, and opens them one by one, in order', async () => {
      const { store, now, advance } = harness();
      await store.open(request('r1'));
      const second = recordIn(await store.open(request('r2')));
      expect(second.status).toBe('queued');
      expect(second.deadline).toBeUndefined();
      await store.open(request('r3'));
      await advance(60_000);

      await store.claim('r1', claim());
      expect((await mustRead(store, 'r2')).status).toBe('queued');
      await store.confirm('r1');
      expect(await mustRead(store, 'r2')).toMatchObject({ status: 'open', shownAt: now(), deadline: now() + WAIT_MS });
      expect((await mustRead(store, 'r3')).status).toBe('queued');

      await store.close('r2', { kind: 'cancelled' });
      expect((await mustRead(store, 'r3')).status).toBe('open');
    });

    it('opens requests of different sessions side by side', async () => {
      const { store } = harness();
      expect(recordIn(await store.open(request('r1', { sessionId: 'a' }))).status).toBe('open');
      expect(recordIn(await store.open(request('r2', { sessionId: 'b' }))).status).toBe('open');
    });

    it('lets a queued request end in its place, and opens the one behind it afterwards', async () => {
      const { store } = harness();
      for (const id of ['r1', 'r2', 'r3']) await store.open(request(id));
      await store.close('r2', { kind: 'cancelled' });
      expect((await mustRead(store, 'r3')).status).toBe('queued');
      await store.close('r1', { kind: 'cancelled' });
      expect((await mustRead(store, 'r2')).status).toBe('ended');
      expect((await mustRead(store, 'r3')).status).toBe('open');
    });

    it('passes by a queued request whose time in the queue is over, so that no card flashes up', async () => {
      const { store, advance } = harness();
      await store.open(request('r1', { waitMs: 10 * WAIT_MS }));
      await store.open(request('r2'));
      await advance(WAIT_MS);
      await store.open(request('r3'));
      await advance(2 * WAIT_MS);
      await store.close('r1', { kind: 'cancelled' });
      expect((await mustRead(store, 'r2')).status).toBe('queued');
      expect((await mustRead(store, 'r3')).status).toBe('open');
      const ended = await store.close('r2', { kind: 'timed_out', shown: false, waitedMs: 3 * WAIT_MS });
      expect(recordIn(ended)).toMatchObject({ status: 'ended', outcome: { shown: false }, by: 'timeout' });
      expect(recordIn(ended).shownAt).toBeUndefined();
    });

    it('has one request open in a session when many are opened at once', async () => {
      const { store } = harness();
      await Promise.all(Array.from({ length: 50 }, (_, index) => store.open(request(`r${index}`))));
      const unfinished = await store.listUnfinished();
      expect(unfinished).toHaveLength(50);
      expect(unfinished.filter((record) => record.status === 'open')).toHaveLength(1);
    });

    it('refuses to open an id twice, also after it has ended, and keeps the first', async () => {
      const { store } = harness();
      const first = recordIn(await store.open(request('r1')));
      expect(await store.open(request('r1', { sessionId: 'other' }))).toEqual({ code: 'not_allowed', record: first });
      await store.close('r1', { kind: 'cancelled' });
      expect((await store.open(request('r1'))).code).toBe('not_allowed');
      expect((await mustRead(store, 'r1')).status).toBe('ended');
    });

    it('lists what has not ended by creation, then by id', async () => {
      const { store, advance } = harness();
      await store.open(request('b', { sessionId: '1' }));
      await store.open(request('a', { sessionId: '2' }));
      await advance(1);
      await store.open(request('0', { sessionId: '3' }));
      await store.open(request('z', { sessionId: '4' }));
      await store.claim('a', claim());
      await store.close('z', { kind: 'cancelled' });
      expect((await store.listUnfinished()).map((record) => record.requestId)).toEqual(['a', 'b', '0']);
    });
  });

  describe('generations', () => {
    const harness = eachTest(makeStore);

    it('ends the request that carries the same pending id as superseded, and opens the new one', async () => {
      const { store, now } = harness();
      await store.open(request('r1', { pendingId: 'tool-1' }));
      const second = recordIn(await store.open(request('r2', { pendingId: 'tool-1' })));
      expect(second.status).toBe('open');
      expect(await mustRead(store, 'r1')).toMatchObject({
        status: 'ended',
        outcome: { kind: 'superseded' },
        by: 'agent',
        endedAt: now(),
      });
    });

    it('takes a click on the old generation as stale and leaves the new one alone', async () => {
      const { store } = harness();
      await store.open(request('r1', { pendingId: 'tool-1' }));
      await store.open(request('r2', { pendingId: 'tool-1' }));
      expect((await store.claim('r1', claim())).code).toBe('stale');
      expect((await mustRead(store, 'r2')).status).toBe('open');
      expect((await store.claim('r2', claim())).code).toBe('done');
    });

    it('supersedes a queued request, too, and puts the new one at the end of the queue', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.open(request('r2', { pendingId: 'tool-2' }));
      await store.open(request('r3'));
      expect(recordIn(await store.open(request('r4', { pendingId: 'tool-2' }))).status).toBe('queued');
      expect((await mustRead(store, 'r2')).outcome).toEqual({ kind: 'superseded' });
      await store.close('r1', { kind: 'cancelled' });
      expect((await mustRead(store, 'r3')).status).toBe('open');
      expect((await mustRead(store, 'r4')).status).toBe('queued');
    });

    it('opens the next of the queue when its head is superseded', async () => {
      const { store } = harness();
      await store.open(request('r1', { pendingId: 'tool-1' }));
      await store.open(request('r2'));
      await store.open(request('r3', { pendingId: 'tool-1' }));
      expect((await mustRead(store, 'r2')).status).toBe('open');
      expect((await mustRead(store, 'r3')).status).toBe('queued');
    });

    it('does not throw away an answer that is on its way: the newer request queues behind it', async () => {
      const { store } = harness();
      await store.open(request('r1', { pendingId: 'tool-1' }));
      await store.claim('r1', claim(choose('SQLite')));
      expect(recordIn(await store.open(request('r2', { pendingId: 'tool-1' }))).status).toBe('queued');
      expect(recordIn(await store.confirm('r1')).outcome?.kind).toBe('answered');
      expect((await mustRead(store, 'r2')).status).toBe('open');
    });

    it('leaves requests of other sessions, without a pending id, or already ended as they are', async () => {
      const { store } = harness();
      await store.open(request('r1', { pendingId: 'tool-1', sessionId: 'a' }));
      await store.open(request('r2', { pendingId: 'tool-1', sessionId: 'b' }));
      await store.open(request('r3', { sessionId: 'c' }));
      await store.open(request('r4', { sessionId: 'd' }));
      await store.close('r2', { kind: 'timed_out', shown: true, waitedMs: WAIT_MS });
      await store.open(request('r5', { pendingId: 'tool-1', sessionId: 'b' }));
      for (const id of ['r1', 'r3', 'r4', 'r5']) expect((await mustRead(store, id)).status).toBe('open');
      expect((await mustRead(store, 'r2')).outcome?.kind).toBe('timed_out');
    });
  });
}
