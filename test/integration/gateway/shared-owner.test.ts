import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Binding } from '../../../src/config/schema.ts';
import { Secret } from '../../../src/config/secret.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { newRandomId } from '../../../src/core/ids.ts';
import type { GatewayLease } from '../../../src/core/ports/leases.ts';
import { openSharedOwner } from '../../../src/gateway/shared-owner.ts';
import { signLease } from '../../../src/gateway/signed-leases.ts';
import { ownerRules } from '../../../src/store/redis/acl.ts';
import type { RedisStore } from '../../../src/store/redis/store.ts';
import { newSigningKey, type SigningKey } from '../../../src/trust/keys.ts';
import { choice } from '../../support/gateway-stage.ts';
import { createDesk } from '../../support/handraise.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { KEYS, openStore } from '../../support/redis-store.ts';
import { SESSION } from '../../support/requests.ts';
import { GATEWAY_KEY, OWNER_CONFIG, PINNING_ENV } from '../../support/verdict-keys.ts';

let server: RedisServer;
let store: RedisStore;
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.client.flushall();
  store = (await openStore(server.url)).store;
});
afterEach(() => store.stop());

describe('an owner over Redis', () => {
  it('is refused with the cure while no gateway is alive, one that was included', async () => {
    await expect(open()).rejects.toMatchObject({ code: 'unavailable', hint: expect.stringContaining('gateway') });
    await gateway([binding()], { forMs: 0 });
    await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is refused while Redis is away', async () => {
    const away = new Secret(`${server.url}.nowhere`);
    await expect(open(away)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(/reached/) });
  });

  it('asks nobody where no binding of a gateway matches, or the first that does says so', async () => {
    await gateway([binding({ match: { workspace: '/elsewhere' } })]);
    expect(await open()).toBeUndefined();
    await gateway([binding({ questions: { mode: 'deny', operators: '*', waitMs: 60_000 } }), binding()]);
    expect(await open()).toBeUndefined();
  });

  it('is refused, with what the gateway says, where nothing can be posted, unless another gateway can', async () => {
    await gateway([binding()], { refused: 'Invite the bot to the channel.' });
    await expect(open()).rejects.toMatchObject({ code: 'unavailable', hint: 'Invite the bot to the channel.' });
    await gateway([binding()], { gatewayId: 'g2' });
    const owner = await open();
    await owner?.stop();
    expect(owner).toBeDefined();
  });

  it('is refused where every gateway speaks another version', async () => {
    await store.leases.holdGateway({ gatewayId: 'g1', platform: 'slack', body: '{"v":2}' }, 10_000);
    await expect(open()).rejects.toMatchObject({ message: expect.stringContaining('another version') });
  });

  it('is refused, naming both keys, where no gateway signs with one of its own, and served by either of two', async () => {
    const { key } = newSigningKey();
    await gateway([binding()], { key });
    await expect(open()).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringMatching(`signs with the key ${key.keyId}; pinned are ${GATEWAY_KEY.keyId}\\.`),
    });
    const both = { ...OWNER_CONFIG, trust: { verdictKeys: [GATEWAY_KEY.verdictKey, key.verdictKey] } };
    const owner = await open(undefined, both);
    await owner?.stop();
    expect(owner).toBeDefined();
  });

  it.each([
    ['too old: somebody’s copy', (lease: GatewayLease) => lease, 16_000],
    ['of the future', (lease: GatewayLease) => lease, -6_000],
    ['of another gateway', (lease: GatewayLease) => ({ ...lease, gatewayId: 'g2' }), 0],
    ['changed', (lease: GatewayLease) => ({ ...lease, body: lease.body.replace('60000', '90000') }), 0],
  ])('ignores a lease that is %s', async (_, changed, age) => {
    const about = { gatewayId: 'g1', platform: 'slack', issuedAt: store.clock.now() - age } as const;
    await store.leases.holdGateway(changed(signLease(about, [binding()], () => undefined, GATEWAY_KEY)), 60_000);
    await expect(open()).rejects.toMatchObject({
      message: expect.stringContaining('can prove that it is one'),
      hint: expect.stringContaining('wrong or old'),
    });
    // One that can be believed is enough, whatever else stands there.
    await gateway([binding()], { gatewayId: 'g3' });
    const owner = await open();
    await owner?.stop();
    expect(owner).toBeDefined();
  });

  it('holds a lease while it lives and gives it back at its end, so that what it left is swept at once', async () => {
    await gateway([binding()]);
    const owner = await open();
    const [id = '', until] = await server.client.zrange(KEYS.owners, 0, '-1', 'WITHSCORES');
    expect(Number(until)).toBeGreaterThan(Date.now() + 5_000);
    await owner?.stop();
    expect(Number(await server.client.zscore(KEYS.owners, id))).toBeLessThanOrEqual(Date.now() + 5);
  });
});

