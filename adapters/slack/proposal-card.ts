import type { ProposalCard } from '../../src/core/ports/surface-adapter.ts';
import { factsOf, headlineOfState, subjectOf } from '../../src/prompt/card-words.ts';
import { context, type KnownBlock, line, plain, richText, words } from './blocks.ts';
import { headlineBlock } from './decision-blocks.ts';

/** The card of a proposal: facts first, then what will run, then the agent's word. */
export function proposalBlocks(card: ProposalCard): KnownBlock[] {
  const { view, state } = card;
  const headline = headlineOfState(card);
  return [
    ...(headline === undefined || state.phase === 'open' ? [] : [headlineBlock(headline, state.at)]),
    richText(line(words(subjectOf(view)))),
    context(plain(factsOf(view.session))),
  ];
}
