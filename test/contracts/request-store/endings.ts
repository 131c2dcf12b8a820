import { describe, expect, it } from 'vitest';
import type { ClosingOutcome } from '../../../src/core/lifecycle.ts';
import { choose, claim, DECLINED, eachTest, type MakeStore, mustRead, recordIn, request, WAIT_MS } from './harness.ts';

const HOUR = 3_600_000;

/** Every outcome an owner may close with, who ends it then, and what a late click gets. */
const CLOSINGS: readonly (readonly [ClosingOutcome, string, string])[] = [
  [{ kind: 'timed_out', shown: true, waitedMs: WAIT_MS }, 'timeout', 'deadline_passed'],
  [{ kind: 'cancelled' }, 'agent', 'stale'],
  [{ kind: 'superseded' }, 'agent', 'stale'],
  [{ kind: 'owner_lost' }, 'system', 'delivery_failed'],
  [{ kind: 'undeliverable', reason: 'not_in_channel' }, 'system', 'stale'],
  [{ kind: 'indeterminate' }, 'system', 'delivery_failed'],
];

export function endings(makeStore: MakeStore): void {
  describe('confirming and closing', () => {
    const harness = eachTest(makeStore);

    it('says why a recorded verdict was not believed, in the record and in place of who chose in the audit', async () => {
      const { store, auditRows } = harness();
      await store.open(request('r1'));
      await store.claim('r1', claim());
      const outcome = { kind: 'indeterminate', reason: 'bad_signature' } as const;
      expect((await store.close('r1', outcome)).code).toBe('done');
      expect((await store.read('r1'))?.outcome).toEqual(outcome);
      const ended = (await auditRows()).find(({ event }) => event === 'ended');
      expect(ended).toMatchObject({ outcome: 'indeterminate', reason: 'bad_signature' });
      expect(ended).not.toHaveProperty('actor');
      expect(ended).not.toHaveProperty('interactionId');
    });

    it('ends a claimed request with the outcome of its verdict once delivery is confirmed', async () => {
      const { store, now, advance } = harness();
      await store.open(request('r1'));
      await store.claim('r1', claim(choose('SQLite')));
      await advance(5);
      expect(recordIn(await store.confirm('r1'))).toMatchObject({
        status: 'ended',
        outcome: { kind: 'answered', sheet: [{ status: 'answered', labels: ['SQLite'] }] },
        by: 'operator',
        endedAt: now(),
      });
    });

    it('confirms also after the deadline, since the claim was in time', async () => {
      const { store, advance } = harness();
      await store.open(request('r1'));
      await store.claim('r1', claim(DECLINED));
      await advance(WAIT_MS + 1);
      expect(recordIn(await store.confirm('r1')).outcome).toEqual({ kind: 'declined' });
    });

    it('confirms nothing that was not claimed, and nothing twice', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.open(request('r2'));
      expect((await store.confirm('r1')).code).toBe('not_allowed');
      expect((await store.confirm('r2')).code).toBe('not_allowed');
      expect((await store.confirm('r3')).code).toBe('not_found');
      await store.claim('r1', claim());
      await store.confirm('r1');
      expect((await store.confirm('r1')).code).toBe('already_resolved');
    });

    it.each(CLOSINGS)('closes an open request as %o, by %s; a late click is then %s', async (outcome, by, late) => {
      const { store, now } = harness();
      await store.open(request('r1'));
      expect(recordIn(await store.close('r1', outcome))).toMatchObject({
        status: 'ended',
        outcome,
        by,
        endedAt: now(),
      });
      const click = await store.claim('r1', claim());
      expect(click.code).toBe(late);
      expect(click.record).toEqual(await store.read('r1'));
    });

    it.each(CLOSINGS)(
      'judges a close of a claimed request as %o by whether the answer may still arrive',
      async (outcome) => {
        const { store } = harness();
        await store.open(request('r1'));
        const claimed = recordIn(await store.claim('r1', claim()));
        const result = await store.close('r1', outcome);
        if (outcome.kind === 'indeterminate' || outcome.kind === 'owner_lost') {
          expect(recordIn(result)).toMatchObject({ status: 'ended', outcome, verdict: claimed.verdict });
        } else {
          expect(result).toEqual({ code: 'resolution_in_progress', record: claimed });
          expect((await store.confirm('r1')).code).toBe('done');
        }
      },
    );

    it('closes nothing twice: the first end stands', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      const first = recordIn(await store.close('r1', { kind: 'cancelled' }));
      const second = await store.close('r1', { kind: 'owner_lost' });
      expect(second).toEqual({ code: 'stale', record: first });
      expect(await store.read('r1')).toEqual(first);
      expect((await store.close('r2', { kind: 'cancelled' })).code).toBe('not_found');
    });
  });

  describe('ended requests', () => {
    const harness = eachTest(makeStore);

    it('keep telling late clicks what happened for the longest wait and seven days', async () => {
      const { store, advance } = harness();
      await store.open(request('answered', { sessionId: 'a' }));
      await store.claim('answered', claim());
      await store.confirm('answered');
      await store.open(request('expired', { sessionId: 'b' }));
      await store.close('expired', { kind: 'timed_out', shown: true, waitedMs: WAIT_MS });
      await advance((24 + 7 * 24) * HOUR - 1);
      await store.open(request('later', { sessionId: 'c' }));
      const late = await store.claim('answered', claim());
      expect(late.code).toBe('already_resolved');
      expect(late.record?.verdict?.actor.name).toBe('Ana');
      expect((await store.claim('expired', claim())).code).toBe('deadline_passed');
      expect((await store.open(request('expired'))).code).toBe('not_allowed');
    });

    it('never open again, and are not listed', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.close('r1', { kind: 'cancelled' });
      await store.open(request('r2'));
      await store.close('r2', { kind: 'cancelled' });
      expect((await mustRead(store, 'r1')).status).toBe('ended');
      expect(await store.listUnfinished()).toEqual([]);
    });
  });
}
