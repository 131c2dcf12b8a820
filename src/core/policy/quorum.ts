import type { Scope } from '../proposals/contract.ts';
import type { Vote } from '../request.ts';
import { type LinkedPerson, personOf } from './identities.ts';

/** From what ends soonest to what lasts. */
const BY_WIDTH: readonly Scope[] = ['action', 'turn', 'session'];

/** What everybody who allowed it has agreed to: the least of what they chose. */
export function narrowest(first: Scope, ...others: readonly Scope[]): Scope {
  return others.reduce((least, scope) => (BY_WIDTH.indexOf(scope) < BY_WIDTH.indexOf(least) ? scope : least), first);
}

/** One vote a person, the earliest of each; a person's linked ids are one. */
export function oneEach(votes: readonly Vote[], people: readonly LinkedPerson[] = []): readonly Vote[] {
  const known = new Map<string, Vote>();
  for (const vote of votes) {
    const person = personOf(vote.actor, people);
    if (!known.has(person)) known.set(person, vote);
  }
  return [...known.values()];
}
