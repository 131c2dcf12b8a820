import type { Actor } from '../actor.ts';

/**
 * Some people by their ids: every full member who can see the card (and, for questions, the user of the machine the
 * gateway runs as), or the listed ones only. A list admits nobody of a kind that it does not name.
 */
export type OperatorRule =
  | '*'
  | {
      readonly slackUsers?: readonly string[];
      /** Slack's user groups, such as @oncall. Who is in one, Slack is asked at the click. */
      readonly slackGroups?: readonly string[];
      readonly discordUsers?: readonly string[];
      /** Role ids. A guild's own id is the role `@everyone`, which each of its members has. */
      readonly discordRoles?: readonly string[];
      readonly localUsers?: readonly string[];
    };

/** Somebody as policy sees them. `groups`: those of Slack's user groups that a rule names and they are in now. */
export interface Person extends Actor {
  readonly groups?: ReadonlySet<string>;
}

/**
 * Why somebody may not answer. Each has its own private sentence (`prompt/private-replies.ts`). `requester`: the run is
 * their own, and somebody else has to decide on its steps · `voted_before`: they have allowed it, and it takes others, too ·
 * `voters_unverified`: whether those who allowed it before still may could not be checked.
 */
export type Refusal =
  | Exclude<Actor['standing'], 'member'>
  | 'not_listed'
  | 'requester'
  | 'voted_before'
  | 'voters_unverified';

/**
 * Judges one click or submit; undefined means allowed. A rule names people of our own workspace, so accounts of other
 * workspaces, guests, bots and accounts that could not be checked are refused even where `*` is the rule.
 */
export function refusalFor(person: Person, rule: OperatorRule): Refusal | undefined {
  if (person.standing !== 'member') return person.standing;
  if (rule === '*' || isListed(person, rule)) return undefined;
  return 'not_listed';
}

/** The groups that could still admit somebody whom the rest of the rule does not; none where they cannot matter. */
export function groupsToAsk(person: Person, rule: OperatorRule): readonly string[] {
  if (person.platform !== 'slack' || person.standing !== 'member' || rule === '*') return [];
  return isListed(person, rule) ? [] : (rule.slackGroups ?? []);
}

function isListed(person: Person, rule: Exclude<OperatorRule, '*'>): boolean {
  const { platform, userId, workspaceId, roles = [], groups } = person;
  switch (platform) {
    case 'slack':
      return (
        (rule.slackUsers?.includes(userId) ?? false) || (rule.slackGroups?.some((group) => groups?.has(group)) ?? false)
      );
    case 'local':
      return rule.localUsers?.includes(userId) ?? false;
    case 'discord':
      return (
        (rule.discordUsers?.includes(userId) ?? false) ||
        [...roles, workspaceId].some((role) => rule.discordRoles?.includes(role))
      );
  }
}
