import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HandraiseError } from '../../../src/core/errors.ts';
import { newSigningKey } from '../../../src/trust/keys.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { type HandraiseProcess, startHandraise } from './handraise-process.ts';
import type { Scratch } from './scratch.ts';
import type { PlaygroundWorkspace } from './workspace.ts';

/** A Redis of its own and a gateway that serves runs over it. */
export interface SharedPart {
  /** What a run needs to ask: no token and no private key is in it. */
  readonly ownersEnvironment: Readonly<Record<string, string>>;
  /** The gateway first, which settles what is left; then Redis. */
  close(): Promise<void>;
}

/** A gateway connects to Redis and both platforms first; a busy machine needs its time. */
const READY_WITHIN_MS = 30_000;

/** A gateway drains for 8 s at most. */
const STOP_WITHIN_MS = 10_000;

/** Throws `unavailable` where redis-server is not installed. */
export async function openSharedPart(
  workspace: PlaygroundWorkspace,
  scratch: Scratch,
  tokens: Readonly<Record<string, string>>,
): Promise<SharedPart> {
  const redis = await startRedis();
  try {
    const { key, text } = newSigningKey();
    const gateway = await startGateway(workspace, scratch, {
      ...tokens,
      HANDRAISE_REDIS_URL: redis.url,
      HANDRAISE_SIGNING_KEY: text,
    });
    return {
      ownersEnvironment: { HANDRAISE_REDIS_URL: redis.url, HANDRAISE_VERDICT_KEYS: key.verdictKey },
      async close() {
        await gateway.stop('SIGTERM', STOP_WITHIN_MS);
        await redis.stop();
      },
    };
  } catch (error) {
    await redis.stop();
    throw error;
  }
}

async function startRedis(): Promise<RedisServer> {
  try {
    return await startRedisServer({ args: ['--appendonly', 'yes'] });
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    if (cause?.code !== 'ENOENT') throw error;
    throw new HandraiseError('--redis starts a redis-server of its own, and none is installed.', {
      code: 'unavailable',
      hint: 'Debian, Ubuntu: apt-get install redis-server. macOS: brew install redis. Or leave --redis out.',
      cause: error,
    });
  }
}

async function startGateway(
  { channel, discordChannel }: PlaygroundWorkspace,
  { root, environment }: Scratch,
  env: Readonly<Record<string, string>>,
): Promise<HandraiseProcess> {
  const file = join(root, 'gateway.yaml');
  const places = { slack: { channel: channel.id }, discord: { channel: discordChannel.id } };
  const bindings = [{ match: { workspace: '*' }, ...places }];
  // Any free port: another gateway of this machine may have the usual one.
  await writeFile(file, JSON.stringify({ gateway: { listen: '127.0.0.1:0' }, bindings }), { mode: 0o600 });
  const gateway = startHandraise(['gateway', '--config', file], { cwd: root, env: { ...environment, ...env } });
  let said = '';
  gateway.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  const failure = (what: string) => new Error(`the gateway ${what}: ${said.trim()}`);
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: gateway.stdout }).on('line', (line) => {
        if (line.includes('is ready')) resolve();
      });
      void gateway.ended.then((code) => reject(failure(`ended with ${code}`)));
      timer = setTimeout(() => reject(failure(`was not ready within ${READY_WITHIN_MS / 1_000} s`)), READY_WITHIN_MS);
    });
    return gateway;
  } catch (error) {
    await gateway.stop('SIGKILL', 0);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
