import { HandraiseError } from '../core/errors.ts';
import type { OperatorRule } from '../core/policy/people.ts';
import { approvers as schema } from './schema.ts';

/**
 * HANDRAISE_APPROVERS: a comma list of `slack:U…`, `slack-group:S…`, `discord:…` and
 * `discord-role:…`, or `*`. It belongs to the binding
 * that the channel variables make; without one it would be read and not kept. Throws `configuration`.
 */
export function readApprovers(list: string | undefined, hasBinding: boolean): OperatorRule | undefined {
  if (list === undefined) return undefined;
  if (!hasBinding) {
    throw complaint(
      'HANDRAISE_APPROVERS is set, and no channel variable is',
      'Set HANDRAISE_SLACK_CHANNEL or HANDRAISE_DISCORD_CHANNEL, too, or list approvers in the file (grants.approvers).',
    );
  }
  if (list === '*') return '*';
  const lists: Record<string, string[]> = {};
  for (const entry of list.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, kind = '', id = ''] = /^([a-z-]+):(.+)$/.exec(entry) ?? [];
    const key = KEYS[kind];
    if (key === undefined) throw complaint(`HANDRAISE_APPROVERS does not understand ${JSON.stringify(entry)}`, HINT);
    lists[key] = [...(lists[key] ?? []), id];
  }
  const read = schema.safeParse(lists);
  if (read.success) return read.data;
  throw complaint(`HANDRAISE_APPROVERS: one of them ${read.error.issues[0]?.message ?? 'is no id'}`, HINT);
}

const KEYS: Readonly<Record<string, string>> = {
  slack: 'slackUsers',
  'slack-group': 'slackGroups',
  discord: 'discordUsers',
  'discord-role': 'discordRoles',
};

const HINT =
  'It is a comma list such as slack:U0123456789,discord:223344556677889900, or * for anybody who sees the card.';

function complaint(sentence: string, hint: string): HandraiseError {
  return new HandraiseError(sentence, { code: 'configuration', hint });
}
