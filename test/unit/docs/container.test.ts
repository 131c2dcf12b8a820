import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { placesOf } from '../../../src/gateway/surfaces.ts';
import { gatewayRules, ownerRules } from '../../../src/store/redis/acl.ts';
import { createKeys } from '../../../src/store/redis/keys.ts';
import { sourceFiles } from '../../architecture/source-files.ts';
import { type Compose, inContainer } from '../../support/compose.ts';
import { dockerIgnore } from '../../support/docker-ignore.ts';
import { readDockerfile } from '../../support/dockerfile.ts';

/** By the name of its secret; the shapes are right, and none is anybody's. */
const TOKENS = {
  'slack-bot-token': ['xoxb', 'test'].join('-'),
  'slack-app-token': ['xapp', 'test'].join('-'),
  'discord-bot-token': ['dGVzdA', 'test', 'test'].join('.'),
};

const text = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

describe('the Dockerfile', () => {
  const { stages, image, variables } = readDockerfile(text('Dockerfile'));

  it('starts every stage from one base, pinned to a version', () => {
    expect(new Set(stages.map(({ base }) => base)).size).toBe(1);
    expect(stages[0]?.base).toMatch(/^node:24\.\d+\.\d+-bookworm-slim$/);
  });

  it('runs the gateway itself, as a user who is not root, and lets it stop by itself', () => {
    expect(image.user).not.toMatch(/^(root|0)?(:|$)/);
    expect(image.stopSignal).toBe('SIGTERM');
    expect(image.entrypoint).toEqual(['node', '--enable-source-maps', 'dist/src/main.js']);
    expect(image.command).toEqual(['gateway']);
    expect(image.env['NODE_ENV']).toBe('production');
  });

  it('has no place for a secret', () => {
    expect(variables.filter((name) => /TOKEN|SECRET|PASSWORD|KEY|URL/i.test(name))).toEqual([]);
    expect(text('Dockerfile')).not.toMatch(/xox[a-z]-|xapp-|redis:\/\//);
  });

  it('asks the gateway itself whether it is healthy, where it listens by default', () => {
    expect(image.healthcheck.join(' ')).toContain("fetch('http://127.0.0.1:8787/healthz')");
    expect(text('docs/configuration.md')).toContain('`127.0.0.1:8787`');
  });
});

describe('the build context', () => {
  const ignores = dockerIgnore(text('.dockerignore'));

  it('holds every file that the build compiles, and the Dockerfile copies it', () => {
    const copied = readDockerfile(text('Dockerfile')).stages.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'copy' && step.from === undefined ? step.sources : [])),
    );
    const files = sourceFiles('src', 'adapters', 'test').filter(({ path }) => !path.endsWith('.test.ts'));
    const byPath = new Map(files.map((file) => [file.path, file]));
    const needed = new Set<string>();
    const visit = (path: string) => {
      const file = byPath.get(path);
      if (file === undefined || needed.has(path)) return;
      needed.add(path);
      file.imports.forEach(visit);
    };
    for (const { path } of files) if (/^(src|adapters|test\/doubles)\//.test(path)) visit(path);
    expect(needed.size).toBeGreaterThan(100);
    const isThere = (path: string) => !ignores(path) && copied.some((source) => `${path}/`.startsWith(`${source}/`));
    expect([...needed, 'build.mjs', 'tsconfig.json', 'package-lock.json'].filter((path) => !isThere(path))).toEqual([]);
  });

  it('holds nothing else', () => {
    const tests = ['test/unit/cli/run.test.ts', 'test/doubles/slack/bolt.test.ts', 'test/e2e/image.test.ts'];
    const own = ['.git/config', '.env', 'secrets/redis-url', 'gateway.yaml', '.ci/run', 'docs/deploy.md'];
    const made = ['node_modules/zod/package.json', 'dist/src/main.js', 'coverage/index.html'];
    expect([...tests, ...own, ...made].filter((path) => !ignores(path))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  const { services, volumes, secrets } = parse(text('compose.yaml')) as Compose;
  const { redis, gateway } = services;

  it('has a Redis that keeps what it is told, pinned, watched, and open to this host only', () => {
    expect(redis.image).toMatch(/^redis:7\.\d+\.\d+-/);
    expect(redis.command.join(' ')).toContain('--appendonly yes');
    expect(redis.command.join(' ')).toContain('--aclfile /run/secrets/redis-users');
    expect(redis.volumes).toEqual(['redis:/data']);
    expect(redis.ports).toEqual(['127.0.0.1:6379:6379']);
    expect(redis.healthcheck.test).toContain('redis-cli ping | grep -q PONG');
  });

  it('starts the gateway after it, with the image’s own health check and time to drain', () => {
    expect(gateway.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
    expect(gateway).not.toHaveProperty('healthcheck');
    expect(gateway).not.toHaveProperty('ports');
    expect(Number.parseInt(gateway.stop_grace_period, 10)).toBeGreaterThan(8);
    const { image } = readDockerfile(text('Dockerfile'));
    expect(gateway.volumes.map((one) => one.split(':')[1])).toEqual(expect.arrayContaining([...image.volumes]));
  });

  it('names every volume and secret once, and holds no secret itself', () => {
    const named = [...redis.volumes, ...gateway.volumes].map((one) => one.split(':')[0] ?? '');
    expect(named.filter((name) => !name.startsWith('.')).sort()).toEqual(Object.keys(volumes).sort());
    expect([...redis.secrets, ...gateway.secrets].sort()).toEqual(Object.keys(secrets).sort());
    for (const { file } of Object.values(secrets)) expect(file).toMatch(/^\.\/secrets\//);
    for (const value of Object.values(gateway.environment)) expect(value).toMatch(/^\/(run\/secrets|etc\/handraise)\//);
    expect(text('.gitignore')).toMatch(/^\/secrets\/$/m);
    expect(text('.gitignore')).toMatch(/^\/gateway\.yaml$/m);
  });

  it.each([
    { without: undefined, asksOn: ['slack', 'discord'] },
    { without: 'discord', asksOn: ['slack'] },
    { without: 'slack', asksOn: ['discord'] },
  ])('gives the gateway an environment that it takes, without the lines of $without', async ({ without, asksOn }) => {
    const kept = (file: string) =>
      file
        .split('\n')
        .filter((line) => without === undefined || !line.includes(without))
        .join('\n');
    const compose = parse(kept(text('compose.yaml'))) as Compose;
    expect([...compose.services.redis.secrets, ...compose.services.gateway.secrets].sort()).toEqual(
      Object.keys(compose.secrets).sort(),
    );
    const root = mkdtempSync(join(tmpdir(), 'hr-compose-'));
    try {
      const within = inContainer(root);
      for (const folder of ['/run/secrets', '/etc/handraise']) mkdirSync(within(folder), { recursive: true });
      const files = { ...TOKENS, 'redis-url': 'redis://gateway:x@redis:6379' };
      for (const [name, content] of Object.entries(files)) {
        if (compose.services.gateway.secrets.includes(name)) writeFileSync(within(`/run/secrets/${name}`), content);
      }
      const [, example = ''] = /```yaml\n(# gateway\.yaml\n[\s\S]*?)```/.exec(text('docs/deploy.md')) ?? [];
      writeFileSync(within('/etc/handraise/gateway.yaml'), kept(example));
      const named = Object.entries(compose.services.gateway.environment);
      const env = Object.fromEntries(named.map(([name, path]) => [name, within(path)]));
      const config = await loadConfig({ flags: { config: undefined }, env });
      expect(config.redis?.url.reveal()).toContain('redis:6379');
      expect(config.bindings).toHaveLength(1);
      const [binding] = config.bindings;
      expect(binding === undefined ? [] : placesOf(binding).map(({ platform }) => platform)).toEqual(asksOn);
      expect(config.slack.botToken !== undefined).toBe(asksOn.includes('slack'));
      expect(config.discord?.botToken !== undefined).toBe(asksOn.includes('discord'));
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('comes with the Redis users that are tested', () => {
    const lines = text('docs/redis-users.acl').trim().split('\n');
    expect(lines).toEqual([
      'user default on nopass resetkeys resetchannels -@all +ping',
      ['user gateway on >GATEWAY_PASSWORD', ...gatewayRules(createKeys())].join(' '),
      ['user owner on >OWNER_PASSWORD', ...ownerRules(createKeys())].join(' '),
    ]);
  });
});
