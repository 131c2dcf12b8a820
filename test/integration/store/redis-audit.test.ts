import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FIRST_HASH } from '../../../src/observe/audit/chain.ts';
import { type LineFile, openLineFile } from '../../../src/observe/line-file.ts';
import { loadScripts } from '../../../src/store/redis/scripts.ts';
import { claim, request } from '../../contracts/request-store/harness.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { auditRowsIn, KEYS, type OpenedStore, openStore } from '../../support/redis-store.ts';

/** How the script that moves the seal is called for. */
const SEAL = createHash('sha1')
  .update(loadScripts(KEYS)['sealAudit']?.lua ?? '')
  .digest('hex');

const YEAR_MS = 365 * 24 * 3_600_000;

const server = await startRedisServer();
afterAll(() => server.stop());

describe('sealing the audit', () => {
  let opened: OpenedStore;
  let folder: string;
  let files: LineFile[];
  /** What each holder was told that it sealed. */
  let told: Record<string, string[]>;
  beforeEach(async () => {
    told = {};
    await server.client.flushall();
    opened = await openStore(server.url);
    folder = mkdtempSync(join(tmpdir(), 'hr-audit-'));
    files = [];
  });
  afterEach(() => {
    opened.store.stop();
    for (const file of files) file.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function sealer(holder: string, retentionMs = YEAR_MS, { store }: Pick<OpenedStore, 'store'> = opened) {
    const file = openLineFile(join(folder, `${holder}.jsonl`), { durable: true });
    files.push(file);
    const onSealed = async (rows: readonly string[]) => {
      told[holder] = [...(told[holder] ?? []), ...rows.map((row) => /"event":"(\w+)"/.exec(row)?.[1] ?? row)];
    };
    return store.auditSealer({ holder, file, retentionMs, onSealed });
  }
  const linesOf = (holder: string) =>
    readFileSync(join(folder, `${holder}.jsonl`), 'utf8')
      .split('\n')
      .slice(0, -1);

  /** Checks every hash from the lines alone. */
  function expectChained(lines: readonly string[]): void {
    let hash = FIRST_HASH;
    lines.forEach((line, at) => {
      const [, body = '', n, stated] =
        /^(\{"v":2,"chain":"g1","n":(\d+),"id":"[\d-]+","row":.*),"hash":"(\w+)"\}$/.exec(line) ?? [];
      hash = createHash('sha256').update(`${hash}\n${body}`).digest('hex');
      expect([Number(n), stated]).toEqual([at + 1, hash]);
    });
  }

  it('writes every row once, in order, each with a hash over all before it', async () => {
    const { store } = opened;
    const one = sealer('g1');
    await store.open(request('r1'));
    await store.claim('r1', claim());
    expect(await one.sealSome()).toBe(2);
    await store.confirm('r1');
    expect(await one.sealSome()).toBe(1);
    expect(await one.sealSome()).toBe(0);
    const lines = linesOf('g1');
    expectChained(lines);
    expect(lines.map((line) => JSON.parse(line).row)).toEqual(await auditRowsIn(server));
    expect(await server.client.hget(KEYS.seal, 'rows')).toBe('5');
  });

  it('is one gateway’s at a time, and goes on where a dead one left it', async () => {
    const { store } = opened;
    const [one, two] = [sealer('g1'), sealer('g2')];
    await store.open(request('r1'));
    expect(await one.sealSome()).toBe(1);
    await store.close('r1', { kind: 'cancelled' });
    expect(await two.sealSome()).toBe(0);
    // The dead one's lease has run out.
    await server.client.del(KEYS.sealer);
    expect(await two.sealSome()).toBe(1);
    expectChained([...linesOf('g1'), ...linesOf('g2')]);
  });

  it('tells one holder of each row, also of those that a dead one had only written to its file', async () => {
    const { store } = opened;
    const [one, two] = [sealer('g1'), sealer('g2')];
    await store.open(request('r1'));
    await one.sealSome();
    await store.claim('r1', claim());
    await server.client.del(KEYS.sealer);
    await Promise.all([one.sealSome(), two.sealSome()]);
    await Promise.all([one.sealSome(), two.sealSome()]);
    expect([...(told['g1'] ?? []), ...(told['g2'] ?? [])]).toEqual(['asked', 'shown', 'claimed']);
  });

  it('tells once of the rows whose sealing had no answer', async () => {
    const proxy = await startCuttingProxy(server.socket);
    const cut = await openStore(proxy.url, { commandMs: 300 });
    try {
      await opened.store.open(request('r1'));
      const one = sealer('g1', YEAR_MS, cut);
      // The first time the server has to be given the script.
      await one.sealSome();
      await opened.store.claim('r1', claim());
      const lost = proxy.cutReplyTo(SEAL);
      await expect(one.sealSome()).rejects.toMatchObject({ ambiguous: true });
      await lost;
      expect(told['g1']).toEqual(['asked', 'shown']);
      await one.sealSome();
      await one.sealSome();
      expect(told['g1']).toEqual(['asked', 'shown', 'claimed']);
    } finally {
      cut.store.stop();
      await proxy.close();
    }
  });

  it('has one row of a card that two gateways settled', async () => {
    const { store } = opened;
    const card = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' } as const;
    await store.open(request('r1'));
    await store.recordCard('r1', card);
    await store.close('r1', { kind: 'cancelled' });
    await Promise.all([store.recordSettled('r1', card), store.recordSettled('r1', card)]);
    const events = (await auditRowsIn(server)).map((row) => row.event);
    expect(events.filter((event) => event === 'card_settled')).toHaveLength(1);
  });

  it('keeps in the chain what somebody wrote who writes no rows', async () => {
    await server.client.xadd(KEYS.audit, '*', 'row', 'not JSON', 'row', '{"two":\n"lines"}');
    expect(await sealer('g1').sealSome()).toBe(1);
    expectChained(linesOf('g1'));
  });

  it('cuts from the stream only what is sealed and old enough', async () => {
    const { store } = opened;
    await store.open(request('r1'));
    const one = sealer('g1', -1_000);
    await one.sealSome();
    await store.close('r1', { kind: 'cancelled' });
    expect((await auditRowsIn(server)).map((row) => row.event)).toEqual(['asked', 'shown', 'ended']);
    await one.sealSome();
    expect((await auditRowsIn(server)).map((row) => row.event)).toEqual(['ended']);
    expect(linesOf('g1')).toHaveLength(3);
  });

  it('runs by itself from start to stop', async () => {
    const one = sealer('g1');
    one.start();
    await opened.store.open(request('r1'));
    await expect.poll(() => linesOf('g1').length, { timeout: 20_000 }).toBe(2);
    await one.stop();
  });
});
