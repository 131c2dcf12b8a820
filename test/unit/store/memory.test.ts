import { describe, expect, it } from 'vitest';
import type { CardRef } from '../../../src/core/request.ts';
import { createMemoryStore } from '../../../src/store/memory.ts';
import { claim, request } from '../../contracts/request-store/harness.ts';
import { type MakeStore, requestStoreContract } from '../../contracts/request-store-contract.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { storeInMemory } from '../../support/memory-store.ts';
import { recordingLog } from '../../support/recording-log.ts';

const makeStore: MakeStore = async () => {
  const made = storeInMemory();
  return {
    store: made.store,
    now: made.clock.now,
    advance: async (ms) => made.clock.advance(ms),
    auditRows: async () => [...made.rows],
    breakAudit: async () => {
      made.auditFails = true;
    },
    mendAudit: async () => {
      made.auditFails = false;
    },
    close: async () => undefined,
  };
};

requestStoreContract('the memory store', makeStore, { modelRuns: 200 });

const CARD: CardRef = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' };
const PLACE = { platform: 'slack', channel: 'C1' } as const;

describe('the memory store', () => {
  it('writes the rows of one operation in one append, so that they are kept or refused together', async () => {
    const clock = createFakeClock();
    const appends: string[][] = [];
    const audit = { append: (...rows: readonly { event: string }[]) => appends.push(rows.map((row) => row.event)) };
    const store = createMemoryStore({ clock, audit, journal: { append: () => undefined }, log: recordingLog() });
    await store.open(request('r1', { pendingId: 'tool-1' }));
    await store.open(request('r2'));
    await store.open(request('r3', { pendingId: 'tool-1' }));
    await store.claim('r2', claim());
    await store.confirm('r2');
    expect(appends).toEqual([
      ['asked', 'shown'],
      ['asked'],
      ['ended', 'asked', 'shown'],
      ['claimed'],
      ['delivered', 'ended', 'shown'],
    ]);
  });

  it('has written the audit row before the state changes', async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    let look: () => void = () => undefined;
    const audit = { append: () => look() };
    const store = createMemoryStore({ clock, audit, journal: { append: () => undefined }, log: recordingLog() });
    await store.open(request('r1'));
    const reads: Promise<void>[] = [];
    look = () => reads.push(store.read('r1').then((record) => void seen.push(record?.status ?? 'none')));
    await store.claim('r1', claim());
    await Promise.all(reads);
    expect(seen).toEqual(['open']);
  });

  it('journals a post before it happens, its card, and the end of it', async () => {
    const made = storeInMemory();
    const { store } = made;
    await store.open(request('r1'));
    await store.recordPosting('r1', PLACE);
    await store.recordCard('r1', CARD);
    await store.recordSettled('r1', CARD);
    expect(made.journal).toEqual([
      { kind: 'posting', requestId: 'r1', sessionId: 'session-1', place: PLACE },
      { kind: 'posted', requestId: 'r1', card: CARD },
      { kind: 'settled', requestId: 'r1', card: CARD },
    ]);
  });

  it('journals that nothing was posted only when that is certain', async () => {
    const made = storeInMemory();
    const { store } = made;
    await store.open(request('r1'));
    await store.recordPostFailure('r1', { ...PLACE, reason: 'timeout', permanent: false });
    await store.recordPostFailure('r1', { ...PLACE, reason: 'not_in_channel', permanent: true });
    expect(made.journal).toEqual([{ kind: 'not_posted', requestId: 'r1', place: PLACE }]);
  });

  it('refuses to let a post begin that the journal cannot hold', async () => {
    const made = storeInMemory();
    const { store } = made;
    await store.open(request('r1'));
    made.journalFails = true;
    await expect(store.recordPosting('r1', PLACE)).rejects.toMatchObject({ code: 'store' });
  });

  it('records a card that the journal could not hold, and says so in the log', async () => {
    const made = storeInMemory();
    const { store } = made;
    await store.open(request('r1'));
    made.journalFails = true;
    expect((await store.recordCard('r1', CARD)).code).toBe('done');
    expect(made.log.lines.map((line) => [line.level, line.message, line.fields['entry']])).toEqual([
      ['error', 'card journal failed', 'posted'],
    ]);
  });

  it('says that a settled card could not be journalled, since the next run would draw another end over it', async () => {
    const made = storeInMemory();
    const { store } = made;
    await store.open(request('r1'));
    made.journalFails = true;
    await expect(store.recordSettled('r1', CARD)).rejects.toMatchObject({ code: 'store' });
    expect(made.rows.filter((row) => row.event === 'card_settled')).toEqual([]);
    made.journalFails = false;
    made.auditFails = true;
    await expect(store.recordSettled('r1', CARD)).rejects.toMatchObject({ code: 'store' });
    expect(made.journal.map((entry) => entry.kind)).toEqual(['settled']);
  });

  it('journals a card whose audit row could not be written, since it hangs in the channel all the same', async () => {
    const made = storeInMemory();
    const { store } = made;
    await store.open(request('r1'));
    made.auditFails = true;
    expect((await store.recordCard('r1', CARD)).code).toBe('audit_failed');
    expect(made.journal.map((entry) => entry.kind)).toEqual(['posted']);
  });

  it('logs which rows could not be written, and that a listener threw', async () => {
    const made = storeInMemory();
    const { store } = made;
    await store.watchRequests(() => {
      throw new Error('a defect of the listener');
    });
    await store.open(request('r1'));
    made.auditFails = true;
    await store.claim('r1', claim());
    expect(made.log.lines.map((line) => [line.message, line.fields['error']])).toEqual([
      ['a listener of the store threw', 'a defect of the listener'],
      ['audit rows could not be written; nothing was changed', 'no space left on device'],
    ]);
  });
});
