import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Secret } from '../../src/config/secret.ts';
import { systemClock } from '../../src/core/clock.ts';
import { newRandomId } from '../../src/core/ids.ts';
import { openSharedOwner } from '../../src/gateway/shared-owner.ts';
import { type SlackDouble, startSlackDouble } from '../doubles/slack/index.ts';
import { type Compose, inContainer } from '../support/compose.ts';
import { type DiscordChannel, openDiscordChannel } from '../support/discord-channel.ts';
import { dockerIgnore } from '../support/docker-ignore.ts';
import { readDockerfile } from '../support/dockerfile.ts';
import { freePort } from '../support/free-port.ts';
import { choice } from '../support/gateway-stage.ts';
import { recordingLog } from '../support/recording-log.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { SESSION } from '../support/requests.ts';
import { OWNER_CONFIG, SIGNING_ENV } from '../support/verdict-keys.ts';
import { withFileLock } from './support/file-lock.ts';
import { type BuiltStage, buildImage, NODE_USER } from './support/image.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const text = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const isRoot = process.getuid?.() === 0;

const dockerfile = readDockerfile(text('Dockerfile'));
const { services } = parse(text('compose.yaml')) as Compose;

/**
 * The port of the image's health check. Outside of a container there is one for the whole machine: where somebody has
 * it, both sides take another.
 */
const PORT = 8787;
const PORT_LOCK = join(tmpdir(), 'handraise-port-8787.lock');

let folder: string;
let stage: BuiltStage;
let redis: RedisServer;
let slack: SlackDouble;
let discord: DiscordChannel;
let redisPort: number;
/** Where the gateway answers probes. */
let probed: number;
/** The environment of compose.yaml, its files where this machine has them. */
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hr-image-'));
  chmodSync(folder, 0o755);
  stage = await buildImage({ dockerfile, context: ROOT, ignores: dockerIgnore(text('.dockerignore')), into: folder });
  slack = await startSlackDouble();
  discord = await openDiscordChannel();
  redisPort = await freePort();
  const within = inContainer(stage.root);
  for (const place of ['/run/secrets', '/etc/handraise']) mkdirSync(within(place), { recursive: true });
  const users = text('docs/redis-users.acl')
    .replace('GATEWAY_PASSWORD', 'of-gateways')
    .replace('OWNER_PASSWORD', 'of-owners');
  writeFileSync(within('/run/secrets/redis-users'), users);
  writeFileSync(within('/run/secrets/redis-url'), `redis://gateway:of-gateways@127.0.0.1:${redisPort}`);
  writeFileSync(within('/run/secrets/signing-key'), SIGNING_ENV.HANDRAISE_SIGNING_KEY);
  writeFileSync(within('/run/secrets/slack-bot-token'), slack.botToken);
  writeFileSync(within('/run/secrets/slack-app-token'), slack.appToken);
  writeFileSync(within('/run/secrets/discord-bot-token'), discord.discord.botToken);
  const port = ['--port', `${redisPort}`, '--bind', '127.0.0.1'];
  redis = await startRedisServer({ args: [...port, ...services.redis.command.slice(1).map(within)] });
  const named = Object.entries({ ...dockerfile.image.env, ...services.gateway.environment });
  env = Object.fromEntries(named.map(([name, value]) => [name, within(value)]));
}, 900_000);

