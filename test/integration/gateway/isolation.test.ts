import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SlackDouble, startSlackDouble } from '../../doubles/slack/index.ts';
import { freePort } from '../../support/free-port.ts';
import { programFor } from '../../support/program-for-others.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { PINNING_ENV, SIGNING_ENV } from '../../support/verdict-keys.ts';

/** Two users that need no entry anywhere. */
const USERS = { gateway: 64_101, agents: 64_102 } as const;

const WITHIN_MS = 60_000;

const isRoot = process.getuid?.() === 0;
const why = `NOT RUN: keeping agents apart from tokens needs two user ids, and only root can take them (this is ${process.getuid?.()})`;
if (!isRoot) process.stdout.write(`${why}\n`);

describe('agents under another user than the gateway', () => {
  let root: string;
  let slack: SlackDouble;
  let redis: RedisServer;
  let passwords: { readonly gateway: string; readonly owner: string };
  let port: number;
  const started: { kill(signal: 'SIGKILL'): unknown; done: Promise<unknown> }[] = [];

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'hr-isolation-'));
    chmodSync(root, 0o755);
    passwords = { gateway: secret('gateway'), owner: secret('owner') };
    port = await freePort();
    const users = readFileSync(new URL('../../../docs/redis-users.acl', import.meta.url), 'utf8');
    const acl = join(root, 'redis-users');
    writeFileSync(
      acl,
      users.replace('GATEWAY_PASSWORD', passwords.gateway).replace('OWNER_PASSWORD', passwords.owner),
      { mode: 0o600 },
    );
    redis = await startRedisServer({ args: ['--port', `${port}`, '--bind', '127.0.0.1', '--aclfile', acl] });
    slack = await startSlackDouble();
  });
  afterEach(async () => {
    for (const one of started) one.kill('SIGKILL');
    await Promise.all(started.splice(0).map(({ done }) => done));
    await Promise.all([slack.close(), redis.stop()]);
    rmSync(root, { recursive: true, force: true });
  });

  it('find no token or key in any environment, file or Redis key they can read', async (context) => {
    context.skip(!isRoot, why);
    const { counts, dump, keys } = await snoopWhileAsked(USERS.gateway);
    // It did look: the environment of `run` with its address of Redis, the files of its own user, keys of the question.
    expect(counts).toMatchObject({ addresses: 1 });
    for (const kind of ['environments', 'files', 'keys', 'refused'] as const) expect(counts[kind]).toBeGreaterThan(2);
    expect(dump).toContain(passwords.owner);
    expect(dump).toContain('Which database?');
    expect(secrets().filter((one) => dump.includes(one))).toEqual([]);
    // Whatever the rules say: the tokens are in no key at all.
    expect(secrets().filter((one) => keys.includes(one))).toEqual([]);
  }, 120_000);

  it('would find them where the gateway is the same user', async (context) => {
    context.skip(!isRoot, why);
    const { dump } = await snoopWhileAsked(USERS.agents);
    expect(secrets().filter((one) => !dump.includes(one))).toEqual([]);
  }, 120_000);

  /** What nobody but the gateway is to know. */
  function secrets(): string[] {
    return [slack.botToken, slack.appToken, passwords.gateway, SIGNING_ENV.HANDRAISE_SIGNING_KEY];
  }

  /** Starts the gateway as this user and, while a question is open, an agent that reads all it can. */
  async function snoopWhileAsked(gatewayUser: number) {
    const { root: program, node } = await programFor(Object.values(USERS), root);
    const shared = folder('tmp', 0, 0o1777);
    const start = (uid: number, home: string, args: readonly string[], env: Readonly<Record<string, string>>) => {
      const child = execa(node, [join(program, 'handraise.mjs'), ...args], {
        cwd: home,
        env: { PATH: `${dirname(node)}:/usr/bin:/bin`, HOME: home, TMPDIR: shared, ...env },
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
        timeout: WITHIN_MS,
        ...{ uid, gid: uid },
      });
      started.push({ kill: (signal) => child.kill(signal), done: child });
      return child;
    };

    const ana = slack.workspace.addUser({ name: 'ana' }).id;
    const channel = slack.workspace.addChannel({ name: 'agents', members: [ana] }).id;
    slack.workspace.join(channel, slack.workspace.botUserId);
    // Open to everybody, as homes often are: what the gateway keeps in it has to be closed by itself.
    const gatewayHome = folder('gateway', gatewayUser, 0o755);
    const config = {
      gateway: { listen: '127.0.0.1:0' },
      bindings: [{ match: { workspace: '*' }, slack: { channel } }],
    };
    const gateway = start(
      gatewayUser,
      gatewayHome,
      ['gateway', '--config', file('gateway.yaml', JSON.stringify(config), 0o644)],
      {
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_APP_TOKEN_FILE: file('app-token', slack.appToken, 0o600),
        SLACK_API_URL: slack.apiUrl,
        HANDRAISE_SIGNING_KEY_FILE: file('gateway.key', SIGNING_ENV.HANDRAISE_SIGNING_KEY, 0o600),
        HANDRAISE_REDIS_URL_FILE: file('redis-url', `redis://gateway:${passwords.gateway}@127.0.0.1:${port}`, 0o600),
      },
    );
    await said(gateway, gateway, 'is ready');

    const agentsHome = folder('agents', USERS.agents, 0o700);
    const redisUrl = `redis://owner:${passwords.owner}@127.0.0.1:${port}`;
    const owner = { HANDRAISE_REDIS_URL: redisUrl, ...PINNING_ENV };
    start(USERS.agents, agentsHome, ['ask', 'Which database?', '--option', 'Postgres', '--option', 'SQLite'], owner);
    await slack.until(ana, channel, (screen) => JSON.stringify(screen.messages).includes('Which database?'), WITHIN_MS);

    const keys = await contents();
    const names = join(agentsHome, 'keys.json');
    writeFileSync(names, JSON.stringify(keys.map(({ key, fields }) => [key, fields])), { mode: 0o644 });
    const dump = join(agentsHome, 'dump');
    const snoop = join(program, 'test/fixtures/agents/snoop.mjs');
    const places = [root, dirname(redis.socket)];
    const run = await start(USERS.agents, agentsHome, ['run', '--', node, snoop, dump, names, ...places], owner);
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
    return {
      counts: JSON.parse(run.stdout) as Record<'environments' | 'files' | 'keys' | 'refused' | 'addresses', number>,
      dump: readFileSync(dump, 'latin1'),
      keys: JSON.stringify(keys),
    };

    function file(name: string, content: string, mode: number): string {
      const path = join(gatewayHome, name);
      writeFileSync(path, content, { mode });
      chownSync(path, gatewayUser, gatewayUser);
      return path;
    }
  }

  function folder(name: string, uid: number, mode: number): string {
    const path = join(root, name);
    mkdirSync(path);
    chmodSync(path, mode);
    chownSync(path, uid, uid);
    return path;
  }

  /** Every key of the server, read as somebody who may. */
  async function contents(): Promise<{ key: string; fields: string[]; values: unknown }[]> {
    const gateway = redis.client.duplicate({ username: 'gateway', password: passwords.gateway });
    try {
      const found: { key: string; fields: string[]; values: unknown }[] = [];
      for await (const batch of gateway.scanStream()) {
        for (const key of batch as string[]) {
          const type = await gateway.type(key);
          const fields = type === 'hash' ? await gateway.hkeys(key) : [];
          found.push({ key, fields, values: await contentOf(gateway, key, type) });
        }
      }
      return found;
    } finally {
      gateway.disconnect();
    }
  }
});

function contentOf(redis: RedisServer['client'], key: string, type: string): Promise<unknown> {
  switch (type) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    // Gone since it was listed.
    case 'none':
      return Promise.resolve([]);
    default:
      throw new Error(`${key} is of the type ${type}, which this test cannot read`);
  }
}

/** Made up here, and different in every run. */
function secret(whose: string): string {
  return [whose, process.pid, Math.random().toString(36).slice(2)].join('-');
}

async function said(
  { stdout }: { readonly stdout: Readable | null },
  done: Promise<{ exitCode?: number | undefined; stderr?: unknown }>,
  text: string,
): Promise<void> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(text)) resolve();
    });
    done.then(({ exitCode, stderr }) => reject(new Error(`it ended with ${exitCode}: ${stderr}`)), reject);
  });
}
