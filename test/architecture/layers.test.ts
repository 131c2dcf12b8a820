import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.ts';

/** What each folder may import: other folders of ours, and packages. Its own folder always. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'src/core': ['zod'],
  // The framing of the socket is the listener's; the bridge is its other end.
  'src/bridge': ['src/core', 'src/listener/framing.ts', 'node:', 'zod', '@modelcontextprotocol/sdk'],
  'src/listener': ['src/core', 'node:'],
  'src/prompt': ['src/core', 'node:', 'zod'],
  'src/store': ['src/core', 'src/observe', 'node:', 'zod', 'ioredis'],
  'src/observe': ['src/core', 'node:', 'pino', 'zod'],
  'src/config': ['src/core', 'node:', 'zod', 'yaml'],
  'src/agents': ['src/core', 'src/config', 'node:', 'zod'],
  'src/gate': ['src/core', 'node:', 'zod', 'unbash'],
  'src/trust': ['src/core', 'node:', 'zod'],
  'src/gateway': [
    'src/core',
    'src/prompt',
    'src/store',
    'src/observe',
    'src/config',
    'src/trust',
    // The framing of a socket is the listener's; the control socket speaks in lines, too.
    'src/listener/framing.ts',
    'adapters',
    'node:',
    'zod',
    'prom-client',
  ],
  // Who asks and waits, as a process of its own or inside somebody else’s.
  'src/owner': [
    'src/core',
    'src/agents',
    'src/config',
    'src/gate',
    'src/gateway',
    'src/observe',
    'src/prompt',
    'src/store',
    'node:',
  ],
  'src/library': [
    'src/core',
    'src/owner',
    'src/config',
    'src/gate',
    'src/agents',
    // What an agent’s hooks tell is the same, whoever calls them.
    'src/listener/gate-desk.ts',
    'src/bridge/hook-facts.ts',
    'node:',
    'zod',
  ],
  'src/cli': ['src', 'node:', 'commander', 'execa', 'zod', 'test/doubles'],
  'src/main.ts': ['src/cli', 'src/core', 'node:'],
  'adapters/slack': [
    'src/core',
    'src/prompt',
    'node:',
    'zod',
    '@slack/bolt',
    '@slack/socket-mode',
    '@slack/web-api',
    '@slack/types',
  ],
  'adapters/discord': ['src/core', 'src/prompt', 'node:', 'zod', 'discord.js', '@discordjs/ws'],
};

const files = sourceFiles('src', 'adapters');

function layerOf(path: string): string {
  const layer = Object.keys(LAYERS).find((name) => path === name || path.startsWith(`${name}/`));
  if (layer === undefined) throw new Error(`${path} belongs to no layer; add it to the table with what it may import`);
  return layer;
}

function isWithin(target: string, folder: string): boolean {
  return target === folder || target.startsWith(`${folder}/`);
}

describe('the layers', () => {
  it('import only what the table allows', () => {
    const crossings = files.flatMap((file) => {
      const layer = layerOf(file.path);
      const allowed = [layer, ...(LAYERS[layer] ?? [])];
      return file.imports
        .filter((to) => !allowed.some((folder) => isWithin(to, folder)))
        .map((to) => `${file.path} → ${to}`);
    });
    expect(crossings).toEqual([]);
  });

  it('have no cycles', () => {
    expect(cyclesOf(files)).toEqual([]);
  });

  it('keep every file readable: none over 400 lines, nine in ten under 240', () => {
    const lengths = files.map((file) => file.lines).sort((a, b) => a - b);
    expect(files.filter((file) => file.lines > 400).map((file) => file.path)).toEqual([]);
    expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThan(240);
  });

  it('give every chat adapter the same file names', () => {
    const names = ['index.ts', 'config.ts', 'render.ts', 'parse.ts', 'identity.ts', 'limits.ts'];
    const adapters = new Set(
      files.filter((file) => isWithin(file.path, 'adapters')).map((file) => file.path.split('/')[1]),
    );
    const paths = new Set(files.map((file) => file.path));
    const missing = [...adapters]
      .flatMap((adapter) => names.map((name) => `adapters/${adapter}/${name}`))
      .filter((path) => !paths.has(path));
    expect(missing).toEqual([]);
  });
});

describe('starting', () => {
  it('only `handraise gateway` loads the library for metrics, and only one file knows it', () => {
    const knowing = files.filter((file) => file.imports.includes('prom-client')).map((file) => file.path);
    expect(knowing).toEqual(['src/gateway/metrics.ts']);
    const loading = files.filter((file) => file.path.startsWith('src/cli/') && reachable(file.path).has('prom-client'));
    expect(loading.map((file) => file.path)).toEqual(['src/cli/gateway.ts']);
  });

  it('a command loads no other command and no chat library: main and the grammar import lazily', () => {
    const eager = reachable('src/main.ts');
    expect([...eager].filter((name) => /^(@slack|pino|execa|yaml|adapters)/.test(name))).toEqual([]);
  });
});

/** Everything that is loaded when this file is, by eager imports. */
function reachable(entry: string): Set<string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    byPath.get(path)?.eager.forEach(visit);
  };
  visit(entry);
  return seen;
}

function cyclesOf(all: readonly SourceFile[]): string[] {
  const byPath = new Map(all.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const to of byPath.get(path)?.eager ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const file of all) visit(file.path, []);
  return cycles;
}
