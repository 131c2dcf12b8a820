import type { LaterAction, ProposalCard } from '../../src/core/ports/surface-adapter.ts';
import { type Offer, offersOf, type ProposedEffect } from '../../src/core/proposals/contract.ts';
import type { ProposalView } from '../../src/core/request.ts';
import { headlineOfState, placeOf, subjectOf } from '../../src/prompt/card-words.ts';
import { captionOf, type DrawnText, drawnText, excerptOf } from '../../src/prompt/full-text.ts';
import { isRecommended, offerWords } from '../../src/prompt/offer-words.ts';
import { CARD_FACTS, type Fact, type FactSizes, proposalFacts } from '../../src/prompt/proposal-facts.ts';
import { agentSaysOf, EFFECT_WORDS, LATER_LABELS, PROPOSAL_BUTTONS } from '../../src/prompt/proposal-words.ts';
import { accentOf, headlineText } from './card-text.ts';
import {
  button,
  bytesOf,
  type Component,
  container,
  type Inner,
  moment,
  row,
  text,
  textLengthOf,
} from './components.ts';
import { escaped } from './escape.ts';
import { quoted, shown, shownLine } from './fit.ts';
import { OURS } from './limits.ts';
import { tokenOf } from './parse.ts';
import type { Payload } from './render.ts';

const EFFECT_LOOKS: Readonly<Record<ProposedEffect, { readonly icon: string; readonly accent: number }>> = {
  read: { icon: '👀', accent: 0x80_84_8e },
  write: { icon: '✏️', accent: 0x58_65_f2 },
  unknown: { icon: '❓', accent: 0xf0_b2_32 },
  external: { icon: '🚨', accent: 0xda_37_3c },
};

/** The card of a proposal: facts first, then all that will run, then its buttons; the agent's own word comes last. */
export function renderProposal(card: ProposalCard): Payload {
  const { view, state } = card;
  if (state.phase === 'open') {
    const parts = isWholeOnCard(view) ? wholeParts(view, state) : excerptCard(view, state);
    return { components: framed(view, parts), files: [] };
  }
  const accent = accentOf(headlineOfState(card)?.icon ?? 'open');
  return { components: [container(decidedParts(card), accent)], files: [] };
}

/** Whether all of it is on the card, so that it may be allowed there. */
export function isWholeOnCard(view: ProposalView): boolean {
  if (!drawnText(view.proposal.full).fits || !proposalFacts(view, CARD_FACTS).whole) return false;
  return fitsMessage(
    framed(
      view,
      wholeParts(view, { deadline: 0, approvers: 'x'.repeat(MOST_APPROVERS), progress: 'x'.repeat(MOST_PROGRESS) }),
    ),
  );
}

function fitsMessage(components: readonly Component[]): boolean {
  return textLengthOf(components) <= OURS.cardText && bytesOf(components) <= OURS.cardBytes;
}

/** In the look of its effect. */
export function framed({ proposal }: ProposalView, parts: Inner[]): Component[] {
  return [container(parts, EFFECT_LOOKS[proposal.effect].accent)];
}

/** What it does and where, then the facts. */
function factsText(view: ProposalView, sizes: FactSizes): string {
  const { effect } = view.proposal;
  const { word, meaning } = EFFECT_WORDS[effect];
  return [
    `${EFFECT_LOOKS[effect].icon} **${word}** · ${escaped(meaning)} · ${shownLine(placeOf(view.session), 250)}`,
    `**${shownLine(subjectOf(view), 400)}**`,
    ...proposalFacts(view, sizes).facts.map(factLine),
  ].join('\n');
}

/** What each button grants, and until when. */
export function offersText(offers: readonly Offer[]): string {
  return offers
    .map((offer) => {
      const { label, meaning } = offerWords(offer);
      const recommended = isRecommended(offer) ? ' (recommended)' : '';
      const end = offer.endsAt === undefined ? '' : `; at the latest until ${moment(offer.endsAt)}`;
      return `-# **${escaped(label)}**${escaped(`${recommended}: ${meaning}`)}${end}`;
    })
    .join('\n');
}

/** Text in a block that is always open; one that could end the block is quoted, with its markup escaped. */
function blockOf(literal: string): string {
  if (literal.includes('```')) return quoted(literal, Number.MAX_SAFE_INTEGER);
  return `\`\`\`\n${literal}\n\`\`\``;
}

/** What the agent says of it: last, labelled, in a quote. */
export function agentSaysParts({ proposal }: ProposalView): Inner[] {
  const says = agentSaysOf(proposal);
  return says === undefined ? [] : [text(`-# The agent says \\(not verified\\)\\:\n${quoted(says, AGENT_SAYS)}`)];
}

const AGENT_SAYS = 200;
const MOST_APPROVERS = 120;
const MOST_PROGRESS = 160;

