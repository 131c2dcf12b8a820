import { afterAll, describe, expect, it } from 'vitest';
import { choose, claim, mustRead, request, WAIT_MS } from '../../contracts/request-store/harness.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { auditRowsIn, openStore, openStoreByTestClock } from '../../support/redis-store.ts';
import { ANA } from '../../support/requests.ts';

const server = await startRedisServer();
afterAll(() => server.stop());

describe('many clients on one Redis', () => {
  it('have one winner for each of 200 requests that 50 clients claim at once', async () => {
    const stores = await Promise.all(Array.from({ length: 50 }, () => openStore(server.url)));
    const [first] = stores;
    const ids = Array.from({ length: 200 }, (_, index) => `r${index}`);
    await Promise.all(ids.map((id) => first?.store.open(request(id, { sessionId: `session-${id}` }))));
    const startedAt = performance.now();
    const results = [];
    for (const id of ids) {
      const attempts = stores.map(async ({ store }, user) => {
        const made = claim(choose(user % 2 === 0 ? 'Postgres' : 'SQLite'), { actor: { ...ANA, userId: `U${user}` } });
        return { id, made, result: await store.claim(id, made) };
      });
      results.push(...(await Promise.all(attempts)));
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    console.info(`50 clients × 200 requests: ${Math.round(results.length / seconds)} claims a second`);

    const reader = stores[1]?.store ?? stores[0]?.store;
    if (reader === undefined) throw new Error('no store');
    const claimed = (await auditRowsIn(server)).filter((row) => row.event === 'claimed');
    expect(claimed).toHaveLength(200);
    for (const id of ids) {
      const own = results.filter((one) => one.id === id);
      const winners = own.filter((one) => one.result.code === 'done');
      expect(winners).toHaveLength(1);
      const { verdict } = await mustRead(reader, id);
      expect(verdict).toMatchObject(winners[0]?.made ?? {});
      expect(claimed.filter((row) => row.requestId === id).map((row) => row.interactionId)).toEqual([
        verdict?.interactionId,
      ]);
      const losers = own.filter((one) => one.result.code !== 'done');
      expect(new Set(losers.map((one) => one.result.code))).toEqual(new Set(['resolution_in_progress']));
      expect(losers.every((one) => one.result.record?.verdict?.interactionId === verdict?.interactionId)).toBe(true);
    }
    for (const { store } of stores) store.stop();
  });

  it('let either the claim or the timeout of the same millisecond win, and both sides see the same', async () => {
    const owner = await openStoreByTestClock(server);
    const gateway = await openStore(server.url, owner.sameClock);
    const winners = { claim: 0, timeout: 0 };
    for (let round = 0; round < 100; round += 1) {
      const id = `r${round}`;
      await owner.store.open(request(id, { sessionId: `session-${round}` }));
      await gateway.store.read(id);
      await owner.advance(WAIT_MS - 1);
      const timeout = { kind: 'timed_out', shown: true, waitedMs: WAIT_MS } as const;
      const early = round % 2 === 0 ? owner.store.close(id, timeout) : undefined;
      const claiming = gateway.store.claim(id, claim());
      // Else the close would leave first in every round: a claim looks at the content before.
      if (early === undefined) await new Promise((resolve) => setImmediate(resolve));
      const closing = early ?? owner.store.close(id, timeout);
      const [claimed, closed] = await Promise.all([claiming, closing]);
      const record = await mustRead(gateway.store, id);
      expect(await owner.store.read(id)).toEqual(record);
      if (claimed.code === 'done') {
        winners.claim += 1;
        expect(closed.code).toBe('resolution_in_progress');
        expect(record).toMatchObject({ status: 'claimed' });
      } else {
        winners.timeout += 1;
        expect([claimed.code, closed.code]).toEqual(['deadline_passed', 'done']);
        expect(record.verdict).toBeUndefined();
      }
      await owner.advance(1);
      expect((await gateway.store.claim(id, claim())).code).not.toBe('done');
    }
    expect(Math.min(winners.claim, winners.timeout)).toBeGreaterThan(0);
    console.info(`claim against timeout: ${winners.claim} claims and ${winners.timeout} timeouts won`);
    owner.store.stop();
    gateway.store.stop();
  });
});
