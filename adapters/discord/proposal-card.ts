import type { ProposalCard } from '../../src/core/ports/surface-adapter.ts';
import { factsOf, headlineOfState, subjectOf } from '../../src/prompt/card-words.ts';
import { accentOf, headlineText } from './card-text.ts';
import { container, text } from './components.ts';
import { shownLine } from './fit.ts';
import type { Payload } from './render.ts';

/** The card of a proposal: facts first, then what will run, then the agent's word. */
export function renderProposal(card: ProposalCard): Payload {
  const { view, state } = card;
  const headline = headlineOfState(card);
  const parts = [
    ...(headline === undefined || state.phase === 'open' ? [] : [text(headlineText(headline, state.at))]),
    text(shownLine(subjectOf(view), 400)),
    text(`-# ${shownLine(factsOf(view.session), 400)}`),
  ];
  return { components: [container(parts, accentOf(headline?.icon ?? 'open'))], files: [] };
}