afterAll(async () => {
  await Promise.all([redis?.stop(), slack?.close(), discord?.[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});

describe('the image', () => {
  it('holds the built program and what it needs to run, no test, no tool and no secret', () => {
    const [, ...flags] = dockerfile.image.entrypoint;
    expect(existsSync(join(stage.workdir, flags.at(-1) ?? ''))).toBe(true);
    expect(readdirSync(stage.workdir).sort()).toEqual(['LICENSE', 'dist', 'node_modules', 'package.json']);
    expect(existsSync(join(stage.workdir, 'dist/test'))).toBe(false);
    const needed = Object.keys(JSON.parse(text('package.json')).dependencies);
    const installed = (name: string) => existsSync(join(stage.workdir, 'node_modules', name, 'package.json'));
    expect(needed.filter((name) => !installed(name))).toEqual([]);
    expect(['typescript', 'esbuild', 'vitest', '@biomejs/biome', 'knip', 'playwright-core'].filter(installed)).toEqual(
      [],
    );
  });

  it('says of the playground that it is not part of it', async () => {
    const { exitCode, stderr } = await inImage(['playground', '--auto']);
    expect([exitCode, stderr]).toEqual([69, expect.stringMatching(/^handraise: The playground is not part of this/)]);
  });

  it('serves agents as compose.yaml starts it, passes its health check, and stops by itself', async () => {
    await withFileLock(PORT_LOCK, 300_000, serve);
  }, 400_000);
});

async function serve(): Promise<void> {
  const ana = slack.workspace.addUser({ name: 'ana' }).id;
  const channel = slack.workspace.addChannel({ name: 'agents', members: [ana] }).id;
  slack.workspace.join(channel, slack.workspace.botUserId);
  probed = await freePort(PORT);
  const bindings = [{ match: { workspace: '*' }, slack: { channel }, discord: { channel: discord.channel } }];
  const config = probed === PORT ? { bindings } : { bindings, gateway: { listen: `127.0.0.1:${probed}` } };
  writeFileSync(join(stage.root, 'etc/handraise/gateway.yaml'), JSON.stringify(config));
  expect(await sh(services.redis.healthcheck.test)).toBe(0);
  expect(await healthcheck()).toBe(1);

  const gateway = inImage([...dockerfile.image.command]);
  await expect.poll(healthcheck, { timeout: 60_000, interval: 500 }).toBe(0);
  await expect.poll(() => fetchStatus('/readyz'), { timeout: 60_000 }).toBe(200);
  const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8')) ?? [];
  expect(Number(uid)).toBe(isRoot ? NODE_USER : process.getuid?.());
  expect(Number(uid)).not.toBe(0);

  const owner = await openSharedOwner({
    config: OWNER_CONFIG,
    redisUrl: new Secret(`redis://owner:of-owners@127.0.0.1:${redisPort}`),
    session: SESSION,
    clock: systemClock,
    newId: newRandomId,
    log: recordingLog(),
  });
  if (owner === undefined) throw new Error('no binding');
  const asked = owner.prompter.ask(choice('Ship it?', 'Yes', 'No'), { signal: new AbortController().signal });
  await slack.until(ana, channel, (screen) => JSON.stringify(screen.messages).includes('Ship it?'), 30_000);
  await discord.press('Ship it?', 'Yes');
  const result = await asked;
  expect(result.outcome.kind).toBe('answered');
  await result.delivered();
  await owner.stop();
  await slack.until(ana, channel, (screen) => JSON.stringify(screen.messages).includes('Answered'), 30_000);
  const audit = join(stage.root, dockerfile.image.volumes[0] ?? '', 'audit');
  await expect
    .poll(() =>
      readdirSync(audit)
        .map((file) => readFileSync(join(audit, file), 'utf8'))
        .join(''),
    )
    .toContain('"delivered"');

  gateway.kill(dockerfile.image.stopSignal as NodeJS.Signals);
  const { exitCode, stderr } = await gateway;
  expect([exitCode, stderr]).toEqual([0, expect.not.stringMatching(/"level":(40|50)/)]);
  expect(await healthcheck()).toBe(1);
  expect(slack.violations).toEqual([]);
}

/** Starts the image's program as its user, with what the container would have in its environment. */
function inImage(args: readonly string[]) {
  const [program = '', ...flags] = dockerfile.image.entrypoint;
  return execa(program, [...flags, ...args], {
    cwd: stage.workdir,
    env: {
      ...env,
      SLACK_API_URL: slack.apiUrl,
      DISCORD_API_URL: discord.discord.apiUrl,
      HOME: '/nonexistent',
      PATH: process.env['PATH'] ?? '',
    },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: 180_000,
    killSignal: 'SIGKILL',
    ...(isRoot ? { uid: NODE_USER, gid: NODE_USER } : {}),
  });
}

async function healthcheck(): Promise<number | undefined> {
  const [program = '', ...args] = dockerfile.image.healthcheck.map((word) => word.replace(`:${PORT}/`, `:${probed}/`));
  const { exitCode } = await execa(program, args, { reject: false, timeout: 20_000 });
  return exitCode;
}

/** compose's form of a health check: `CMD-SHELL` and a line for a shell; the server listens at another port here. */
async function sh([form, line = '']: readonly string[]): Promise<number | undefined> {
  expect(form).toBe('CMD-SHELL');
  const here = line.replace('redis-cli', `redis-cli -p ${redisPort}`);
  const { exitCode } = await execa('sh', ['-c', here], { reject: false, timeout: 20_000 });
  return exitCode;
}

async function fetchStatus(path: string): Promise<number> {
  return (await fetch(`http://127.0.0.1:${probed}${path}`)).status;
}
