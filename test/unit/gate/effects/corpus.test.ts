import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../../src/gate/effects/classify.ts';

interface Row {
  readonly id: string;
  readonly cmd: string;
  readonly effect: string;
  readonly also: readonly string[] | null;
}

// Credentials in the rows are cut in two by a mark, so that no tool takes them for real ones.
const rows = readFileSync(new URL('../../../fixtures/gate/bash-effects.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line.replaceAll('\u2042', '')) as Row);

const judged = rows.map((row) => ({
  row,
  allowed: [row.effect, ...(row.also ?? [])],
  found: classifyCommand(row.cmd),
}));

describe('the labelled commands', () => {
  it('are never called a read when they are none', () => {
    const wrong = judged.filter(({ allowed, found }) => found.effect === 'read' && !allowed.includes('read'));
    expect(wrong.map(({ row }) => `${row.id}: ${row.cmd}`)).toEqual([]);
  });

  it('are never called less than external when they reach outside', () => {
    const wrong = judged.filter(
      ({ row, allowed, found }) =>
        row.effect === 'external' && found.effect !== 'external' && !allowed.includes(found.effect),
    );
    expect(wrong.map(({ row }) => `${row.id}: ${row.cmd}`)).toEqual([]);
  });

  it('that read are called reads, nine in ten of them', () => {
    const reads = judged.filter(({ row }) => row.effect === 'read');
    const called = reads.filter(({ found }) => found.effect === 'read');
    expect(called.length / reads.length).toBeGreaterThan(0.9);
  });

  it('say what decided, in a part of the command', () => {
    const silent = judged.filter(({ found }) => found.reason === '' || found.part === '');
    expect(silent.map(({ row }) => row.id)).toEqual([]);
  });
});
