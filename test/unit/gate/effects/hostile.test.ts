import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../../src/gate/effects/classify.ts';

/**
 * Commands written to get past the rules, among plain ones of the same programs: `effect/also allowed<TAB>command`. A
 * line break is `␤`, a character that is not to be seen in a file `\u{…}`.
 */
const ROWS = readFileSync(new URL('../../../fixtures/gate/hostile-commands.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((row) => {
    const [labels = '', written = ''] = row.split('\t');
    const command = written
      .replaceAll('␤', '\n')
      .replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
    const [effect = '', ...also] = labels.split('/');
    return { effect, allowed: [effect, ...also], command, found: classifyCommand(command).effect };
  });

describe('a command of an expert who means harm', () => {
  it('is never called a read when it is none', () => {
    const wrong = ROWS.filter(({ allowed, found }) => found === 'read' && !allowed.includes('read'));
    expect(wrong.map(({ command }) => command)).toEqual([]);
  });

  it('is never called less than external when it reaches outside', () => {
    const wrong = ROWS.filter(
      ({ effect, allowed, found }) => effect === 'external' && found !== 'external' && !allowed.includes(found),
    );
    expect(wrong.map(({ command }) => command)).toEqual([]);
  });

  it('does not make the plain ones beside it more than reads', () => {
    const plain = ROWS.filter(({ allowed }) => allowed.length === 1 && allowed[0] === 'read');
    const called = plain.filter(({ found }) => found === 'read');
    expect(plain.length).toBeGreaterThan(300);
    expect(called.length / plain.length).toBeGreaterThan(0.97);
  });
});
