import { shownLine } from '../core/fit.ts';
import type { OutcomeKind } from '../core/outcomes.ts';

/** How a card's state is told. */
export interface Headline {
  /** What the icon stands for; each platform has its own. */
  readonly icon: OutcomeKind | 'recorded';
  readonly state: string;
  /** What the state means, beginning with ": "; may be empty. */
  readonly meaning: string;
  /** Who decided, where somebody did. Already inert. */
  readonly by?: string;
  /** The state in the fallback text's brackets. */
  readonly tag: string;
}

/** A display name is its owner's to choose: inert and short. */
export function nameOf(name: string): string {
  const inert = shownLine(name, 80);
  return inert === '' ? 'somebody' : inert;
}