it('makes a run headless where no binding of a gateway matches: the agent gets no tool and none of our variables', async () => {
  await gateway([binding({ match: { workspace: '/elsewhere' } })]);
  const desk = createDesk();
  try {
    const { stdout, stderr, exitCode } = await desk.start(['run', '--', '/usr/bin/env'], {
      env: { HANDRAISE_REDIS_URL: server.url, ...PINNING_ENV },
    });
    expect(text(stderr)).toBe('');
    expect(text(stdout)).toContain('PATH=');
    expect(text(stdout)).not.toMatch(/HANDRAISE|redis/);
    expect(exitCode).toBe(0);
    await gateway([binding({ match: { workspace: '/elsewhere' } })]);
    const asked = await desk.start(['ask', 'Which one?'], {
      env: { HANDRAISE_REDIS_URL: server.url, ...PINNING_ENV },
    });
    expect(JSON.parse(text(asked.stdout))).toMatchObject({ outcome: 'no_channel' });
    expect(asked.exitCode).toBe(3);
  } finally {
    desk.remove();
  }
});

it('works for the Redis user that docs/deploy.md gives to owners', async () => {
  const password = ['owner', 'password'].join('-');
  await server.client.call('ACL', 'SETUSER', 'owner', 'on', `>${password}`, ...ownerRules(KEYS));
  await gateway([binding()]);
  const owner = await open(new Secret(server.url.replace('unix://', `unix://owner:${password}@`)));
  const withdrawal = new AbortController();
  const onAccepted = () => withdrawal.abort();
  const asked = owner?.prompter.ask(choice('Which one?', 'this', 'that'), { signal: withdrawal.signal, onAccepted });
  expect((await asked)?.outcome).toEqual({ kind: 'cancelled' });
  await owner?.stop();
});

function open(redisUrl = new Secret(server.url), config = OWNER_CONFIG) {
  return openSharedOwner({
    config,
    redisUrl,
    session: SESSION,
    clock: systemClock,
    newId: newRandomId,
    log: recordingLog(),
  });
}

function text(bytes: Uint8Array | undefined): string {
  return String(Buffer.from(bytes ?? []));
}

function binding(changes: Partial<Binding> = {}): Binding {
  return {
    match: { workspace: '*' },
    slack: { channel: 'C1' },
    questions: { mode: 'ask', operators: '*', waitMs: 60_000 },
    ...changes,
  };
}

async function gateway(
  bindings: readonly Binding[],
  {
    gatewayId = 'g1',
    forMs = 10_000,
    refused,
    key = GATEWAY_KEY,
  }: { gatewayId?: string; forMs?: number; refused?: string; key?: SigningKey } = {},
): Promise<void> {
  const about = { gatewayId, platform: 'slack', issuedAt: store.clock.now() } as const;
  await store.leases.holdGateway(
    signLease(about, bindings, () => refused, key),
    forMs,
  );
}
