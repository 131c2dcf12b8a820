import type { Outcome } from '../../src/core/outcomes.ts';
import { type Card, isProposalCard, type QuestionsCard } from '../../src/core/ports/surface-adapter.ts';
import type { QuestionsView, SessionFacts } from '../../src/core/request.ts';
import { factsOf, headlineOf, recordedHeadline, sessionFactsOf } from '../../src/prompt/card-words.ts';
import type { Headline } from '../../src/prompt/headline.ts';
import { BUTTONS, hasOptionButtons } from '../../src/prompt/option-labels.ts';
import {
  actions,
  button,
  context,
  type KnownBlock,
  line,
  localTime,
  ourMarkup,
  plain,
  richText,
  textLength,
  words,
} from './blocks.ts';
import { fallbackOf } from './card-text.ts';
import { decidedBlock, headlineBlock } from './decision-blocks.ts';
import { escaped } from './escape.ts';
import { fitted, shownLine } from './fit.ts';
import { OURS, SLACK } from './limits.ts';
import { tokenOf } from './parse.ts';
import { proposalBlocks } from './proposal-card.ts';
import { askedBlock, optionList, optionsWithButtons } from './question-blocks.ts';
import { firstThatFits, SIZES, type Sizes } from './sizes.ts';

/** What a message consists of, for posts, edits and response URLs. */
export interface Payload {
  /** Ours; shown where blocks cannot be. */
  readonly text: string;
  readonly blocks: KnownBlock[];
  /** How the message is found again when it is not known whether it was posted. */
  readonly metadata: { readonly event_type: string; readonly event_payload: Record<string, string | number> };
}

/** `event_type`s of our messages' metadata. */
export const CARD_EVENT = 'handraise_card';
export const SESSION_EVENT = 'handraise_session';

/** A card in whatever state it is. Pure: the same card is always drawn the same. */
export function renderCard(card: Card): Payload {
  return {
    text: fallbackOf(card),
    blocks: wholeOf(card),
    metadata: { event_type: CARD_EVENT, event_payload: { request_id: card.view.requestId, v: 1 } },
  };
}

function wholeOf(card: Card): KnownBlock[] {
  if (isProposalCard(card)) return proposalBlocks(card);
  const draw = (sizes: Sizes) => blocksOf(card, sizes);
  return firstThatFits(SIZES, draw, textLength, OURS.cardText);
}

/** The session's parent line. */
export function renderThread(session: SessionFacts): Payload {
  const text = sessionFactsOf(session);
  const folder = shownLine(session.workspace, 500);
  return {
    text: escaped(fitted(`[session] ${text}`, SLACK.fallbackText, 'escaped')),
    blocks: [richText(line(words('Session of '), words(text))), context(plain(folder))],
    metadata: { event_type: SESSION_EVENT, event_payload: { session_id: session.sessionId, v: 1 } },
  };
}

/** The end of a card whose content nobody knows any more. */
export function renderRetired(outcome: Outcome, at: number): Omit<Payload, 'metadata'> {
  const headline = headlineOf(outcome, undefined);
  return {
    text: `[${headline.tag}] a question of an earlier run`,
    blocks: [headlineBlock(headline, at), context(plain('A question of an earlier run.'))],
  };
}

function blocksOf({ view, state }: QuestionsCard, sizes: Sizes): KnownBlock[] {
  switch (state.phase) {
    case 'open':
      return openBlocks(view, state.deadline, sizes);
    case 'recorded': {
      const sheet = state.decision.kind === 'answers' ? state.decision.sheet : undefined;
      return decidedBlocks(view, recordedHeadline(state.actor.name), state.at, sheet, sizes);
    }
    case 'ended': {
      const sheet = 'sheet' in state.outcome ? state.outcome.sheet : undefined;
      return decidedBlocks(view, headlineOf(state.outcome, state.actor?.name), state.at, sheet, sizes);
    }
  }
}

function openBlocks(view: QuestionsView, deadline: number, sizes: Sizes): KnownBlock[] {
  const facts = context(plain(factsOf(view)), ourMarkup(`Answer by ${localTime(deadline)}`));
  const press = (kind: keyof typeof BUTTONS, style?: 'primary') => {
    const { actionId, value } = tokenOf(view.requestId, { kind });
    return button(BUTTONS[kind], actionId, value, style);
  };
  if (hasOptionButtons(view.questions, OURS.buttonsInARow)) {
    const [asked] = view.questions;
    return [
      facts,
      askedBlock(asked, sizes),
      ...optionsWithButtons(view.requestId, asked, sizes),
      actions(press('other'), press('skip'), press('note'), press('decline')),
    ];
  }
  const several = view.questions.length > 1;
  return [
    facts,
    ...view.questions.flatMap((asked, index) => [
      askedBlock(asked, sizes, several ? index + 1 : undefined),
      ...optionList(asked, sizes),
    ]),
    actions(press('answer', 'primary'), press('skip'), press('decline')),
  ];
}

/** No button of any kind: what is decided cannot be pressed. */
function decidedBlocks(
  view: QuestionsView,
  headline: Headline,
  at: number,
  sheet: Extract<Outcome, { sheet: unknown }>['sheet'] | undefined,
  sizes: Sizes,
): KnownBlock[] {
  const several = view.questions.length > 1;
  return [
    headlineBlock(headline, at),
    ...view.questions.map((asked, index) =>
      decidedBlock(asked, sheet?.[index], sizes, several ? index + 1 : undefined),
    ),
    context(plain(factsOf(view))),
  ];
}
