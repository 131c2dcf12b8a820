import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { classifyCommand } from '../../../../src/gate/effects/classify.ts';

/** Commands that agents run every day and ways to hide others in them, each with what it does: `effect<TAB>command`. */
const ROWS = readFileSync(new URL('../../../fixtures/gate/everyday-commands.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((row) => row.split('\t') as [string, string]);

it.each(ROWS)('%s: %s', (effect, command) => {
  expect(classifyCommand(command).effect).toBe(effect);
});
