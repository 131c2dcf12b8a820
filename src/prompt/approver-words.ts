import type { OperatorRule } from '../core/policy/people.ts';

/** Who may decide a proposal, for its card: how many and where, since lists of approvers are the gateway's own. */
export function approverWords(rule: OperatorRule): string {
  if (rule === '*') return 'every full member who sees this';
  const groups = [
    people(rule.slackUsers, 'on Slack'),
    counted(rule.slackGroups, 'user group', 'user groups', 'on Slack'),
    people(rule.discordUsers, 'on Discord'),
    counted(rule.discordRoles, 'role', 'roles', 'on Discord'),
    people(rule.localUsers, 'at the command line'),
  ].filter((group) => group !== undefined);
  return groups.length === 0 ? 'nobody' : groups.join(', ');
}

function people(list: readonly string[] | undefined, where: string): string | undefined {
  return counted(list, 'person', 'people', where);
}

function counted(list: readonly string[] | undefined, one: string, many: string, where: string): string | undefined {
  const count = list?.length ?? 0;
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many} ${where}`;
}
