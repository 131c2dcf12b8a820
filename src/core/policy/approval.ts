import type { Actor } from '../actor.ts';
import type { ProposedEffect } from '../proposals/contract.ts';
import { isRequester, type LinkedPerson } from './identities.ts';
import { type OperatorRule, type Person, type Refusal, refusalFor } from './people.ts';

/**
 * What approvers and quorum are set apart for: steps that reach outside and cannot be taken back, and all others. A step
 * whose effect is not known is one of the others: the gate offers no more than itself for it.
 */
export type GrantClass = 'write' | 'external';
export type ByClass<T> = Readonly<Record<GrantClass, T>>;

/** Who may approve: the same people for everything, or one list each. */
export type ApproverRules = OperatorRule | ByClass<OperatorRule>;

/** What a binding says about deciding proposals. */
export interface ApprovalPolicy {
  readonly approvers: ApproverRules;
  /** Whether whoever started the run may decide on its steps. Default `never`. */
  readonly requester?: 'never' | 'allowed';
  /** How many different people have to allow a step. Default 1. */
  readonly quorum?: ByClass<number>;
}

export function classOf(effect: ProposedEffect): GrantClass {
  return effect === 'external' ? 'external' : 'write';
}

export function approversFor(rules: ApproverRules, grantClass: GrantClass): OperatorRule {
  return rules !== '*' && 'write' in rules ? rules[grantClass] : rules;
}

/** How many different people it takes. */
export function quorumFor({ quorum }: Pick<ApprovalPolicy, 'quorum'>, grantClass: GrantClass): number {
  return quorum?.[grantClass] ?? 1;
}

/**
 * Judges a decision on a step by the rule for its class; undefined means allowed. A user of the machine must be listed by
 * name even where `"*"` is the rule: the agent is started by one.
 */
export function refusalToApprove(person: Person, rule: OperatorRule): Refusal | undefined {
  if (person.platform === 'local' && rule === '*') return 'not_listed';
  return refusalFor(person, rule);
}

/** Whether the run is their own, where that keeps them from deciding on its steps. */
export function refusalAsRequester(
  actor: Pick<Actor, 'platform' | 'userId'>,
  { requester = 'never' }: Pick<ApprovalPolicy, 'requester'>,
  startedFor: string | undefined,
  people: readonly LinkedPerson[] = [],
): Extract<Refusal, 'requester'> | undefined {
  return requester === 'never' && isRequester(actor, startedFor, people) ? 'requester' : undefined;
}

/** How a run's proposals are put to people. */
export interface GrantTerms {
  /** Milliseconds a proposal stays open. */
  readonly waitMs: number;
  /** For steps that nobody, or too few people, may approve: who could change that. */
  readonly nobody?: Partial<ByClass<string>>;
}
