import type { GrantTerms } from '../core/policy/approval.ts';
import { approversFor, type ByClass, type GrantClass, quorumFor } from '../core/policy/approval.ts';
import { isRequester, type LinkedPerson, personOf } from '../core/policy/identities.ts';
import type { OperatorRule } from '../core/policy/people.ts';
import type { Binding } from './schema.ts';

type Bound = Pick<Binding, 'slack' | 'discord' | 'grants'>;

/**
 * Whether enough different people who may approve steps of this class are reached: listed on a platform that gets the
 * card, or at the command line. Of groups and roles only the platform knows how many are in them. `requester`: for whom
 * the run is, where that is known.
 */
function mayApprove(
  { slack, discord, grants }: Bound,
  grantClass: GrantClass,
  people: readonly LinkedPerson[] = [],
  requester?: string,
): boolean {
  if (grants === undefined) return false;
  const rule = approversFor(grants.approvers, grantClass);
  if (rule === '*') return true;
  if ((slack !== undefined && has(rule.slackGroups)) || (discord !== undefined && has(rule.discordRoles))) return true;
  const listed = [
    ...(slack === undefined ? [] : idsOn('slack', rule.slackUsers)),
    ...(discord === undefined ? [] : idsOn('discord', rule.discordUsers)),
    ...idsOn('local', rule.localUsers),
  ].filter((id) => grants.requester === 'allowed' || !isRequester(id, requester, people));
  return new Set(listed.map((id) => personOf(id, people))).size >= quorumFor(grants, grantClass);
}

/** Whether steps of any class can be approved. */
export function mayAnybodyApprove(bound: Bound, people: readonly LinkedPerson[] = []): boolean {
  return mayApprove(bound, 'write', people) || mayApprove(bound, 'external', people);
}

function has(list: readonly string[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

function idsOn<P extends 'slack' | 'discord' | 'local'>(platform: P, list: readonly string[] = []) {
  return list.map((userId) => ({ platform, userId }));
}

/** Whether everybody who sees a card may approve it, or a step of some class on it. */
export function isOpenToAll(approvers: NonNullable<Binding['grants']>['approvers']): boolean {
  const isAll = (rule: OperatorRule) => rule === '*';
  return isAll(approversFor(approvers, 'write')) || isAll(approversFor(approvers, 'external'));
}

/** Which steps enough people may approve. `requester`: for whom the run is, where that is known. */
export function approvableBy(bound: Bound, people?: readonly LinkedPerson[], requester?: string): ByClass<boolean> {
  return {
    write: mayApprove(bound, 'write', people, requester),
    external: mayApprove(bound, 'external', people, requester),
  };
}

/** The terms of a run's proposals. What too few people may approve is put to nobody. */
export function grantTerms(waitMs: number, approvable: ByClass<boolean>): GrantTerms {
  const { write, external } = approvable;
  return {
    waitMs,
    nobody: {
      ...(write ? {} : { write: external ? NOBODY_FOR.write : NOBODY_APPROVES }),
      ...(external ? {} : { external: write ? NOBODY_FOR.external : NOBODY_APPROVES }),
    },
  };
}

/** Who could change that nobody may approve. For people and for models. */
const NOBODY_APPROVES =
  'nobody, or too few people, are set up to approve here; whoever runs handraise can list people in grants.approvers of the binding, or in HANDRAISE_APPROVERS';

const NOBODY_FOR: ByClass<string> = {
  write:
    'nobody, or too few people, are set up to approve such a step here; whoever runs handraise can list them in grants.approvers.write of the binding',
  external:
    'nobody, or too few people, are set up to approve what reaches outside; whoever runs handraise can list them in grants.approvers.external of the binding',
};
