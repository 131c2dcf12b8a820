import { expect, it } from 'vitest';
import { programOf } from '../../../src/agents/program.ts';

it.each([
  ['the program', ['/usr/bin/codex', 'exec', 'a secret prompt'], 'codex'],
  ['the script of an interpreter, too', ['/usr/bin/node', '/srv/agents/review.mjs', '--key=x'], 'node review.mjs'],
  ['no flag of an interpreter', ['node', '-e', 'code'], 'node'],
  ['no program text of an interpreter', ['bash', 'echo secret'], 'bash'],
])('an agent is known by %s', (_, commandLine, name) => {
  expect(programOf(commandLine)).toBe(name);
});
