import type { Binding } from './schema.ts';

/** Whether somebody who may approve is reached: listed on a platform that gets the card, or at the command line. */
export function mayAnybodyApprove({ slack, discord, grants }: Pick<Binding, 'slack' | 'discord' | 'grants'>): boolean {
  const rule = grants?.approvers;
  if (rule === undefined || rule === '*') return rule === '*';
  const has = (list: readonly string[] | undefined) => list !== undefined && list.length > 0;
  return (
    (slack !== undefined && has(rule.slackUsers)) ||
    (discord !== undefined && (has(rule.discordUsers) || has(rule.discordRoles))) ||
    has(rule.localUsers)
  );
}

/** The terms of a run's proposals. */
export function grantTerms(waitMs: number, approvable: boolean): { waitMs: number; nobody?: string } {
  return { waitMs, ...(approvable ? {} : { nobody: NOBODY_APPROVES }) };
}

/** Who could change that nobody may approve. For people and for models. */
const NOBODY_APPROVES =
  'nobody is set up to approve here; whoever runs handraise can list people in grants.approvers of the binding, or in HANDRAISE_APPROVERS';
