import type { Offer } from '../../core/proposals/contract.ts';
import { type JudgedStep, reachOf } from './step.ts';

/** What is known about where a step comes from, for the grants that may be offered for it. */
export interface OfferFacts {
  /** The turn is known, and has not ended. */
  readonly inTurn: boolean;
  readonly cwdKnown: boolean;
  /** Milliseconds since the epoch at which a grant for longer than one call ends, whatever else. */
  readonly endsAt: number;
  /** How people are told what a turn and a session last for: for many agents both are `this run`. */
  readonly words: LifetimeWords;
}

export interface LifetimeWords {
  readonly turn: string;
  readonly session: string;
}

/**
 * What a card may offer for a step, the recommended one first: each is the grant that would be stored if it were chosen.
 * Refusing is always possible and is no offer.
 */
export function offersFor(step: JudgedStep, { inTurn, cwdKnown, endsAt, words }: OfferFacts): readonly Offer[] {
  const once: Offer = {
    scope: 'action',
    covers: 'this-call',
    lifetimeWords: 'this call',
    confirm: step.effect === 'external',
  };
  const reach = reachOf(step);
  if (reach === 'once' || !cwdKnown) return [once];
  const covers = reach === 'exactly' ? 'same-digest' : 'workspace-writes';
  const turn: Offer = { scope: 'turn', covers, endsAt, lifetimeWords: words.turn, confirm: false };
  const session: Offer = { scope: 'session', covers, endsAt, lifetimeWords: words.session, confirm: false };
  return inTurn ? [turn, once, session] : [once, session];
}
