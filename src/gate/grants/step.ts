import type { Effect, EffectTag } from '../effects/effect.ts';

/** What the gate has to know of a step to say which grant is good for it. */
export interface JudgedStep {
  readonly effect: Effect;
  readonly tags: readonly EffectTag[];
  /** What it writes; empty where nothing of that is known. `path` is resolved, links followed. */
  readonly targets: readonly { readonly path: string; readonly inside: boolean; readonly later: boolean }[];
  /** It writes more than its targets say. */
  readonly writesMore?: boolean;
}

/**
 * How far a grant for a step may reach (product.md "Grant proposals"). `once`: this call only · `exactly`: the same digest,
 * because nobody can tell what else it would do · `workspace`: a write whose targets are all inside.
 */
export type Reach = 'once' | 'exactly' | 'workspace';

/** The narrowest that any part of the step asks for. */
export function reachOf({ effect, tags, targets, writesMore }: JudgedStep): Reach {
  if (effect === 'external' || effect === 'read') return 'once';
  if (tags.includes('persistence') || tags.includes('secret-read') || tags.includes('names-handraise')) return 'once';
  if (targets.some(({ inside, later }) => !inside || later)) return 'once';
  if (effect === 'unknown' || tags.includes('code-exec') || targets.length === 0 || writesMore === true)
    return 'exactly';
  return 'workspace';
}
