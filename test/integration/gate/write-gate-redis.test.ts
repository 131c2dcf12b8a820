import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newRandomId } from '../../../src/core/ids.ts';
import type { RequestRecord } from '../../../src/core/request.ts';
import { ownerOverRedis, type RedisOwnerOptions } from '../../support/redis-gate.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { KEYS } from '../../support/redis-store.ts';
import { arrived, bash, DENY, grant, proposalIn, writing } from '../../support/write-gate.ts';

const server = await startRedisServer();
afterAll(() => server.stop());

let workspace: string;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  await server.client.flushall();
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'hr-gate-')));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(workspace, { recursive: true, force: true });
});

/** One process with a gate of its own, over the same Redis as the others. */
async function anOwner(options: Partial<RedisOwnerOptions> = {}) {
  const owner = await ownerOverRedis({ url: server.url, workspace, ...options });
  closing.push(owner.close);
  return owner;
}

describe('the write gate over Redis', () => {
  it('lets a later process of the same session in the same workspace run by a grant for the session', async () => {
    const first = await anOwner();
    await first.decided(writing('a.txt'), grant('session'));
    await first.decided(bash('npm test'), grant('session'));
    await first.decided(writing('.claude/settings.json'), grant('action'));
    await first.gate.stop();

    const second = await anOwner();
    for (const call of [writing('b.txt'), bash('npm test', { description: 'Again' })]) {
      expect((await arrived(second.check(call, { turnId: 'turn-9' }))).behavior).toBe('allow');
    }
    expect(second.events).toMatchObject([
      { by: 'active_scope', scope: 'session', granted: true },
      { by: 'active_scope', scope: 'session', granted: true },
    ]);
    const another = second.check(bash('npm test -- --watch'));
    await second.decide((await second.cards(1))[0], DENY);
    expect((await arrived(another)).behavior).toBe('deny');
  });

  it('ends a session’s grant when it goes on in another workspace', async () => {
    const first = await anOwner();
    await first.decided(writing('a.txt'), grant('session'));
    const elsewhere = await anOwner({ workspace: realpathSync(tmpdir()) });
    const checking = elsewhere.check(writing('hr-b.txt'));
    await elsewhere.decide((await elsewhere.cards(1))[0], DENY);
    expect((await arrived(checking)).behavior).toBe('deny');
    expect(await first.store.grants.listActive()).toEqual([]);
  });

  it('does not believe a stored grant that no gateway signed, or that says more than was signed', async () => {
    const first = await anOwner();
    await first.decided(bash('npm test'), grant('session'));
    await first.decided(bash('make all'), grant('action'));
    const [given] = await first.store.grants.listActive();
    if (given === undefined) throw new Error('nothing was granted');
    const { grantedAt: _, uses: __, usedBy: ___, ...signed } = given;
    const wide = { ...signed, covers: 'workspace-writes' } as const;
    // As somebody with the Redis user of runs could.
    await server.client.hset(KEYS.request(given.requestId, 'grant'), 'grant', JSON.stringify(wide));
    const record = (await first.store.read(given.requestId)) as RequestRecord;
    for (const forged of [
      { ...wide, requestId: 'made up' },
      { ...wide, requestId: newRandomId(), ownerId: given.ownerId, scope: 'turn' as const },
    ]) {
      await first.store.grants.grant(forged);
    }
    expect(record.verdict?.signature).toBeDefined();
    for (const owner of [first, await anOwner()]) {
      const checking = owner.check(writing('a.txt'));
      await owner.decide((await owner.cards(1))[0], DENY);
      expect((await arrived(checking)).behavior).toBe('deny');
      await owner.gate.turnEnded('turn-1');
    }
    // What was given here is still as good as it was.
    expect((await arrived(first.check(bash('npm test'), { turnId: 'turn-2' }))).behavior).toBe('allow');
  });

  it('keeps a turn’s grant to the process it was given to, and ends it with that', async () => {
    const first = await anOwner();
    await first.decided(writing('a.txt'), grant('turn'));
    const second = await anOwner();
    const checking = second.check(writing('a.txt'));
    await second.decide((await second.cards(1))[0], DENY);
    expect((await arrived(checking)).behavior).toBe('deny');
    await first.gate.stop();
    expect(await first.store.grants.listActive()).toEqual([]);
  });

  it('answers another open proposal of the session, and its record says by which', async () => {
    const { check, cards, decide, store } = await anOwner();
    const [first, other] = [check(writing('a.txt')), check(writing('b.txt'))];
    const open = await cards(2);
    const on = (name: string) => open.find((card) => proposalIn(card).targets[0]?.path.endsWith(name));
    await decide(on('a.txt'), grant('turn'));
    expect((await arrived(first)).behavior).toBe('allow');
    expect((await arrived(other)).behavior).toBe('allow');
    expect((await store.read(on('b.txt')?.requestId ?? ''))?.outcome).toEqual({
      kind: 'cancelled',
      coveredBy: on('a.txt')?.requestId,
    });
  });

  it('keeps in the record that a permission was not used since the script had changed', async () => {
    const { check, cards, decide, store } = await anOwner();
    writeFileSync(join(workspace, 'deploy.sh'), 'echo one\n');
    const checking = check(bash('bash deploy.sh'));
    const [card] = await cards(1);
    writeFileSync(join(workspace, 'deploy.sh'), 'echo two\n');
    await decide(card, grant('turn'));
    expect(await arrived(checking)).toMatchObject({ behavior: 'deny', kind: 'drifted' });
    expect((await store.read(card?.requestId ?? ''))?.outcome).toEqual({ kind: 'indeterminate', withheld: 'drifted' });
    expect(await store.grants.listActive()).toEqual([]);
  });

  it('denies, and says that it is no refusal, when Redis goes away between the click and the grant', async () => {
    const away = await startRedisServer();
    closing.push(() => away.stop());
    const { check, cards, decide, events } = await anOwner({
      url: away.url,
      commandMs: 200,
      onVerdict: () => away.kill(),
    });
    const checking = check(writing('a.txt'));
    await decide((await cards(1))[0], grant('turn'));
    const denied = { behavior: 'deny', kind: 'not_recorded', message: expect.stringContaining('not a refusal') };
    expect(await arrived(checking)).toMatchObject(denied);
    // And from the start, when it is away.
    expect(await arrived(check(writing('b.txt')))).toMatchObject(denied);
    expect(events.map(({ granted, by }) => [granted, by])).toEqual([
      [false, 'system'],
      [false, 'system'],
    ]);
  });
});
