import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bridgeCommand } from '../../../src/bridge/command.ts';
import { askInputSchema } from '../../../src/core/questions/json-schema.ts';
import { INITIALIZE } from './raw-bridge.ts';

const dist = dirname(bridgeCommand().args[0] ?? '');
const source = readFileSync(join(dist, 'mcp.cjs'), 'utf8');
const FILES = ['mcp-start.cjs', 'mcp.cjs', 'mcp.cache'] as const;

/** A copy of the built bridge to be damaged. */
function copyOfBridge(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hr-bundle-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const file of FILES) copyFileSync(join(dist, file), join(directory, file));
  return directory;
}

/** Name and version the bridge answers `initialize` with, and whatever it printed to stderr. */
function greet(directory: string): { serverInfo: Record<string, string>; stderr: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [join(directory, 'mcp-start.cjs')], {
    input: `${JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE })}\n`,
    encoding: 'utf8',
    env: {},
  });
  return { serverInfo: JSON.parse(stdout).result.serverInfo, stderr };
}

test('the built bridge is one file that requires only Node itself', () => {
  const required = [...source.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name?.replace(/^node:/, ''));
  expect([...new Set(required)].sort()).toEqual(['buffer', 'net', 'process']);
});

test('it carries the contract as a constant, without the schemas, Ajv, or anything of the chat platforms', () => {
  for (const key of Object.keys(askInputSchema())) expect(source).toContain(key);
  expect(source).toContain('"multiSelect"');
  for (const absent of [
    'Ajv',
    'ZodFirstPartyTypeKind',
    'make the labels differ',
    'slack',
    'discord',
    'ioredis',
    'pino',
    // The classifier of commands and its grammar: a bridge only hands calls on.
    'unbash',
    'HereDoc',
    'ParameterExpansion',
    'changes a remote repository',
  ]) {
    expect(source.toLowerCase()).not.toContain(absent.toLowerCase());
  }
  expect(source.length).toBeLessThan(200_000);
});

test('it says its version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(greet(dist)).toEqual({ serverInfo: { name: 'operator', title: 'handraise', version }, stderr: '' });
});

test('without a cache, with half of one and with one of another version of Node it starts all the same', () => {
  const cache = readFileSync(join(dist, 'mcp.cache'));
  const [missing, half, foreign] = [copyOfBridge(), copyOfBridge(), copyOfBridge()];
  rmSync(join(missing, 'mcp.cache'));
  writeFileSync(join(half, 'mcp.cache'), cache.subarray(0, cache.length / 2));
  // Behind our digest V8 keeps its magic number, its version's hash, the source's and the flags'.
  writeFileSync(join(foreign, 'mcp.cache'), Buffer.from(cache).fill(0x5a, 16 + 4, 16 + 8));
  for (const directory of [missing, half, foreign]) {
    expect(greet(directory)).toMatchObject({ serverInfo: { name: 'operator' }, stderr: '' });
  }
});

test('a cache of another build of the same length is not used', () => {
  const directory = copyOfBridge();
  const digest = source.slice(-17, -1);
  const changed = source.replaceAll('"handraise"', '"handraisE"').replace(digest, digest.split('').reverse().join(''));
  expect(changed).toHaveLength(source.length);
  writeFileSync(join(directory, 'mcp.cjs'), changed);
  expect(greet(directory).serverInfo).toMatchObject({ title: 'handraisE' });
});
