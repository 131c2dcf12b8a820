import { describe, expect, it } from 'vitest';
import { claim, eachTest, type MakeStore, request, WAIT_MS } from './harness.ts';

export function drafts(makeStore: MakeStore): void {
  describe('drafts', () => {
    const harness = eachTest(makeStore);

    it('replace only the revision that was read', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      expect(await store.readDraft('r1')).toBeUndefined();
      expect(await store.writeDraft('r1', 'one', 0)).toBe(true);
      expect(await store.readDraft('r1')).toEqual({ revision: 1, body: 'one' });
      expect(await store.writeDraft('r1', 'another first one', 0)).toBe(false);
      expect(await store.writeDraft('r1', 'two', 1)).toBe(true);
      expect(await store.writeDraft('r1', 'late', 1)).toBe(false);
      expect(await store.readDraft('r1')).toEqual({ revision: 2, body: 'two' });
    });

    it('have one winner of any number who write at once', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      const bodies = Array.from({ length: 20 }, (_, number) => `by ${number}`);
      const written = await Promise.all(bodies.map((body) => store.writeDraft('r1', body, 0)));
      expect(written.filter(Boolean)).toHaveLength(1);
      expect((await store.readDraft('r1'))?.body).toBe(bodies[written.indexOf(true)]);
    });

    it('of one request know nothing of another', async () => {
      const { store } = harness();
      await store.open(request('r1', { sessionId: 'a' }));
      await store.open(request('r2', { sessionId: 'b' }));
      await store.writeDraft('r1', 'one', 0);
      expect(await store.readDraft('r2')).toBeUndefined();
    });

    it('are dropped when the request ends, and taken only while it is open', async () => {
      const { store } = harness();
      expect(await store.writeDraft('r1', 'too early', 0)).toBe(false);
      await store.open(request('r1'));
      await store.open(request('r2'));
      expect(await store.writeDraft('r2', 'still queued', 0)).toBe(false);
      await store.writeDraft('r1', 'one', 0);
      await store.claim('r1', claim());
      expect(await store.readDraft('r1')).toBeUndefined();
      expect(await store.writeDraft('r1', 'decided', 1)).toBe(false);
    });

    it('are not taken after the deadline', async () => {
      const { store, advance } = harness();
      await store.open(request('r1'));
      await store.writeDraft('r1', 'one', 0);
      await advance(WAIT_MS);
      expect(await store.writeDraft('r1', 'too late', 1)).toBe(false);
    });
  });
}