interface Open {
  readonly deadline: number;
  readonly approvers?: string;
  readonly progress?: string;
}

function wholeParts(view: ProposalView, state: Open): Inner[] {
  const drawn = drawnText(view.proposal.full);
  return [
    text(factsText(view, CARD_FACTS)),
    textBlock(view, drawn, drawn.text),
    text(offersText(offersOf(view.proposal))),
    row(...grantButtons(view), ...denyButtons(view)),
    untilText(state),
    ...agentSaysParts(view),
  ];
}

function excerptCard(view: ProposalView, state: Open): Inner[] {
  const review = button(PROPOSAL_BUTTONS.review, tokenOf(view.requestId, { kind: 'review' }), { primary: true });
  return [
    ...excerptParts(view),
    text('Too long to be allowed from here\\: Review shows all of it, and can allow it.'),
    row(review, ...denyButtons(view)),
    untilText(state),
    ...agentSaysParts(view),
  ];
}

/** Facts as far as there is room, and the beginning and end of what will run. The last always fits. */
export function excerptParts(view: ProposalView): Inner[] {
  const drawn = drawnText(view.proposal.full);
  for (const { facts, ...most } of EXCERPTS) {
    const excerpt = excerptOf(drawn, most);
    const parts = [text(factsText(view, facts)), textBlock(view, drawn, excerpt)];
    if (textLengthOf(parts) <= MOST_EXCERPT && bytesOf(parts) <= MOST_EXCERPT_BYTES) return parts;
  }
  return [text(factsText(view, { values: 1, length: 40, why: 40 }))];
}

/** Largest first. */
const EXCERPTS = [
  { facts: { values: 8, length: 120, why: 300 }, head: 900, tail: 400 },
  { facts: { values: 5, length: 80, why: 120 }, head: 400, tail: 200 },
  { facts: { values: 3, length: 60, why: 60 }, head: 150, tail: 80 },
] as const;
const MOST_EXCERPT = 2_400;
const MOST_EXCERPT_BYTES = 7_000;

/** No deciding button of any kind: what is decided cannot be decided again. */
function decidedParts(card: ProposalCard): Inner[] {
  const { view, state } = card;
  const headline = headlineOfState(card);
  const later = state.phase === 'ended' ? state.later : undefined;
  return [
    ...(headline === undefined || state.phase === 'open' ? [] : [text(headlineText(headline, state.at))]),
    ...noteParts(card),
    ...excerptParts(view),
    ...(later === undefined ? [] : [row(laterButton(view, later))]),
    ...agentSaysParts(view),
  ];
}

/** Typed by a person, and still not ours. */
function noteParts({ state }: ProposalCard): Inner[] {
  const decision = state.phase === 'recorded' ? state.decision : state.phase === 'ended' ? state.outcome : undefined;
  if (decision?.kind !== 'denied' || decision.note === undefined) return [];
  return [text(`Note to the agent\\:\n${quoted(decision.note, NOTE)}`)];
}

const NOTE = 600;

function textBlock({ proposal }: ProposalView, drawn: DrawnText, part: string): Inner {
  return text(`-# ${escaped(captionOf(proposal.full, drawn, part === drawn.text))}\n${blockOf(part)}`);
}

function factLine({ name, values }: Fact): string {
  const parts = values.map(({ text: value, warning }) => {
    const inert = shown(value, FACT);
    return warning === undefined ? inert : `${inert} **${escaped(`(${warning})`)}**`;
  });
  return `**${name}**\\: ${parts.join(' · ')}`;
}

/** More than any fact is long: it was fitted before. */
const FACT = 4_000;

function grantButtons(view: ProposalView) {
  return offersOf(view.proposal).map((offer) => {
    const { scope, confirm } = offer;
    const token = tokenOf(view.requestId, confirm ? { kind: 'confirm', scope } : { kind: 'grant', scope });
    return button(offerWords(offer).label, token, { primary: isRecommended(offer), danger: confirm });
  });
}

function denyButtons({ requestId }: ProposalView) {
  return [
    button(PROPOSAL_BUTTONS.deny, tokenOf(requestId, { kind: 'deny' })),
    button(PROPOSAL_BUTTONS.denyNote, tokenOf(requestId, { kind: 'denynote' })),
  ];
}

function laterButton({ requestId }: ProposalView, kind: LaterAction) {
  return button(LATER_LABELS[kind], tokenOf(requestId, { kind }));
}

function untilText({ deadline, approvers, progress }: Open): Inner {
  const who = approvers === undefined ? 'only listed approvers may decide' : `may decide: ${approvers}`;
  const soFar = progress === undefined ? '' : `**${shownLine(progress, MOST_PROGRESS)}**\n`;
  return text(
    `${soFar}-# ${shownLine(who, MOST_APPROVERS)} · answer by ${moment(deadline)} (${moment(deadline, 'R')})`,
  );
}
