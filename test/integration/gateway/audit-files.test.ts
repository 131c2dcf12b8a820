import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayAuditOptions, openGatewayAudit } from '../../../src/gateway/audit-files.ts';
import { FIRST_HASH, nextLine } from '../../../src/observe/audit/chain.ts';
import { readAudit } from '../../../src/observe/audit/read.ts';
import { exportedRows } from '../../../src/observe/audit/rows.ts';
import { type VerifyOptions, verifyAudit } from '../../../src/observe/audit/verify.ts';
import { AUDIT_PURPOSE } from '../../../src/observe/audit/vouched.ts';
import { newSigningKey, readVerdictKey } from '../../../src/trust/keys.ts';
import { openText } from '../../../src/trust/signed-text.ts';
import { claim, request } from '../../contracts/request-store/harness.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { KEYS, type OpenedStore, openStore } from '../../support/redis-store.ts';
import { buildFixture, startNode } from '../../support/typescript-process.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.now();

const [first, second] = [newSigningKey(), newSigningKey()];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hr-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the audit of gateways', () => {
  /** One chain, written by whoever has the turn. */
  let end = { chain: 'g1', n: 0, hash: FIRST_HASH };
  let now = NOW;
  beforeEach(() => {
    end = { chain: 'g1', n: 0, hash: FIRST_HASH };
    now = NOW;
  });

  function gateway(gatewayId: string, more: Partial<GatewayAuditOptions> = {}) {
    const audit = openGatewayAudit(folder, { gatewayId, key: first.key, clock: { now: () => now }, ...more });
    return {
      close: () => audit.close(),
      seal(count: number) {
        const lines = Array.from({ length: count }, () => {
          const next = nextLine(end, `"id":"${now}-${end.n}","row":{"at":${now},"event":"asked","requestId":"r"}`);
          end = next.end;
          return next.line;
        });
        audit.append(...lines, audit.vouch(end));
      },
    };
  }

  it('is put together by number from the files of several, and names what is missing', () => {
    const [one, two] = [gateway('a'), gateway('b')];
    one.seal(3);
    two.seal(2);
    one.seal(4);
    for (const each of [one, two]) each.close();
    expect(report()).toMatchObject({ rows: 9, chains: [{ from: 1, to: 9, signedTo: 9 }], problems: [], notes: [] });
    rmSync(join(folder, 'gateway-b-1.jsonl'));
    expect(report().problems).toMatchObject([{ code: 'missing', n: 4, sentence: 'rows 4 to 5 are in no file' }]);
  });

  it('verifies over a change of keys, with both public keys', () => {
    const one = gateway('a');
    one.seal(2);
    const two = gateway('b', { key: second.key });
    two.seal(2);
    for (const each of [one, two]) each.close();
    expect(report().problems).toEqual([]);
    expect(report([second]).problems).toMatchObject([{ code: 'unknown_key' }]);
    expect(report([]).notes).toMatchObject([{ code: 'unchecked_heads' }]);
  });

  it('shows a head that was changed, and that rows behind the last one are vouched for by nobody', () => {
    const one = gateway('a');
    one.seal(3);
    one.close();
    const path = join(folder, 'gateway-a-1.jsonl');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    writeFileSync(path, `${lines.with(3, (lines[3] ?? '').replace('\\"n\\":3', '\\"n\\":2')).join('\n')}\n`);
    expect(codes()).toEqual([['bad_signature'], ['unsigned_end']]);
    writeFileSync(path, `${lines.toSpliced(2, 1).join('\n')}\n`);
    expect(codes()[0]).toEqual(['cut']);
  });

  it('misses an end that Redis knows', () => {
    const one = gateway('a');
    one.seal(3);
    one.close();
    const sealed = { chain: 'g1', rows: 5, hash: 'f'.repeat(64), unsealed: 2 };
    expect(report([first], sealed)).toMatchObject({ problems: [{ code: 'cut' }], notes: [{ code: 'unsealed' }] });
  });

  it('begins a file a day, and deletes what is too old behind a signed row that says how far', () => {
    const one = gateway('a', { retentionMs: 2 * DAY_MS });
    one.seal(3);
    now += DAY_MS;
    one.seal(3);
    aged('gateway-a-1.jsonl', 1);
    now += 2 * DAY_MS;
    one.seal(2);
    one.close();
    expect(files()).toEqual(['gateway-a-2.jsonl', 'gateway-a-3.jsonl']);
    expect(report()).toMatchObject({ chains: [{ from: 4, to: 8 }], problems: [], notes: [{ code: 'deleted', n: 3 }] });
    // Without the signature the rows are just missing, and so are rows that it does not name.
    expect(report([]).problems).toMatchObject([{ code: 'missing' }]);
    const path = join(folder, 'gateway-a-2.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(1).join('\n'));
    expect(report().problems).toMatchObject([{ code: 'missing', n: 4 }]);
  });

  it('signs away nothing that no signed head covers', () => {
    const one = gateway('a');
    one.seal(3);
    one.close();
    const planted = nextLine({ chain: 'g1', n: 999, hash: FIRST_HASH }, '"id":"1-1","row":{}').line;
    writeFileSync(join(folder, 'gateway-x-1.jsonl'), `${planted}\n`);
    aged('gateway-x-1.jsonl', -9);
    gateway('b', { retentionMs: 2 * DAY_MS }).close();
    expect(files()).toContain('gateway-x-1.jsonl');
    expect(report().notes.map(({ code }) => code)).not.toContain('deleted');
  });

  function aged(name: string, days: number): void {
    const then = (NOW + days * DAY_MS) / 1_000 - 1;
    // As if the clock of the file system had been the gateway's.
    utimesSync(join(folder, name), then - DAY_MS / 1_000, then - DAY_MS / 1_000);
  }
});

