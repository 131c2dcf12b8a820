import { afterEach, describe, expect, it } from 'vitest';
import { gatewayRules, ownerRules } from '../../../../src/store/redis/acl.ts';
import { newSigningKey } from '../../../../src/trust/keys.ts';
import { type GatewayStage, openGatewayStage } from '../../../support/gateway-stage.ts';
import { type RedisServer, startRedisServer } from '../../../support/redis-server.ts';
import { KEYS } from '../../../support/redis-store.ts';
import { GATEWAY_KEY, PINNING_ENV, SIGNING_ENV } from '../../../support/verdict-keys.ts';
import { cureOf, type DoctorStage, found, openDoctorStage, wrong } from './stage.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function aStage(): Promise<DoctorStage> {
  const stage = await openDoctorStage();
  closing.push(() => stage.close());
  return stage;
}

async function aRedis(...args: string[]): Promise<RedisServer> {
  const server = await startRedisServer({ args });
  closing.push(() => server.stop());
  return server;
}

/** The URL of a user with these rules. */
async function userWith(server: RedisServer, ...rules: readonly string[]): Promise<string> {
  const password = ['owner', 'password'].join('-');
  await server.client.call('ACL', 'SETUSER', 'runs', 'reset', 'on', `>${password}`, ...rules);
  return server.url.replace('unix://', `unix://runs:${password}@`);
}

