import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RESOLVE_CODES, type ResolveFacts } from '../../../src/core/resolve-codes.ts';

const page = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');

const EXIT_CODES: Readonly<Record<ResolveFacts['means'], number>> = {
  resolved: 0,
  unresolved: 3,
  wrong_call: 64,
  unavailable: 69,
  refused: 77,
};

it('docs/command-line.md has every code of resolve, its other name and its exit code', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (?:`(\w+)`)? ?\| (\d+) \|/gm)].map(([, ...row]) => row);
  expect(rows).toEqual(
    Object.entries(RESOLVE_CODES).map(([code, { permissionCode, means }]) => [
      code,
      permissionCode ?? undefined,
      String(EXIT_CODES[means]),
    ]),
  );
});
