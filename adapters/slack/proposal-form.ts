import type { ModalView, PlainTextOption } from '@slack/types';
import { offersOf, SCOPES, type Scope } from '../../src/core/proposals/contract.ts';
import type { ProposalView } from '../../src/core/request.ts';
import { isBlank } from '../../src/core/text.ts';
import { captionOf, drawnText } from '../../src/prompt/full-text.ts';
import { offerWords } from '../../src/prompt/offer-words.ts';
import { proposalFacts, REVIEW_FACTS } from '../../src/prompt/proposal-facts.ts';
import type { ProposalFile } from '../../src/prompt/proposal-file.ts';
import {
  code,
  type KnownBlock,
  line,
  plain,
  richText,
  section,
  source,
  textInput,
  textLength,
  words,
} from './blocks.ts';
import { shortened } from './fit.ts';
import { type FormPlace, metadataOf } from './form-place.ts';
import { OURS, SLACK } from './limits.ts';
import type { FormState } from './payload.ts';
import { agentSaysBlocks, effectBlock, excerptBlocks, factBlock, offersBlock } from './proposal-card.ts';

/** `callback_id`s of the modals of a proposal. */
export const REVIEW_CALLBACK = 'handraise.review';
export const DENY_CALLBACK = 'handraise.deny';

/**
 * All of a proposal for the person who opened it, and what they may grant. `file`: what holds all of it, in the card's
 * thread, where a modal has no room (`fitsReview`).
 */
export function reviewForm(view: ProposalView, place: FormPlace, file?: ProposalFile): ModalView {
  const { proposal } = view;
  return {
    type: 'modal',
    callback_id: REVIEW_CALLBACK,
    private_metadata: metadataOf(place),
    title: plain('Review'),
    submit: plain('Allow'),
    close: plain('Close'),
    blocks: [
      ...(file === undefined ? wholeBlocks(view) : [...excerptBlocks(view), fileBlock(file)]),
      offersBlock(offersOf(proposal)),
      grantBlock(view),
      ...agentSaysBlocks(view, AGENT_SAYS),
    ],
  };
}

/** Whether a modal shows all of it. */
export function fitsReview(view: ProposalView): boolean {
  return proposalFacts(view, REVIEW_FACTS).whole && fits(reviewForm(view, { requestId: view.requestId }));
}

function wholeBlocks(view: ProposalView): KnownBlock[] {
  const { full } = view.proposal;
  const drawn = drawnText(full);
  return [
    effectBlock(view),
    factBlock(proposalFacts(view, REVIEW_FACTS).facts),
    richText(line(words(captionOf(full, drawn, true))), ...chunksOf(drawn.text).map(source)),
  ];
}

function fileBlock({ name, hash }: ProposalFile): KnownBlock {
  const called = `${hash.slice(0, 8)}-${name}`;
  return richText(
    line(words('All of it is in the thread of the card, as the file '), code(called), words(`. SHA-256 ${hash}.`)),
    line(words('Read it there before you allow it.')),
  );
}

/** More than any agent has to say; the card shows less. */
const AGENT_SAYS = 1_000;

/** Why it is denied, for the agent. */
export function denyForm(view: ProposalView, place: FormPlace): ModalView {
  return {
    type: 'modal',
    callback_id: DENY_CALLBACK,
    private_metadata: metadataOf(place),
    title: plain('Deny with a note'),
    submit: plain('Deny'),
    close: plain('Cancel'),
    blocks: [
      effectBlock(view),
      textInput(NOTE, 'What the agent should know', { actionId: NOTE, multiline: true, optional: false }),
    ],
  };
}

/** Why a proposal has no review form. */
export function tooLongView(): ModalView {
  return {
    type: 'modal',
    title: plain('handraise'),
    close: plain('Close'),
    blocks: [
      section(
        'This step is longer than Slack can show, and it could not be put into the thread as a file (files:write), so that it cannot be allowed here. It can be denied.',
      ),
    ],
  };
}

/** Which scope the review form says; undefined when none is chosen. */
export function scopeIn(state: FormState): Scope | undefined {
  const chosen = state[GRANT]?.[GRANT]?.selected_option?.value;
  return SCOPES.find((scope) => scope === chosen);
}

/** The note; undefined when it is blank. */
export function noteIn(state: FormState): string | undefined {
  const text = state[NOTE]?.[NOTE]?.value ?? '';
  return isBlank(text) ? undefined : text.trim();
}

/** Block and action ids of the fields. */
export const GRANT = 'grant';
export const NOTE = 'note';

function grantBlock(view: ProposalView): KnownBlock {
  const options = offersOf(view.proposal).map((offer): PlainTextOption => {
    const { label, meaning } = offerWords({ ...offer, confirm: false });
    return {
      text: plain(shortened(label, SLACK.optionText)),
      value: offer.scope,
      description: plain(shortened(meaning, SLACK.optionDescription)),
    };
  });
  return {
    type: 'input',
    block_id: GRANT,
    label: plain('What to allow'),
    // Nothing is chosen for them: to press Allow alone must not be enough.
    element: { type: 'radio_buttons', action_id: GRANT, options },
  };
}

function fits(view: ModalView): boolean {
  const bytes = new TextEncoder().encode(JSON.stringify(view)).length;
  return textLength(view) <= OURS.formText && bytes <= SLACK.viewBytes;
}

/** A text element takes so much; pieces end at a line's end where they can. */
const CHUNK = 12_000;

function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let rest = text;
  while (rest.length > CHUNK) {
    const end = rest.lastIndexOf('\n', CHUNK);
    const at = end > CHUNK / 2 ? end + 1 : boundaryBefore(rest, CHUNK);
    chunks.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return rest === '' ? chunks : [...chunks, rest];
}

function boundaryBefore(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