describe('a gateway that is killed while it seals a claim', () => {
  const serverStarting = startRedisServer();
  let server: Awaited<typeof serverStarting>;
  let fixture: Awaited<ReturnType<typeof buildFixture>>;
  let opened: OpenedStore;
  beforeAll(async () => {
    [server, fixture] = await Promise.all([serverStarting, buildFixture('test/fixtures/observe/killed-sealer.ts')]);
    // They are read from beside the program.
    cpSync('src/store/redis/scripts', join(dirname(fixture.file), 'scripts'), { recursive: true });
  });
  afterAll(async () => {
    fixture.remove();
    await server.stop();
  });
  beforeEach(async () => {
    await server.client.flushall();
    opened = await openStore(server.url);
  });
  afterEach(() => opened.store.stop());

  it.each(['before', 'after', 'moved'])('%s: the next one goes on, and the chain has every row once', async (step) => {
    const { store } = opened;
    await store.open(request('r1'));
    await store.claim('r1', claim());
    const dying = startNode(fixture.file, [server.url, folder, 'dying', first.text, step]);
    const { stderr } = await dying.finished;
    expect([dying.child.signalCode, stderr]).toEqual(['SIGKILL', '']);
    // What it left is whole so far, and says that Redis has more.
    expect(report([first], await store.auditState()).problems).toEqual([]);
    await store.confirm('r1');
    const unsealed = (await store.auditState()).unsealed;
    expect(unsealed).toBe(step === 'moved' ? 2 : 5);

    // Its lease runs out.
    await server.client.del(KEYS.sealer);
    const audit = openGatewayAudit(folder, { gatewayId: 'next', key: first.key, clock: store.clock });
    await store.auditSealer({ holder: 'next', file: audit, vouch: audit.vouch, retentionMs: DAY_MS }).sealSome();
    audit.close();
    expect(report([first], await store.auditState())).toMatchObject({
      rows: 5,
      chains: [{ chain: 'dying', from: 1, to: 5, signedTo: 5 }],
      problems: [],
    });
    expect(exportedRows(readAudit(folder).lines, {}).map(({ event }) => event)).toEqual([
      'asked',
      'shown',
      'claimed',
      'delivered',
      'ended',
    ]);
  });
});

function report(keys: readonly (typeof first)[] = [first, second], sealed?: VerifyOptions['sealed']) {
  const known = keys.map(({ key }) => readVerdictKey(key.verdictKey));
  return verifyAudit({
    ...readAudit(folder),
    ...(keys.length === 0 ? {} : { open: (text: string) => openText(AUDIT_PURPOSE, text, known) }),
    ...(sealed === undefined ? {} : { sealed }),
  });
}

function codes(): [string[], string[]] {
  const { problems, notes } = report();
  return [problems.map(({ code }) => code), notes.map(({ code }) => code)];
}

function files(): string[] {
  return readdirSync(folder).sort();
}