describe('doctor and the Redis of runs', () => {
  it('finds a persistent server and the user of docs/deploy.md in order, and writes nothing', async () => {
    const [stage, server] = [await aStage(), await aRedis('--appendonly', 'yes')];
    const findings = await stage.examine({
      ...PINNING_ENV,
      HANDRAISE_REDIS_URL: await userWith(server, ...ownerRules(KEYS)),
    });
    expect(wrong(findings)).toEqual(['fail gateways.alive', 'warn self-test.round-trip']);
    expect(found(findings, 'redis.persistence')).toEqual(['ok: What it holds survives its restart (appendonly yes).']);
    expect(found(findings, 'redis.rights')).toEqual(['ok: This Redis user may do what runs need, and no more.']);
    expect(found(findings, 'redis.pubsub')).toEqual([expect.stringMatching(/^ok: A wake-up is heard after [\d.]+ ms/)]);
    expect(await server.client.dbsize()).toBe(0);
  });

  it('warns of a user of runs that could record answers, and of a server that forgets and evicts', async () => {
    const [stage, server] = [await aStage(), await aRedis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru')];
    const findings = await stage.examine({ ...PINNING_ENV, HANDRAISE_REDIS_URL: server.url });
    expect(wrong(findings)).toEqual([
      'warn redis.persistence',
      'warn redis.memory',
      'warn redis.rights',
      'fail gateways.alive',
      'warn self-test.round-trip',
    ]);
    expect(found(findings, 'redis.rights')[0]).toContain(
      'more than runs need: record answers; say that a card was posted',
    );
    expect(cureOf(findings, 'redis.rights')).toContain('a Redis user of their own');
  });

  it.each([
    ['record answers', [`~${KEYS.request('*', 'verdict')}`], /^warn: .*more than runs need: record answers\./],
    ['pass for a gateway', [`~${KEYS.gateways}`], /^warn: .*more than runs need: pass for a gateway\./],
    ['read the audit', [`~${KEYS.audit}`, '+xrange'], /^warn: .*: read, cut or seal the audit\./],
    ['empty the server', ['+flushall'], /^warn: .*: empty or reconfigure the server\./],
  ])('tells apart what one rule too many allows: %s', async (_, more, words) => {
    const [stage, server] = [await aStage(), await aRedis()];
    const findings = await stage.examine({
      ...PINNING_ENV,
      HANDRAISE_REDIS_URL: await userWith(server, ...ownerRules(KEYS), ...more),
    });
    expect(found(findings, 'redis.rights')).toEqual([expect.stringMatching(words)]);
  });

  it.each([
    ['(+xadd', 'write audit rows'],
    ['+zadd', 'open, wait for and end requests; record, use and end grants; hold its lease'],
    [`&${KEYS.ownerChannel('*')}`, 'wake gateways and be woken'],
    [`%R~${KEYS.request('*', 'verdict')}`, 'read answers and cards'],
  ])('tells what a user lacks without the rule %s', async (rule, what) => {
    const [stage, server] = [await aStage(), await aRedis()];
    expect(ownerRules(KEYS)).toContain(rule);
    // What a selector allows stands behind it, up to the bracket.
    const rules = ownerRules(KEYS).filter((one) => one !== rule && !(rule.startsWith('(') && one.endsWith(')')));
    const findings = await stage.examine({ ...PINNING_ENV, HANDRAISE_REDIS_URL: await userWith(server, ...rules) });
    expect(found(findings, 'redis.rights')).toEqual([
      `fail: This Redis user is too narrow for runs: it may not ${what}.`,
    ]);
  });

  it('says so when the user may not even run scripts', async () => {
    const [stage, server] = [await aStage(), await aRedis()];
    const rules = ownerRules(KEYS).filter((one) => !one.startsWith('+eval'));
    const findings = await stage.examine({ ...PINNING_ENV, HANDRAISE_REDIS_URL: await userWith(server, ...rules) });
    expect(found(findings, 'redis.rights')).toEqual(['fail: This Redis user may not run scripts (EVAL, EVALSHA).']);
  });

  it('finds the gateway’s user of docs/deploy.md in order, and that of runs too narrow for a gateway', async () => {
    const [stage, server] = [await aStage(), await aRedis()];
    const asGateway = async (rules: readonly string[]) => {
      const findings = await stage.examine({
        ...stage.env,
        ...SIGNING_ENV,
        HANDRAISE_REDIS_URL: await userWith(server, ...rules),
      });
      return found(findings, 'redis.rights');
    };
    expect(await asGateway(gatewayRules(KEYS))).toEqual(['ok: This Redis user may do what a gateway does.']);
    expect(await asGateway(ownerRules(KEYS))).toEqual([
      'fail: This Redis user is too narrow for a gateway: it may not take grants back; record answers; record cards; hold its lease; seal the audit.',
    ]);
  });

  it('tells a wrong password from a server that is not there', async () => {
    const [stage, server] = [await aStage(), await aRedis()];
    const wrongPassword = server.url.replace('unix://', 'unix://runs:wrong@');
    const findings = await stage.examine({ ...PINNING_ENV, HANDRAISE_REDIS_URL: wrongPassword });
    expect(found(findings, 'redis.server')).toEqual([expect.stringContaining('WRONGPASS')]);
    expect(JSON.stringify(findings)).not.toContain('wrong@');
    await server.kill();
    const away = await stage.examine({ ...PINNING_ENV, HANDRAISE_REDIS_URL: server.url });
    expect(wrong(away)).toEqual(['fail redis.server', 'warn self-test.round-trip']);
    expect(cureOf(away, 'redis.server')).toContain(server.socket);
  });

  it('does not hang on a server that does not answer', async () => {
    const [stage, server] = [await aStage(), await aRedis()];
    server.freeze();
    try {
      const findings = await stage.examine({ ...PINNING_ENV, HANDRAISE_REDIS_URL: server.url });
      expect(wrong(findings)).toEqual(['fail redis.server', 'warn self-test.round-trip']);
    } finally {
      server.resume();
    }
  });
});

describe('doctor where a gateway serves runs', () => {
  async function served(): Promise<GatewayStage> {
    const stage = await openGatewayStage();
    closing.push(() => stage.close());
    await stage.gateway();
    return stage;
  }

  it('says which keys count, and that a gateway is not believed whose key was not given, or none was', async () => {
    const [stage, doctor] = [await served(), await aStage()];
    const { verdictKey, keyId } = newSigningKey().key;
    const other = await doctor.examine({ ...stage.ownerEnv, HANDRAISE_VERDICT_KEYS: verdictKey });
    expect(found(other, 'gateways.keys')).toEqual([`ok: Runs here believe gateways that sign with ${keyId}.`]);
    expect(found(other, 'gateways.trust')).toEqual([expect.stringContaining(`signed with ${GATEWAY_KEY.keyId}`)]);
    expect(wrong(other)).toContain('warn self-test.round-trip');
    const none = await doctor.examine({ HANDRAISE_REDIS_URL: stage.redis.url });
    expect(wrong(none)).toContain('fail gateways.keys');
    expect(found(none, 'gateways.trust')).toEqual([]);
  });

  it('has a question posted and settled as a run would, and gives its lease back', async () => {
    const [stage, doctor] = [await served(), await aStage()];
    const findings = await doctor.examine(stage.ownerEnv);
    expect(wrong(findings)).toEqual(['warn redis.persistence', 'warn redis.rights']);
    expect(found(findings, 'gateways.alive')).toEqual(['ok: 1 gateway is connected.']);
    expect(found(findings, 'self-test.round-trip')).toEqual([
      expect.stringMatching(/^ok: A gateway posted.*withdrawn.*settled.*stays in its channel\.$/),
    ]);
    await stage.seen('Withdrawn');
    expect(stage.cards('Self-test')[0]?.controls).toEqual([]);
    expect(await stage.redis.client.zcard(KEYS.unfinished)).toBe(0);
    // What is drawn on a card is recorded a moment later.
    await expect.poll(() => stage.redis.client.zcard(KEYS.work)).toBe(0);
    expect(await stage.redis.client.zrangebyscore(KEYS.owners, Date.now() + 1_000, '+inf')).toEqual([]);
    expect(stage.slack.violations).toEqual([]);
  });

  it('takes no click from the gateway, and deletes its card where it has a token', async () => {
    const [stage, doctor] = [await served(), await aStage()];
    const { slack } = stage;
    await expect.poll(() => slack.sockets.open.length, { timeout: 20_000 }).toBe(2);
    const before = slack.calls.filter(({ method }) => method === 'apps.connections.open').length;
    const findings = await doctor.examine({
      ...stage.ownerEnv,
      ...SIGNING_ENV,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      HANDRAISE_SLACK_CHANNEL: stage.channel,
    });
    expect(wrong(findings)).toEqual(['warn redis.persistence']);
    expect(found(findings, 'redis.rights')).toEqual(['ok: This Redis user may do what a gateway does.']);
    expect(found(findings, 'slack.connection')).toEqual([
      expect.stringMatching(/^ok: Not tried, .*: one is connected\.$/),
    ]);
    expect(slack.calls.filter(({ method }) => method === 'apps.connections.open')).toHaveLength(before);
    expect(slack.screen(stage.ana, stage.channel).messages).toEqual([]);
  });

  it('opens no connection to Slack beside a gateway that is not believed, nor where nobody can tell', async () => {
    const [stage, doctor] = [await served(), await aStage()];
    const { slack } = stage;
    await expect.poll(() => slack.sockets.open.length, { timeout: 20_000 }).toBe(2);
    const opened = () => slack.calls.filter(({ method }) => method === 'apps.connections.open').length;
    const before = opened();
    const env = {
      ...{ HANDRAISE_REDIS_URL: stage.redis.url, HANDRAISE_SIGNING_KEY: newSigningKey().text },
      ...{ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
      HANDRAISE_SLACK_CHANNEL: stage.channel,
    };
    const findings = await doctor.examine(env);
    expect(wrong(findings)).toEqual(['warn redis.persistence', 'fail gateways.trust', 'warn self-test.round-trip']);
    await stage.redis.kill();
    expect(found(await doctor.examine(env), 'slack.connection')).toEqual([
      'ok: Not tried, to take no click from a gateway: one may be connected.',
    ]);
    expect(opened()).toBe(before);
  });

  it('that is interrupted leaves no open request and no lease', async () => {
    const stage = await served();
    stage.slack.faults.api('chat.postMessage', { kind: 'delay', ms: 3_000, times: 5 });
    const running = stage.desk.start(['doctor', '--json'], { env: { ...stage.ownerEnv } });
    const open = () => stage.redis.client.zcard(KEYS.unfinished);
    await expect.poll(open, { timeout: 20_000 }).toBe(1);
    running.kill('SIGINT');
    expect((await running).exitCode).toBe(130);
    expect(await open()).toBe(0);
    expect(await stage.redis.client.zrangebyscore(KEYS.owners, Date.now() + 1_000, '+inf')).toEqual([]);
  });

  it('sends whoever waited for a gateway in vain to its log, which doctor does not have', async () => {
    const [stage, doctor] = [await served(), await aStage()];
    stage.slack.faults.api('chat.postMessage', { kind: 'delay', ms: 20_000, times: 100 });
    const findings = await doctor.examine(stage.ownerEnv);
    expect(found(findings, 'self-test.round-trip')).toEqual([expect.stringMatching(/^fail: .*within 12 s/)]);
    expect(cureOf(findings, 'self-test.round-trip')).toMatch(/log of a gateway/);
  });

  it('says why a gateway does not post', async () => {
    const [stage, doctor] = [await served(), await aStage()];
    stage.slack.faults.api('chat.postMessage', { kind: 'error', error: 'restricted_action', times: 100 });
    const findings = await doctor.examine(stage.ownerEnv);
    expect(found(findings, 'self-test.round-trip')).toEqual([
      expect.stringMatching(/^fail: .*undeliverable.*restricted_action/),
    ]);
    expect(await stage.redis.client.zcard(KEYS.unfinished)).toBe(0);
  });
});
