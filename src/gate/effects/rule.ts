import { type Effect, type EffectTag, type Finding, isHigher } from './effect.ts';
import { type Facts, mergedFacts } from './facts.ts';
import type { Folders } from './folders.ts';
import type { Argument } from './shell/argument.ts';

/** What a program does when it is called with these arguments (its own name is not among them). */
export type Rule = (args: readonly Argument[], shell: ShellState) => Judgement;

/** A finding of a rule; the walker adds which part of the command it was. */
export interface Judgement extends Facts {
  readonly effect: Effect;
  readonly reason: string;
  readonly tags?: readonly EffectTag[];
  /** Where a wrapper or a nested script decided: that part. */
  readonly part?: string;
}

/** How many programs and scripts may still be judged; shared by all that one text holds. */
export interface Budget {
  left: number;
  /** How many of them are being judged, each within the one before. */
  depth: number;
}

/** What a rule may need of the script around it. */
export interface ShellState {
  /** The script changed its directory before: what is relative, or configured per directory, is not known any more. */
  readonly moved: boolean;
  /** Where it may be by now. */
  readonly folders: Folders;
  /** Judges a program and its arguments, as a wrapper would start them. */
  judgeProgram(args: readonly Argument[]): Judgement;
  /** The same for words that may be no program at all: what no table knows is a read. */
  judgeNamed(args: readonly Argument[]): Judgement;
  /** Judges a text that a shell would run. */
  judgeScript(text: string): Judgement;
}

export const READ: Judgement = { effect: 'read', reason: 'reads' };

export function always(effect: Effect, reason: string, ...tags: EffectTag[]): Rule {
  return () => ({ effect, reason, tags });
}

export function unknown(reason: string, ...tags: EffectTag[]): Judgement {
  return { effect: 'unknown', reason, tags };
}

/** The judgement of the highest effect, the first of equals, with the tags of all. */
export function worst(first: Judgement, ...others: readonly (Judgement | undefined)[]): Judgement {
  let result = first;
  const all = [first];
  const tags = new Set(first.tags);
  for (const other of others) {
    if (other === undefined) continue;
    all.push(other);
    for (const tag of other.tags ?? []) tags.add(tag);
    if (isHigher(other.effect, result.effect)) result = other;
  }
  return { ...result, tags: [...tags], ...mergedFacts(all) };
}

/** A finding as a judgement of whatever contains it. */
export function judgementOf(finding: Finding): Judgement {
  return finding;
}
