import { type Facts, mergedFacts } from './facts.ts';

/**
 * What running something would do. `unknown` could be anything; `external` reaches beyond this machine in a way that
 * cannot be taken back. product.md "Grant proposals" says what each asks for.
 */
export type Effect = 'read' | 'write' | 'unknown' | 'external';

/** What people and rules want to know besides the effect. */
export type EffectTag =
  /** Runs code of the project: tests, builds, scripts. */
  | 'code-exec'
  /** Decides what runs later without a question: hooks, agent settings, package scripts. */
  | 'persistence'
  /** Reads what is likely to hold a secret. */
  | 'secret-read'
  | 'network'
  /** Read only as long as the repository's configuration names no program (`git-configuration.ts` of the gate). */
  | 'needs:git-neutralised'
  /** Names handraise's own sockets, files, variables or deciding commands: denied, never asked. */
  | 'names-handraise'
  | 'dynamic'
  | 'unicode'
  | 'unparseable'
  | 'too-large';

/** What a piece of a command does, and what made it so. `part` is quoted from the command, as written. */
export interface Finding extends Facts {
  readonly effect: Effect;
  readonly reason: string;
  readonly part: string;
  readonly tags: readonly EffectTag[];
}

const RANK: Readonly<Record<Effect, number>> = { read: 0, write: 1, unknown: 2, external: 3 };

/** Whether the first reaches further: read < write < unknown < external. */
export function isHigher(effect: Effect, than: Effect): boolean {
  return RANK[effect] > RANK[than];
}

/** The finding that decides: the first of the highest effect, with the tags of all. */
export function decisive(findings: readonly Finding[], otherwise: Finding): Finding {
  let worst = findings[0] ?? otherwise;
  for (const finding of findings) {
    if (isHigher(finding.effect, worst.effect)) worst = finding;
  }
  const tags = [...new Set(findings.flatMap((finding) => finding.tags))];
  return { ...worst, tags, ...mergedFacts(findings) };
}
