import { type Offer, offersOf } from '../../src/core/proposals/contract.ts';
import type { Decision, ProposalView } from '../../src/core/request.ts';
import { subjectOf } from '../../src/prompt/card-words.ts';
import { captionOf, drawnText } from '../../src/prompt/full-text.ts';
import { offerWords } from '../../src/prompt/offer-words.ts';
import { proposalFile } from '../../src/prompt/proposal-file.ts';
import { EFFECT_WORDS } from '../../src/prompt/proposal-words.ts';
import { button, file, label, row, text, textInput } from './components.ts';
import { plainLine, shownLine } from './fit.ts';
import type { Modal } from './form.ts';
import { DISCORD } from './limits.ts';
import { type CardAction, tokenOf } from './parse.ts';
import { agentSaysParts, excerptParts, framed, isWholeOnCard, offersText } from './proposal-card.ts';
import type { Payload } from './render.ts';

/** What a button decides; undefined for one that is not on the card, or that takes a second step first. */
export function proposalDecisionOf(action: CardAction, view: ProposalView): Decision | undefined {
  switch (action.kind) {
    case 'deny':
      return { kind: 'denied' };
    case 'grant': {
      const offer = offerOf(view, action.scope);
      return offer?.confirm === false && isWholeOnCard(view) ? { kind: 'granted', scope: action.scope } : undefined;
    }
    case 'confirmed':
      return { kind: 'granted', scope: action.scope };
    default:
      return undefined;
  }
}

/** The second step of what cannot be taken back, for the person who clicked. */
export function confirmView(view: ProposalView, scope: Offer['scope']): Payload | undefined {
  const offer = offerOf(view, scope);
  if (offer === undefined || !isWholeOnCard(view)) return undefined;
  const { word, meaning } = EFFECT_WORDS[view.proposal.effect];
  return {
    components: framed(view, [
      text(`**Really allow this?** It is **${word}** and ${meaning}\\.`),
      ...excerptParts(view),
      row(confirmButton(view, offer, `Yes, ${lowerFirst(offerWords({ ...offer, confirm: false }).label)}`)),
    ]),
    files: [],
  };
}

/** All of a proposal for the person who opened it, as a file, and what they may grant. */
export function reviewView(view: ProposalView): Payload {
  const { full } = view.proposal;
  const { name, data } = proposalFile(view);
  return {
    components: framed(view, [
      ...excerptParts(view),
      text(`-# ${shownLine(captionOf(full, drawnText(full), true), 200)} and every fact is in the file`),
      file(name),
      text(offersText(offersOf(view.proposal))),
      row(
        ...offersOf(view.proposal).map((offer) =>
          confirmButton(view, offer, offerWords({ ...offer, confirm: false }).label),
        ),
      ),
      ...agentSaysParts(view),
    ]),
    files: [{ name, data }],
  };
}

/** Why it is denied, for the agent. */
export function denyForm(view: ProposalView): Modal {
  const about = plainLine(subjectOf(view), DISCORD.labelDescription);
  return {
    custom_id: tokenOf(view.requestId, { kind: 'denynote' }),
    title: 'Deny with a note',
    components: [label('What the agent should know', about, textInput(NOTE_FIELD, true))],
  };
}

export const NOTE_FIELD = 'note';

function confirmButton(view: ProposalView, { scope }: Offer, words: string) {
  return button(words, tokenOf(view.requestId, { kind: 'confirmed', scope }), {
    danger: view.proposal.effect === 'external',
  });
}

function offerOf({ proposal }: ProposalView, scope: Offer['scope']): Offer | undefined {
  return offersOf(proposal).find((offer) => offer.scope === scope);
}

function lowerFirst(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}
