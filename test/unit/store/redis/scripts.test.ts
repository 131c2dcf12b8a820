import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STORE_CODES, type StoreCode } from '../../../../src/core/store-codes.ts';
import { CODES_IN_LUA, codeOf } from '../../../../src/store/redis/codes.ts';
import { createKeys } from '../../../../src/store/redis/keys.ts';
import { loadScripts } from '../../../../src/store/redis/scripts.ts';

const FOLDER = new URL('../../../../src/store/redis/scripts/', import.meta.url);
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.lua'));
const scripts = loadScripts(createKeys());

describe('the scripts', () => {
  it('are loaded, every one, under their own name and with their number of keys', () => {
    expect(Object.keys(scripts)).toHaveLength(files.length);
    expect(scripts['claimRequest']?.numberOfKeys).toBe(1);
    expect(scripts['openRequest']?.numberOfKeys).toBe(2);
  });

  it.each(files)('%s says at its head what it does, takes and returns', (file) => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    const head = /^--\[\[\n([\s\S]*?)\]\]\n/.exec(text)?.[1] ?? '';
    const body = text.slice(head.length);
    const count = Number(/-(\d)\.lua$/.exec(file)?.[1]);
    const used = (name: string) =>
      Math.max(0, ...[...body.matchAll(new RegExp(`${name}\\[(\\d+)\\]`, 'g'))].map((one) => Number(one[1])));
    expect(head).toContain('Returns');
    expect(used('KEYS')).toBeLessThanOrEqual(count);
    for (let at = 1; at <= count; at += 1) expect(head).toContain(`KEYS[${at}]`);
    for (let at = 1; at <= used('ARGV'); at += 1) expect(head).toContain(`ARGV[${at}]`);
  });

  it.each(Object.entries(scripts))('%s has every include in place and none twice', (_, { lua }) => {
    expect(lua).not.toContain('@include');
    const functions = [...lua.matchAll(/^local function (\w+)/gm)].map((one) => one[1]);
    expect(new Set(functions).size).toBe(functions.length);
  });
});

describe('codes', () => {
  it('are the table of the memory store, in Lua and back', () => {
    for (const [name, integer] of Object.entries(STORE_CODES)) {
      expect(CODES_IN_LUA).toContain(`${name} = ${integer}`);
      expect(codeOf(integer)).toBe(name satisfies string as StoreCode);
    }
    expect(() => codeOf(99)).toThrow('unknown code 99');
  });
});

describe('keys', () => {
  it('of one request share their hash tag', () => {
    const keys = createKeys('team-a:');
    expect(keys.request('r1', 'req')).toBe('team-a:{r1}:req');
    expect(keys.request('r1', 'verdict')).toBe('team-a:{r1}:verdict');
  });

  it.each(["it's:", 'with space:', '', 'star*:', '{tag}:', 'x'.repeat(65)])('cannot begin with %j', (prefix) => {
    expect(() => createKeys(prefix)).toThrow('cannot be the prefix');
  });
});
