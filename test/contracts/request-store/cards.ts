import { describe, expect, it } from 'vitest';
import type { CardRef, PostFailure } from '../../../src/core/request.ts';
import { claim, eachTest, type MakeStore, mustRead, recordIn, request } from './harness.ts';

const CARD: CardRef = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' };
const FAILURE: PostFailure = { platform: 'slack', channel: 'C2', reason: 'not_in_channel', permanent: true };

export function cards(makeStore: MakeStore): void {
  describe('cards', () => {
    const harness = eachTest(makeStore);

    it('are kept in the record, each once, without moving it', async () => {
      const { store, auditRows } = harness();
      await store.open(request('r1'));
      await store.recordPosting('r1', CARD);
      expect(recordIn(await store.recordCard('r1', CARD))).toMatchObject({ status: 'open', cards: [CARD] });
      expect((await store.recordCard('r1', { ...CARD })).code).toBe('done');
      const other = { ...CARD, channel: 'C2' };
      await store.recordCard('r1', other);
      expect((await mustRead(store, 'r1')).cards).toEqual([CARD, other]);
      expect((await auditRows()).filter((row) => row.event === 'card_posted')).toHaveLength(2);
    });

    it('that were first known by a click on them get their pointer later', async () => {
      const { store, auditRows } = harness();
      await store.open(request('r1'));
      const clicked: CardRef = { ...CARD, platform: 'discord' };
      await store.recordCard('r1', clicked);
      const posted = { ...clicked, pointer: '1.2' };
      expect(recordIn(await store.recordCard('r1', posted)).cards).toEqual([posted]);
      expect(recordIn(await store.recordCard('r1', clicked)).cards).toEqual([posted]);
      expect((await auditRows()).filter((row) => row.event === 'card_posted')).toHaveLength(1);
    });

    it('are also taken after the request has ended, since they have to be settled all the same', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.close('r1', { kind: 'cancelled' });
      expect(recordIn(await store.recordCard('r1', CARD))).toMatchObject({ status: 'ended', cards: [CARD] });
    });

    it('survive a claim that comes before they are recorded', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.claim('r1', claim());
      await store.recordCard('r1', CARD);
      expect(recordIn(await store.confirm('r1')).cards).toEqual([CARD]);
    });

    it('that could not be posted are kept as one failure a surface, the latest', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.recordPostFailure('r1', { ...FAILURE, reason: 'timeout', permanent: false });
      const result = await store.recordPostFailure('r1', FAILURE);
      expect(recordIn(result)).toMatchObject({ status: 'open', postFailures: [FAILURE] });
      await store.recordPostFailure('r1', { ...FAILURE, channel: 'C3' });
      expect((await mustRead(store, 'r1')).postFailures.map((failure) => failure.channel)).toEqual(['C2', 'C3']);
    });

    it('of unknown requests are refused', async () => {
      const { store } = harness();
      expect((await store.recordCard('r1', CARD)).code).toBe('not_found');
      expect((await store.recordPostFailure('r1', FAILURE)).code).toBe('not_found');
      await expect(store.recordPosting('r1', CARD)).rejects.toMatchObject({ code: 'store' });
    });
  });
}
