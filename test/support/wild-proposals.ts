import fc from 'fast-check';
import { EFFECTS, type Proposal } from '../../src/core/proposals/contract.ts';
import { text } from './batches.ts';
import { FOR_SESSION, ONCE, TURN } from './proposals.ts';

const offers = fc.constantFrom(
  [TURN, ONCE, FOR_SESSION],
  [{ ...TURN, covers: 'same-digest' as const }, ONCE, { ...FOR_SESSION, covers: 'same-digest' as const }],
  [ONCE],
  [{ ...ONCE, confirm: true }],
);

const full = fc.oneof(
  text(8).map((written) => ({ kind: 'command', text: written }) as const),
  text(8).map((written) => ({ kind: 'input', text: written }) as const),
  fc.tuple(text(2), text(8)).map(([path, written]) => ({ kind: 'diff', path: `/w/${path}`, text: written }) as const),
);

const list = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 5 });

/** Proposals whose every text is whatever an agent, a file's name or a host may hold. */
export const wildProposals: fc.Arbitrary<Proposal> = fc.record({
  tool: fc.oneof(fc.constantFrom('Bash', 'Edit', 'Write'), text(2)),
  effect: fc.constantFrom(...EFFECTS),
  tags: list(fc.constantFrom('code-exec', 'persistence', 'secret-read', 'unicode', 'network')),
  reason: text(2),
  part: text(2),
  programs: list(fc.record({ name: text(1), effect: fc.constantFrom(...EFFECTS), text: text(2) })),
  targets: list(
    fc.record({ path: text(2).map((path) => `/home/ana/api/${path}`), inside: fc.boolean(), later: fc.boolean() }),
  ),
  hosts: list(text(1)),
  cwd: fc.oneof(fc.constant(null), text(2)),
  agent: fc.record({ id: text(1), type: text(1) }),
  full,
  agentSays: text(4),
  digest: fc.constant('a'.repeat(64)),
  offers,
});
