import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLineFile } from '../../../src/observe/line-file.ts';
import { gatewayRules, ownerRules } from '../../../src/store/redis/acl.ts';
import { turnOf, useBy } from '../../contracts/grant-store/harness.ts';
import { choose, claim, mustRead, request } from '../../contracts/request-store/harness.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { KEYS, type OpenedStore, openStore } from '../../support/redis-store.ts';
import { ANA } from '../../support/requests.ts';

const PASSWORD = ['owner', 'password'].join('-');
const CARD = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' } as const;

const server = await startRedisServer();
afterAll(() => server.stop());
const ownersUrl = server.url.replace('unix://', `unix://owner:${PASSWORD}@`);

describe('a Redis user with the rules for owners', () => {
  let owner: OpenedStore;
  let gateway: OpenedStore;
  beforeAll(async () => {
    await server.client.call('ACL', 'SETUSER', 'owner', 'on', `>${PASSWORD}`, ...ownerRules(KEYS));
    owner = await openStore(ownersUrl);
    gateway = await openStore(server.url);
  });
  afterAll(() => {
    owner.store.stop();
    gateway.store.stop();
  });

  it('can open, queue, supersede, wait, confirm and close', async () => {
    const woken: string[] = [];
    await owner.store.watchOwner('owner-1', (id) => woken.push(id));
    expect((await owner.store.open(request('r1', { pendingId: 'tool-1' }))).code).toBe('done');
    expect((await owner.store.open(request('r2'))).record?.status).toBe('queued');
    expect((await owner.store.open(request('r3', { pendingId: 'tool-1' }))).record?.status).toBe('queued');
    await gateway.store.recordCard('r2', CARD);
    expect((await gateway.store.claim('r2', claim(choose('SQLite')))).code).toBe('done');
    await expect.poll(() => woken.filter((id) => id === 'r2').length).toBeGreaterThanOrEqual(4);
    expect(await owner.store.read('r2')).toMatchObject({ status: 'claimed', cards: [CARD] });
    expect((await owner.store.confirm('r2')).record?.outcome?.kind).toBe('answered');
    expect((await owner.store.close('r3', { kind: 'cancelled' })).code).toBe('done');
    expect(await owner.store.listUnfinished()).toEqual([]);
  });

  it('can hold its lease, and see which gateways there are', async () => {
    const lease = { gatewayId: 'g1', platform: 'slack', body: '{}' } as const;
    await gateway.store.leases.holdGateway(lease, 10_000);
    await owner.store.leases.holdOwner('owner-1', 10_000);
    expect(await owner.store.leases.liveGateways()).toEqual([lease]);
    // A gateway that was given the owners' URL is told so.
    const cure = expect.stringContaining('docs/deploy.md');
    await expect(owner.store.leases.holdGateway(lease, 10_000)).rejects.toMatchObject({ code: 'store', hint: cure });
  });

  it('can record, use and end grants, and cannot make good what was taken back', async () => {
    const [own, theirs] = [owner.store.grants, gateway.store.grants];
    await own.salt('session-1');
    for (const id of ['r1', 'r6']) expect((await own.grant(turnOf(id))).code).toBe('done');
    expect((await own.use('r1', useBy('call-1'))).code).toBe('done');
    expect((await own.listActive('session-1')).map(({ requestId }) => requestId).sort()).toEqual(['r1', 'r6']);
    expect((await theirs.revoke('r1', ANA)).code).toBe('done');
    expect((await own.use('r1', useBy('call-2'))).code).toBe('already_resolved');
    expect((await own.end('r6', 'turn_ended')).code).toBe('done');
    expect(await own.isLifted('r6')).toBe(false);
    await expect(own.revoke('r6', ANA)).rejects.toMatchObject({ code: 'store' });
    await expect(own.liftRefusal('r6', ANA)).rejects.toMatchObject({ code: 'store' });
  });

  it('cannot take a turn to post, nor begin a thread', async () => {
    await owner.store.open(request('r5', { sessionId: 'a third' }));
    const lease = { holder: 'me', forMs: 10_000 };
    await expect(owner.store.recordPosting('r5', CARD, lease)).rejects.toMatchObject({ code: 'store' });
    await expect(owner.store.recordThreadPosting('s', CARD, lease)).rejects.toMatchObject({ code: 'store' });
    await expect(owner.store.recordThread('s', CARD, '1.0')).rejects.toMatchObject({ code: 'store' });
    expect(await gateway.store.recordPosting('r5', CARD, lease)).toEqual({ turn: 'yours', lookFirst: false });
  });

  it('cannot claim, nor record a card or a failed post', async () => {
    await owner.store.open(request('r4', { sessionId: 'another' }));
    await expect(owner.store.claim('r4', claim())).rejects.toMatchObject({ code: 'store' });
    await expect(owner.store.recordCard('r4', CARD)).rejects.toMatchObject({ code: 'store' });
    const failure = { platform: 'slack', channel: 'C1', reason: 'x', permanent: true } as const;
    await expect(owner.store.recordPostFailure('r4', failure)).rejects.toMatchObject({ code: 'store' });
    expect(await mustRead(gateway.store, 'r4')).toMatchObject({ status: 'open', cards: [], postFailures: [] });
  });

  it.each([
    ['write a verdict', ['HSET', KEYS.request('r4', 'verdict'), 'verdict', '{}']],
    [
      'write one from a script of its own',
      ['EVAL', `return redis.call('HSET', ARGV[1], 'a', 'b')`, '0', KEYS.request('r4', 'verdict')],
    ],
    ['remove one', ['DEL', KEYS.request('r4', 'verdict')]],
    ['say that it is a gateway', ['ZADD', KEYS.gateways, '1', 'me']],
    ['give back what was taken', ['DEL', KEYS.request('r1', 'revoked')]],
    ['lift a refusal', ['SET', KEYS.request('r1', 'lifted'), '1']],
    ['read the audit', ['XRANGE', KEYS.audit, '-', '+']],
    ['cut the audit', ['XTRIM', KEYS.audit, 'MAXLEN', '0']],
    ['remove the audit', ['DEL', KEYS.audit]],
    ['replace the audit', ['SET', KEYS.audit, 'x']],
    ['let the audit expire', ['PEXPIRE', KEYS.audit, '1']],
    ['remove it from a script of its own', ['EVAL', `return redis.call('DEL', ARGV[1])`, '0', KEYS.audit]],
    ['read other keys', ['GET', 'elsewhere']],
    ['empty the database', ['FLUSHALL']],
    ['change the rules', ['ACL', 'SETUSER', 'owner', 'allkeys']],
    ['make the server follow another', ['REPLICAOF', 'NO', 'ONE']],
  ])('cannot %s', async (_, [command = '', ...args]) => {
    const plain = server.client.duplicate({ username: 'owner', password: PASSWORD });
    try {
      await expect(plain.call(command, ...args)).rejects.toThrow(/permission|can't access/);
    } finally {
      plain.disconnect();
    }
  });
});

describe('a Redis user with the rules for gateways', () => {
  let gateway: OpenedStore;
  beforeAll(async () => {
    await server.client.call('ACL', 'SETUSER', 'gateway', 'on', `>${PASSWORD}`, ...gatewayRules(KEYS));
    gateway = await openStore(server.url.replace('unix://', `unix://gateway:${PASSWORD}@`));
  });
  afterAll(() => gateway.store.stop());

  it('can do everything a gateway does', async () => {
    const { store } = gateway;
    const folder = mkdtempSync(join(tmpdir(), 'hr-acl-'));
    const file = openLineFile(join(folder, 'audit.jsonl'), { durable: true });
    await store.watchRequests(() => undefined);
    await store.open(request('g1', { sessionId: 'of the gateway' }));
    const lease = { holder: 'g', forMs: 10_000 };
    expect(await store.recordPosting('g1', CARD, lease)).toMatchObject({ turn: 'yours' });
    expect(await store.recordThreadPosting('t', CARD, lease)).toMatchObject({ turn: 'yours' });
    await store.recordThread('t', CARD, '1.0');
    await store.recordPostFailure('g1', { platform: 'slack', channel: 'C2', reason: 'x', permanent: true });
    await store.recordCard('g1', CARD);
    await store.recordRefusedClick('g1', { claim: { actor: ANA, interactionId: 'c' }, reason: 'guest' });
    expect((await store.claim('g1', claim())).code).toBe('done');
    await store.confirm('g1');
    expect(await store.listWork()).toContain('g1');
    expect((await store.backlog()).unsettledCards).toBeGreaterThan(0);
    await store.recordSettled('g1', CARD);
    await store.rest('g1', 'ended');
    await store.sweep();
    await store.leases.holdGateway({ gatewayId: 'g', platform: 'slack', body: '{}' }, 10_000);
    await store.leases.releaseGateway('g');
    expect(await store.auditSealer({ holder: 'g', file, retentionMs: 0 }).sealSome()).toBeGreaterThan(0);
    file.close();
    rmSync(folder, { recursive: true });
    expect(store.server.persistent).toBe(false);
  });

  it.each([
    ['read other keys', ['GET', 'elsewhere']],
    ['list all keys', ['KEYS', '*']],
    ['empty the database', ['FLUSHALL']],
    ['change the rules', ['ACL', 'SETUSER', 'gateway', 'allkeys']],
    ['change the configuration', ['CONFIG', 'SET', 'appendonly', 'no']],
    ['listen to what others say', ['SUBSCRIBE', 'elsewhere']],
  ])('cannot %s', async (_, [command = '', ...args]) => {
    const plain = server.client.duplicate({ username: 'gateway', password: PASSWORD });
    try {
      await expect(plain.call(command, ...args)).rejects.toThrow(/permission|can't access/);
    } finally {
      plain.disconnect();
    }
  });
});
