import type { Offer } from '../core/proposals/contract.ts';

/** How a grant is told on a button and beside it. */
export interface OfferWords {
  /** At most 40 characters. */
  readonly label: string;
  /** What it covers and what ends it. A time limit is drawn by whoever shows it, in the reader's own time zone. */
  readonly meaning: string;
}

/** The one place that words a grant, made from the grant that would be stored. Plain text; `lifetimeWords` are the gate's. */
export function offerWords({ scope, covers, lifetimeWords, confirm }: Offer): OfferWords {
  const more = confirm ? '…' : '';
  switch (covers) {
    case 'this-call':
      return { label: `Allow once${more}`, meaning: 'this one call, and nothing else' };
    case 'same-digest':
      return {
        label: `Allow exactly this for ${lifetimeWords}${more}`,
        meaning: `exactly this step, again and again ${until(scope, lifetimeWords)}`,
      };
    case 'workspace-writes':
      return {
        label: `Allow for ${lifetimeWords}${more}`,
        meaning: `this step and every later write inside the workspace ${until(scope, lifetimeWords)}`,
      };
  }
}

/** The offer that is put first: the narrowest that spares people the next card. */
export function isRecommended({ scope }: Offer): boolean {
  return scope === 'turn';
}

function until(scope: Offer['scope'], lifetimeWords: string): string {
  return scope === 'action' ? '' : `until ${lifetimeWords} ends`;
}
