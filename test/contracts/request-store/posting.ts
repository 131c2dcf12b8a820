import { describe, expect, it } from 'vitest';
import type { CardRef } from '../../../src/core/request.ts';
import { proposalRequestOf, writeOf } from '../../support/proposals.ts';
import { claim, eachTest, type MakeStore, mustRead, request } from './harness.ts';

const CARD: CardRef = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' };
const LEASE_MS = 10_000;
const by = (holder: string) => ({ holder, forMs: LEASE_MS });

export function posting(makeStore: MakeStore): void {
  describe('turns to post', () => {
    const harness = eachTest(makeStore);

    it('belong to one gateway at a time, of any number that ask at once', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      const turns = await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.recordPosting('r1', CARD, by(`g${index}`))),
      );
      expect(turns.filter((turn) => turn.turn === 'yours')).toEqual([{ turn: 'yours', lookFirst: false }]);
      expect(turns.filter((turn) => turn.turn === 'others')).toHaveLength(19);
    });

    it('tell the others how long to leave it, and stay with whoever takes them again', async () => {
      const { store, advance } = harness();
      await store.open(request('r1'));
      await store.recordPosting('r1', CARD, by('g1'));
      await advance(1_000);
      expect(await store.recordPosting('r1', CARD, by('g2'))).toEqual({ turn: 'others', forMs: 9_000 });
      expect(await store.recordPosting('r1', CARD, by('g1'))).toEqual({ turn: 'yours', lookFirst: false });
      expect(await store.recordPosting('r1', CARD, by('g2'))).toEqual({ turn: 'others', forMs: LEASE_MS });
    });

    it('pass on when they run out, with the warning to look first', async () => {
      const { store, advance } = harness();
      await store.open(request('r1'));
      await store.recordPosting('r1', CARD, by('g1'));
      await advance(LEASE_MS);
      expect(await store.recordPosting('r1', CARD, by('g2'))).toEqual({ turn: 'yours', lookFirst: true });
      expect(await store.recordPosting('r1', CARD, by('g1'))).toEqual({ turn: 'others', forMs: LEASE_MS });
    });

    it('are over once the card is recorded, also for a gateway that asks late', async () => {
      const { store, advance } = harness();
      await store.open(request('r1'));
      await store.recordPosting('r1', CARD, by('g1'));
      await store.recordCard('r1', CARD);
      await advance(2 * LEASE_MS);
      expect(await store.recordPosting('r1', CARD, by('g2'))).toEqual({ turn: 'posted' });
    });

    it('are free again after a refusal for good, and stay taken after one that may pass', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.recordPosting('r1', CARD, by('g1'));
      const failure = { platform: 'slack', channel: 'C1', reason: 'x' } as const;
      await store.recordPostFailure('r1', { ...failure, permanent: false });
      expect((await store.recordPosting('r1', CARD, by('g2'))).turn).toBe('others');
      await store.recordPostFailure('r1', { ...failure, permanent: true });
      expect(await store.recordPosting('r1', CARD, by('g2'))).toEqual({ turn: 'yours', lookFirst: false });
    });

    it('are apart for each place and each request', async () => {
      const { store } = harness();
      await store.open(request('r1', { sessionId: 'a' }));
      await store.open(request('r2', { sessionId: 'b' }));
      await store.recordPosting('r1', CARD, by('g1'));
      expect((await store.recordPosting('r1', { ...CARD, channel: 'C2' }, by('g2'))).turn).toBe('yours');
      expect((await store.recordPosting('r2', CARD, by('g2'))).turn).toBe('yours');
    });

    it('are always the caller’s where there is no lease', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      expect(await store.recordPosting('r1', CARD)).toEqual({ turn: 'yours', lookFirst: false });
      expect(await store.recordPosting('r1', CARD)).toEqual({ turn: 'yours', lookFirst: false });
    });
  });

  describe('threads', () => {
    const harness = eachTest(makeStore);

    it('are begun by one gateway, and then known to all', async () => {
      const { store, advance } = harness();
      expect(await store.recordThreadPosting('s', CARD, by('g1'))).toEqual({ turn: 'yours', lookFirst: false });
      expect((await store.recordThreadPosting('s', CARD, by('g2'))).turn).toBe('others');
      expect((await store.recordThreadPosting('t', CARD, by('g2'))).turn).toBe('yours');
      await advance(LEASE_MS);
      expect(await store.recordThreadPosting('s', CARD, by('g2'))).toEqual({ turn: 'yours', lookFirst: true });
      await store.recordThread('s', CARD, '1.0');
      await advance(LEASE_MS);
      for (const gateway of ['g1', 'g2', 'g3']) {
        expect(await store.recordThreadPosting('s', CARD, by(gateway))).toEqual({ turn: 'posted', thread: '1.0' });
      }
    });
  });

  describe('the list of work', () => {
    const harness = eachTest(makeStore);

    it('holds what opened until a gateway rests it, and again what moved on', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.open(request('r2'));
      expect(await store.listWork()).toEqual(['r1']);
      await store.recordCard('r1', CARD);
      await store.rest('r1', 'open');
      expect(await store.listWork()).toEqual([]);
      await store.claim('r1', claim());
      expect(await store.listWork()).toEqual(['r1']);
      await store.confirm('r1');
      expect((await store.listWork()).toSorted()).toEqual(['r1', 'r2']);
    });

    it('does not rest what moved on meanwhile', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.recordCard('r1', CARD);
      await store.close('r1', { kind: 'cancelled' });
      await store.rest('r1', 'open');
      expect(await store.listWork()).toEqual(['r1']);
      await store.rest('unknown', 'open');
    });

    it('holds an ended request until each of its cards is settled, and one with a card that came late', async () => {
      const { store } = harness();
      const second = { ...CARD, channel: 'C2' };
      await store.open(request('r1'));
      await store.recordCard('r1', CARD);
      await store.recordCard('r1', second);
      await store.rest('r1', 'open');
      await store.close('r1', { kind: 'cancelled' });
      await store.recordSettled('r1', CARD);
      expect(await store.listWork()).toEqual(['r1']);
      await store.recordSettled('r1', second);
      expect(await store.listWork()).toEqual([]);
      await store.recordCard('r1', { ...CARD, message: '1.2' });
      expect(await store.listWork()).toEqual(['r1']);
    });

    it('holds again one of whose settled card a pointer became known, until that is settled, too', async () => {
      const { store, auditRows } = harness();
      const clicked: CardRef = { ...CARD, platform: 'discord' };
      const posted = { ...clicked, pointer: '1.2' };
      await store.open(request('r1'));
      await store.recordCard('r1', clicked);
      await store.claim('r1', claim());
      await store.confirm('r1');
      await store.recordSettled('r1', clicked);
      expect(await store.listWork()).toEqual([]);
      await store.recordCard('r1', posted);
      expect(await store.listWork()).toEqual(['r1']);
      await store.recordSettled('r1', posted);
      expect(await store.listWork()).toEqual([]);
      await store.recordCard('r1', posted);
      expect(await store.listWork()).toEqual([]);
      expect((await auditRows()).filter((row) => row.event === 'card_posted')).toHaveLength(1);
    });

    it.each([
      ['questions', request],
      ['a proposal', (id: string) => proposalRequestOf(id, writeOf())],
    ] as const)(
      'keeps %s whose cards are settled while a post of it is in doubt, until that is found or given up',
      async (_, asked) => {
        const { store } = harness();
        const elsewhere: CardRef = { ...CARD, platform: 'discord', channel: 'D1' };
        for (const id of ['r1', 'r2']) {
          await store.open(asked(id));
          await store.recordPosting(id, CARD, by('g1'));
          await store.recordPosting(id, elsewhere, by('g1'));
          await store.recordCard(id, CARD);
          await store.close(id, { kind: 'cancelled' });
          await store.recordSettled(id, CARD);
        }
        expect((await store.listWork()).toSorted()).toEqual(['r1', 'r2']);
        await store.giveUpPost('r1', elsewhere);
        expect(await store.listWork()).toEqual(['r2']);
        await store.recordCard('r2', elsewhere);
        expect(await store.listWork()).toEqual(['r2']);
        await store.recordSettled('r2', elsewhere);
        expect(await store.listWork()).toEqual([]);
        await store.giveUpPost('unknown', CARD);
      },
    );

    it('keeps one of which a post is given up before its other cards are settled', async () => {
      const { store } = harness();
      const elsewhere: CardRef = { ...CARD, platform: 'discord', channel: 'D1' };
      await store.open(request('r1'));
      await store.recordPosting('r1', elsewhere, by('g1'));
      await store.recordCard('r1', CARD);
      await store.close('r1', { kind: 'cancelled' });
      await store.giveUpPost('r1', elsewhere);
      expect(await store.listWork()).toEqual(['r1']);
      await store.recordSettled('r1', CARD);
      expect(await store.listWork()).toEqual([]);
    });

    it('lets go of one that ended without a card, unless a post of it got lost', async () => {
      const { store } = harness();
      await store.open(request('r1', { sessionId: 'a' }));
      await store.open(request('r2', { sessionId: 'b' }));
      await store.open(request('r3', { sessionId: 'c' }));
      await store.recordPosting('r2', CARD, by('g1'));
      await store.recordPosting('r3', CARD, by('g1'));
      await store.recordPostFailure('r3', { platform: 'slack', channel: 'C1', reason: 'x', permanent: true });
      for (const id of ['r1', 'r2', 'r3']) await store.close(id, { kind: 'cancelled' });
      expect(await store.listWork()).toEqual(['r2']);
      await store.rest('r2', 'ended');
      expect(await store.listWork()).toEqual([]);
      expect((await mustRead(store, 'r2')).status).toBe('ended');
    });
  });
}
