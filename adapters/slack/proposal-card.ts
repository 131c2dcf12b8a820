import type { LaterAction, ProposalCard } from '../../src/core/ports/surface-adapter.ts';
import { type Offer, offersOf, type ProposedEffect } from '../../src/core/proposals/contract.ts';
import type { ProposalView } from '../../src/core/request.ts';
import { headlineOfState, placeOf, subjectOf } from '../../src/prompt/card-words.ts';
import { captionOf, type DrawnText, drawnText, excerptOf } from '../../src/prompt/full-text.ts';
import { isRecommended, offerWords } from '../../src/prompt/offer-words.ts';
import { CARD_FACTS, type Fact, proposalFacts } from '../../src/prompt/proposal-facts.ts';
import { agentSaysOf, EFFECT_WORDS, LATER_LABELS, PROPOSAL_BUTTONS } from '../../src/prompt/proposal-words.ts';
import {
  actions,
  type Button,
  bold,
  button,
  code,
  confirmed,
  icon,
  type KnownBlock,
  line,
  list,
  moment,
  quote,
  richText,
  source,
  textLength,
  words,
} from './blocks.ts';
import { headlineBlock } from './decision-blocks.ts';
import { shortened, shown, shownLine } from './fit.ts';
import { OURS } from './limits.ts';
import { tokenOf } from './parse.ts';

const EFFECT_ICONS: Readonly<Record<ProposedEffect, string>> = {
  read: 'eyes',
  write: 'pencil2',
  unknown: 'grey_question',
  external: 'rotating_light',
};

/** The card of a proposal: facts first, then all that will run, then its buttons; the agent's own word comes last. */
export function proposalBlocks(card: ProposalCard): KnownBlock[] {
  return card.state.phase === 'open' ? openBlocks(card, card.state) : decidedBlocks(card);
}

/** Whether all of it is on the card, so that it may be allowed there. */
export function isWholeOnCard(view: ProposalView): boolean {
  const drawn = drawnText(view.proposal.full);
  return drawn.fits && proposalFacts(view, CARD_FACTS).whole && textLength(wholeBlocks(view, drawn)) <= OURS.cardText;
}

/** What it does, in its own look, and where. */
export function effectBlock(view: ProposalView): KnownBlock {
  const { effect } = view.proposal;
  const { word, meaning } = EFFECT_WORDS[effect];
  return richText(
    line(icon(EFFECT_ICONS[effect]), words(' '), bold(word), words(` · ${meaning} · ${placeOf(view.session)}`)),
    line(bold(subjectOf(view))),
  );
}

export function factBlock(facts: readonly Fact[]): KnownBlock {
  return richText(...facts.map(factLine));
}

/** What each button grants, and until when. */
export function offersBlock(offers: readonly Offer[]): KnownBlock {
  return richText(
    list(
      'bullet',
      offers.map((offer) => {
        const { label, meaning } = offerWords(offer);
        const recommended = isRecommended(offer) ? ' (recommended)' : '';
        const end = offer.endsAt === undefined ? [] : [words('; at the latest until '), moment(offer.endsAt)];
        return line(bold(label), words(`${recommended}: ${meaning}`), ...end);
      }),
    ),
  );
}

/** What the agent says of it: last, labelled, in a quote. */
export function agentSaysBlocks({ proposal }: ProposalView, most: number): KnownBlock[] {
  const says = agentSaysOf(proposal);
  return says === undefined
    ? []
    : [richText(line(words('The agent says (not verified):')), quote(words(shown(says, most))))];
}

const AGENT_SAYS = 200;

type OpenState = Extract<ProposalCard['state'], { phase: 'open' }>;

/** Enough for the names of ten people, each cut. */
const MOST_PROGRESS = 400;

function openBlocks({ view }: ProposalCard, state: OpenState): KnownBlock[] {
  const progress = state.progress === undefined ? [] : [line(bold(shownLine(state.progress, MOST_PROGRESS)))];
  const until = richText(
    ...progress,
    line(words(`${decidersOf(state.approvers)} · answer by `), moment(state.deadline)),
  );
  if (isWholeOnCard(view)) {
    return [
      ...wholeBlocks(view, drawnText(view.proposal.full)),
      actions(...grantButtons(view), ...denyButtons(view)),
      until,
      ...agentSaysBlocks(view, AGENT_SAYS),
    ];
  }
  const review = press(view, 'review', PROPOSAL_BUTTONS.review, 'primary');
  return [
    ...excerptBlocks(view),
    richText(line(words('Too long to be allowed from here: Review shows all of it, and can allow it.'))),
    actions(review, ...denyButtons(view)),
    until,
    ...agentSaysBlocks(view, AGENT_SAYS),
  ];
}

