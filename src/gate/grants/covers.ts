import { type Grant, isActive } from '../../core/grants/grant.ts';
import { type JudgedStep, reachOf } from './step.ts';

/** The call that a grant is to be good for. */
export interface StepFacts {
  readonly callId: string;
  readonly sessionId: string;
  /** Real path of the workspace now. */
  readonly workspace: string;
  readonly ownerId: string;
  readonly turnId?: string;
  /** Whether it is known where it runs. Where it is not, nothing but its own grant is good for it. */
  readonly cwdKnown: boolean;
  readonly digest: string;
}

/** Why a grant is not good for a step. */
export type NotCovered =
  | 'over'
  | 'other_session'
  | 'other_workspace'
  | 'other_turn'
  | 'other_call'
  | 'other_digest'
  | 'reaches_further';

/**
 * Whether a grant is good for a step: undefined when it is (product.md "Grant proposals", the table). Pure; `use` of the
 * store judges again whether it is still there.
 */
export function notCovered(grant: Grant, step: JudgedStep, facts: StepFacts, now: number): NotCovered | undefined {
  if (!isActive(grant, now)) return 'over';
  if (grant.sessionId !== facts.sessionId) return 'other_session';
  if (grant.workspace !== facts.workspace) return 'other_workspace';
  if (grant.covers === 'this-call') {
    if (grant.callId !== facts.callId) return 'other_call';
    return grant.digest === facts.digest ? undefined : 'other_digest';
  }
  // It was not to be stored like this: an action is one call.
  if (grant.scope === 'action') return 'other_call';
  if (grant.scope === 'turn' && !isSameTurn(grant, facts)) return 'other_turn';
  const reach = reachOf(step);
  if (reach === 'once' || !facts.cwdKnown) return 'reaches_further';
  if (grant.covers === 'same-digest') return grant.digest === facts.digest ? undefined : 'other_digest';
  return reach === 'workspace' ? undefined : 'reaches_further';
}

/** Turns are named by the agent; another process may use the same name for another turn. */
function isSameTurn(grant: Grant, facts: StepFacts): boolean {
  return grant.turnId !== undefined && grant.turnId === facts.turnId && grant.ownerId === facts.ownerId;
}
