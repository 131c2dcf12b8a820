import { describe, expect, it } from 'vitest';
import type { CardRef, Status } from '../../../src/core/request.ts';
import { claim, eachTest, type MakeStore, mustRead, request } from './harness.ts';

const CARD: CardRef = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' };

/** Keeps the ids it was woken with, and lets a test await one. */
class Sleeper {
  readonly seen: string[] = [];
  #check: () => void = () => undefined;

  readonly wake = (requestId: string): void => {
    this.seen.push(requestId);
    this.#check();
  };

  /** Resolves once the condition holds for what was seen since it was last emptied. */
  until(condition: (seen: readonly string[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#check = () => {
        if (condition(this.seen)) resolve();
      };
      this.#check();
    });
  }

  async take(requestId: string): Promise<readonly string[]> {
    await this.until((seen) => seen.includes(requestId));
    return this.seen.splice(0);
  }
}

export function wakeUps(makeStore: MakeStore): void {
  describe('wake-ups', () => {
    const harness = eachTest(makeStore);

    it('reach an owner for every change of its requests, when the change can be read', async () => {
      const { store } = harness();
      const statuses: Promise<Status>[] = [];
      const sleeper = new Sleeper();
      await store.watchOwner('owner-1', (id) => {
        statuses.push(mustRead(store, id).then((record) => record.status));
        sleeper.wake(id);
      });
      await store.open(request('r1'));
      await sleeper.take('r1');
      await store.recordCard('r1', CARD);
      await sleeper.take('r1');
      await store.claim('r1', claim());
      await sleeper.take('r1');
      await store.confirm('r1');
      await sleeper.take('r1');
      expect(await Promise.all(statuses)).toEqual(['open', 'open', 'claimed', 'ended']);
    });

    it('reach an owner whose queued request opened because another one ended', async () => {
      const { store } = harness();
      await store.open(request('r1', { ownerId: 'owner-1' }));
      await store.open(request('r2', { ownerId: 'owner-2' }));
      const sleeper = new Sleeper();
      await store.watchOwner('owner-2', sleeper.wake);
      await store.close('r1', { kind: 'cancelled' });
      expect(await sleeper.take('r2')).toEqual(['r2']);
    });

    it('reach an owner whose request was superseded', async () => {
      const { store } = harness();
      await store.open(request('r1', { ownerId: 'owner-1', pendingId: 'tool-1' }));
      const sleeper = new Sleeper();
      await store.watchOwner('owner-1', sleeper.wake);
      await store.open(request('r2', { ownerId: 'owner-2', pendingId: 'tool-1' }));
      expect(await sleeper.take('r1')).toEqual(['r1']);
    });

    it('do not reach other owners', async () => {
      const { store } = harness();
      const sleeper = new Sleeper();
      await store.watchOwner('owner-1', sleeper.wake);
      await store.open(request('r1', { ownerId: 'owner-2', sessionId: 'a' }));
      await store.open(request('r2', { ownerId: 'owner-1', sessionId: 'b' }));
      expect(await sleeper.take('r2')).toEqual(['r2']);
    });

    it('reach gateways for every request that opened, was claimed or ended, not for a queued one', async () => {
      const { store } = harness();
      const sleeper = new Sleeper();
      await store.watchRequests(sleeper.wake);
      await store.open(request('r1'));
      expect(await sleeper.take('r1')).toEqual(['r1']);
      await store.open(request('r2'));
      await store.claim('r1', claim());
      expect(await sleeper.take('r1')).toEqual(['r1']);
      await store.confirm('r1');
      await sleeper.until((seen) => seen.includes('r1') && seen.includes('r2'));
      expect(sleeper.seen.toSorted()).toEqual(['r1', 'r2']);
    });

    it('stop when the subscription ends, which may be ended twice', async () => {
      const { store } = harness();
      const [gone, stays] = [new Sleeper(), new Sleeper()];
      const unsubscribe = await store.watchRequests(gone.wake);
      await store.watchRequests(stays.wake);
      unsubscribe();
      unsubscribe();
      await store.open(request('r1'));
      await stays.take('r1');
      expect(gone.seen).toEqual([]);
    });

    it('do not come for what was refused', async () => {
      const { store, breakAudit, mendAudit } = harness();
      await store.open(request('r1', { sessionId: 'a' }));
      const sleeper = new Sleeper();
      await store.watchOwner('owner-1', sleeper.wake);
      await breakAudit();
      await store.claim('r1', claim());
      await mendAudit();
      await store.confirm('r1');
      await store.open(request('r2', { sessionId: 'b' }));
      expect(await sleeper.take('r2')).toEqual(['r2']);
    });

    it('go on after a listener threw: the operation and the other listeners do not notice', async () => {
      const { store } = harness();
      const sleeper = new Sleeper();
      await store.watchRequests(() => {
        throw new Error('a defect of the listener');
      });
      await store.watchRequests(sleeper.wake);
      expect((await store.open(request('r1'))).code).toBe('done');
      await sleeper.take('r1');
      expect((await store.claim('r1', claim())).code).toBe('done');
      await sleeper.take('r1');
    });

    it('come after the call that caused them has made its change, never in the middle of it', async () => {
      const { store } = harness();
      const sleeper = new Sleeper();
      await store.watchRequests(sleeper.wake);
      const opening = store.open(request('r1'));
      expect(sleeper.seen).toEqual([]);
      await opening;
      await sleeper.take('r1');
    });
  });
}
