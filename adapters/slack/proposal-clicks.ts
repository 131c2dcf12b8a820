import type { Decision, ProposalView } from '../../src/core/request.ts';
import type { CardAction } from './parse.ts';
import { isWholeOnCard } from './proposal-card.ts';

/** What a button of a proposal's card decides; undefined for one that is not on it: what is not whole is reviewed first. */
export function proposalDecisionOf(action: CardAction, view: ProposalView): Decision | undefined {
  if (action.kind === 'deny') return { kind: 'denied' };
  if (action.kind === 'grant' && isWholeOnCard(view)) return { kind: 'granted', scope: action.scope };
  return undefined;
}
