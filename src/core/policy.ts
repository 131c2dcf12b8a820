import type { Actor } from './actor.ts';

/**
 * Who may answer questions of a binding: every full member who can see the card (and the user of the machine the gateway
 * runs as), or the listed ones only. A list admits nobody of a kind that it does not name.
 */
export type OperatorRule =
  | '*'
  | {
      readonly slackUsers?: readonly string[];
      readonly discordUsers?: readonly string[];
      /** Role ids. A guild's own id is the role `@everyone`, which each of its members has. */
      readonly discordRoles?: readonly string[];
      readonly localUsers?: readonly string[];
    };

/** Why somebody may not answer. Each has its own private sentence (`prompt/private-replies.ts`). */
export type Refusal = Exclude<Actor['standing'], 'member'> | 'not_listed';

/**
 * Judges one click or submit; undefined means allowed. A rule names people of our own workspace, so accounts of other
 * workspaces, guests, bots and accounts that could not be checked are refused even where `*` is the rule.
 */
export function refusalFor(actor: Actor, rule: OperatorRule): Refusal | undefined {
  if (actor.standing !== 'member') return actor.standing;
  if (rule === '*' || isListed(actor, rule)) return undefined;
  return 'not_listed';
}

/**
 * The same for a proposal, by the rule for approvers. A user of the machine must be listed by name even where `"*"` is the
 * rule: the agent is started by one.
 */
export function refusalToApprove(actor: Actor, rule: OperatorRule): Refusal | undefined {
  if (actor.platform === 'local' && rule === '*') return 'not_listed';
  return refusalFor(actor, rule);
}

function isListed({ platform, userId, workspaceId, roles = [] }: Actor, rule: Exclude<OperatorRule, '*'>): boolean {
  switch (platform) {
    case 'slack':
      return rule.slackUsers?.includes(userId) ?? false;
    case 'local':
      return rule.localUsers?.includes(userId) ?? false;
    case 'discord':
      return (
        (rule.discordUsers?.includes(userId) ?? false) ||
        [...roles, workspaceId].some((role) => rule.discordRoles?.includes(role))
      );
  }
}
