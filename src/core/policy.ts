import type { Actor } from './actor.ts';

/** Who may answer questions of a binding: every full member who can see the card, or the listed users only. */
export type OperatorRule = '*' | { readonly slackUsers: readonly string[] };

/** Why somebody may not answer. Each has its own private sentence (`prompt/private-replies.ts`). */
export type Refusal = Exclude<Actor['standing'], 'member'> | 'not_listed';

/**
 * Judges one click or submit; undefined means allowed. A rule names people of our own workspace, so accounts of other
 * workspaces, guests, bots and accounts that could not be checked are refused even where `*` is the rule.
 */
export function refusalFor(actor: Actor, rule: OperatorRule): Refusal | undefined {
  if (actor.standing !== 'member') return actor.standing;
  if (rule === '*' || rule.slackUsers.includes(actor.userId)) return undefined;
  return 'not_listed';
}
