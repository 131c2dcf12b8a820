import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CardRef } from '../../../src/core/request.ts';
import { choose, claim, mustRead, request } from '../../contracts/request-store/harness.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/cutting-proxy.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { auditRowsIn, KEYS, type OpenedStore, openStore } from '../../support/redis-store.ts';
import { BEN } from '../../support/requests.ts';

const CARD: CardRef = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' };

const server = await startRedisServer();
afterAll(() => server.stop());

let proxy: CuttingProxy;
let ours: OpenedStore;
let other: OpenedStore;
beforeEach(async () => {
  await server.client.flushall();
  proxy = await startCuttingProxy(server.socket);
  ours = await openStore(proxy.url, { commandMs: 300 });
  other = await openStore(server.url);
});
afterEach(async () => {
  ours.store.stop();
  other.store.stop();
  await proxy.close();
});

const events = async () => (await auditRowsIn(server)).map((row) => row.event);
const wasReadBack = () =>
  ours.log.lines.some((line) => line.message === 'an operation without an answer was read back');

describe.each([
  ['is cut', (text: string) => proxy.cutReplyTo(text)],
  ['goes dumb', (text: string) => proxy.hushAfter(text)],
] as const)('a connection that %s before the reply', (_, lose) => {
  it('leaves a claim won once: it is read back, not repeated', async () => {
    await ours.store.open(request('r1'));
    const lost = lose('click-a');
    const result = await ours.store.claim('r1', claim(choose('SQLite'), { interactionId: 'click-a' }));
    await lost;
    expect(result.code).toBe('done');
    expect(wasReadBack()).toBe(true);
    expect(await other.store.read('r1')).toEqual(result.record);
    expect((await events()).filter((event) => event === 'claimed')).toHaveLength(1);
  });

  it('tells a claim that had lost who has won', async () => {
    await ours.store.open(request('r1'));
    await ours.store.read('r1');
    await other.store.claim('r1', claim(choose('SQLite'), { actor: BEN }));
    const lost = lose('click-b');
    const result = await ours.store.claim('r1', claim(choose('Postgres'), { interactionId: 'click-b' }));
    await lost;
    expect(result.code).toBe('resolution_in_progress');
    expect(result.record?.verdict?.actor).toEqual(BEN);
    expect(wasReadBack()).toBe(true);
  });

  it('leaves a request open that was opened', async () => {
    const lost = lose('"requestId":"r1"');
    const result = await ours.store.open(request('r1'));
    await lost;
    expect(result).toMatchObject({ code: 'done', record: { status: 'open' } });
    expect(await events()).toEqual(['asked', 'shown']);
  });

  it('leaves a delivery confirmed once', async () => {
    await ours.store.open(request('r1'));
    await other.store.claim('r1', claim());
    const lost = lose('{r1}:close');
    const result = await ours.store.confirm('r1');
    await lost;
    expect(result).toMatchObject({ code: 'done', record: { outcome: { kind: 'answered' } } });
    expect((await events()).filter((event) => event === 'ended')).toHaveLength(1);
  });

  it('leaves a request ended once', async () => {
    await ours.store.open(request('r1'));
    const lost = lose('{r1}:close');
    const result = await ours.store.close('r1', { kind: 'cancelled' });
    await lost;
    expect(result).toMatchObject({ code: 'done', record: { outcome: { kind: 'cancelled' } } });
    expect((await events()).filter((event) => event === 'ended')).toHaveLength(1);
  });

  it('leaves a card and a failed post recorded once', async () => {
    await ours.store.open(request('r1'));
    const failure = { platform: 'slack', channel: 'C2', reason: 'not_in_channel', permanent: true } as const;
    const card = lose('{r1}:cards');
    expect((await ours.store.recordCard('r1', CARD)).code).toBe('done');
    await card;
    const failed = lose('{r1}:failures');
    expect((await ours.store.recordPostFailure('r1', failure)).code).toBe('done');
    await failed;
    expect(await mustRead(other.store, 'r1')).toMatchObject({ cards: [CARD], postFailures: [failure] });
    expect((await events()).filter((event) => event.startsWith('card_'))).toEqual(['card_posted', 'card_failed']);
  });
});

describe('a request that the server never saw', () => {
  it('fails to open, and does not open later: it is barred or withdrawn', async () => {
    server.freeze();
    const opening = ours.store.open(request('r1'));
    await expect(opening).rejects.toMatchObject({ code: 'store' });
    server.resume();
    // The server goes on to read what was sent before; whichever comes first, the id ends barred or withdrawn.
    await expect.poll(() => server.client.exists(KEYS.request('r1', 'close'))).toBe(1);
    expect(await other.store.listUnfinished()).toEqual([]);
    expect((await other.store.open(request('r1'))).code).toBe('not_allowed');
  });
});
