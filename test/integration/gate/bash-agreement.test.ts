import { readFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { parseShell } from '../../../src/gate/effects/shell/parse.ts';

const commands = readFileSync(new URL('../../fixtures/gate/bash-effects.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { cmd: string }).cmd)
  // No process can be given a NUL.
  .filter((command) => !command.includes('\0'));

describe('the grammar', () => {
  it('refuses what bash refuses, and reads what bash reads', async () => {
    // One bash for all: each command is checked by a `bash -n` of its own, fed on a descriptor.
    const check = 'while IFS= read -r -d "" text; do bash -n <<<"$text" 2>/dev/null && printf 0 || printf 1; done';
    const { stdout } = await execa('bash', ['-c', check], { input: commands.map((text) => `${text}\0`).join('') });
    const byBash = [...stdout].map((code) => code === '0');
    const disagreed = commands.filter((text, at) => 'script' in parseShell(text) !== byBash[at]);
    // A here-document that the end of input ends is only warned about by bash; here it is a fault.
    expect(disagreed.filter((text) => !text.startsWith('cat <<EOF\nno end'))).toEqual([]);
    expect(byBash).toHaveLength(commands.length);
  }, 120_000);
});