function wholeBlocks(view: ProposalView, drawn: DrawnText): KnownBlock[] {
  return [
    effectBlock(view),
    factBlock(proposalFacts(view, CARD_FACTS).facts),
    richText(line(words(captionOf(view.proposal.full, drawn, true))), source(drawn.text)),
    offersBlock(offersOf(view.proposal)),
  ];
}

/** Facts as far as there is room, and the beginning and end of what will run. */
export function excerptBlocks(view: ProposalView): KnownBlock[] {
  const drawn = drawnText(view.proposal.full);
  const excerpt = excerptOf(drawn, { head: 1_200, tail: 600 });
  const whole = excerpt === drawn.text;
  return [
    effectBlock(view),
    factBlock(proposalFacts(view, { values: 8, length: 120, why: 300 }).facts),
    richText(line(words(captionOf(view.proposal.full, drawn, whole))), source(excerpt)),
  ];
}

/** No deciding button of any kind: what is decided cannot be decided again. */
function decidedBlocks(card: ProposalCard): KnownBlock[] {
  const { view, state } = card;
  const headline = headlineOfState(card);
  const later = state.phase === 'ended' ? state.later : undefined;
  return [
    ...(headline === undefined || state.phase === 'open' ? [] : [headlineBlock(headline, state.at)]),
    ...noteBlocks(card),
    ...excerptBlocks(view),
    ...(later === undefined ? [] : [actions(press(view, later, LATER_LABELS[later]))]),
    ...agentSaysBlocks(view, AGENT_SAYS),
  ];
}

/** Typed by a person, and still not ours. */
function noteBlocks({ state }: ProposalCard): KnownBlock[] {
  const decision = state.phase === 'recorded' ? state.decision : state.phase === 'ended' ? state.outcome : undefined;
  if (decision?.kind !== 'denied' || decision.note === undefined) return [];
  return [richText(line(words('Note to the agent:')), quote(words(shown(decision.note, NOTE))))];
}

const NOTE = 3_000;

function factLine({ name, values }: Fact) {
  const parts = values.flatMap(({ text, warning }, index) => [
    ...(index === 0 ? [] : [words(' · ')]),
    code(text),
    ...(warning === undefined ? [] : [words(' '), bold(`(${warning})`)]),
  ]);
  return line(bold(`${name}: `), ...parts);
}

function grantButtons(view: ProposalView): Button[] {
  return offersOf(view.proposal).map((offer) => {
    const { actionId, value } = tokenOf(view.requestId, { kind: 'grant', scope: offer.scope });
    const { label } = offerWords(offer);
    const plainly = button(
      label,
      actionId,
      value,
      offer.confirm ? 'danger' : isRecommended(offer) ? 'primary' : undefined,
    );
    if (!offer.confirm) return plainly;
    const { word, meaning } = EFFECT_WORDS[view.proposal.effect];
    const asked = `${word}: it ${meaning}. ${shownLine(subjectOf(view), 150)}`;
    return confirmed(plainly, 'Really allow this?', shortened(asked, CONFIRM_TEXT), 'Yes, allow it');
  });
}

/** Slack's limit (block kit, confirmation dialog: text). */
const CONFIRM_TEXT = 300;

function denyButtons(view: ProposalView): Button[] {
  return [press(view, 'deny', PROPOSAL_BUTTONS.deny), press(view, 'denynote', PROPOSAL_BUTTONS.denyNote)];
}

function press(
  view: ProposalView,
  kind: 'deny' | 'denynote' | 'review' | LaterAction,
  label: string,
  style?: 'primary',
): Button {
  const { actionId, value } = tokenOf(view.requestId, { kind });
  return button(label, actionId, value, style);
}

function decidersOf(approvers: string | undefined): string {
  return approvers === undefined ? 'Only listed approvers may decide' : `May decide: ${approvers}`;
}
