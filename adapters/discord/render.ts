import { createHash } from 'node:crypto';
import { shownLine as shownLineRaw } from '../../src/core/fit.ts';
import type { Outcome } from '../../src/core/outcomes.ts';
import { type Card, isProposalCard, type QuestionsCard } from '../../src/core/ports/surface-adapter.ts';
import type { QuestionsView, SessionFacts } from '../../src/core/request.ts';
import { visible } from '../../src/core/visible.ts';
import { headlineOf, headlineOfState, placeOf, sessionFactsOf } from '../../src/prompt/card-words.ts';
import { BUTTONS, hasOptionButtons } from '../../src/prompt/option-labels.ts';
import { accentOf, draftLine, factsLine, factsOnly, headlineText, summaryOf } from './card-text.ts';
import {
  button,
  bytesOf,
  type Component,
  container,
  countOf,
  file,
  type Inner,
  link,
  row,
  section,
  select,
  separator,
  text,
  textLengthOf,
} from './components.ts';
import type { Draft } from './draft.ts';
import { plainLine, shownLine } from './fit.ts';
import { formFits } from './form.ts';
import { DISCORD, OURS } from './limits.ts';
import { type CardAction, tokenOf } from './parse.ts';
import { renderProposal } from './proposal-card.ts';
import { askedText, choicesOf, decidedText, isCutAt, optionListText, optionsWithButtons } from './question-parts.ts';
import { firstThatFits, type Sizes } from './sizes.ts';
import { stepParts } from './stepper.ts';

/** What a message consists of. `files` go along with a post; edits keep what is attached. */
export interface Payload {
  readonly components: Component[];
  readonly files: readonly { readonly name: string; readonly data: string }[];
}

/** A card in whatever state it is. Pure: the same card and draft are always drawn the same. */
export function renderCard(card: Card, draft?: Draft): Payload {
  if (isProposalCard(card)) return renderProposal(card);
  const { components, cut } = firstThatFits(
    (sizes) => drawn(card, draft, sizes),
    ({ components: tried }) =>
      countOf(tried) <= DISCORD.components && textLengthOf(tried) <= OURS.cardText && bytesOf(tried) <= OURS.cardBytes,
  );
  return { components, files: cut ? [{ name: WHOLE_QUESTION, data: wholeText(card.view) }] : [] };
}

/** The session's parent line, and how its thread is called. */
export function renderThread(session: SessionFacts): Payload & { readonly name: string } {
  const folder = shownLine(session.workspace, 400);
  return {
    name: plainLine(`${shownLineRaw(session.program ?? session.agent, 40)} in ${placeOf(session)}`, DISCORD.threadName),
    components: [
      container([
        text(`Session of **${shownLine(sessionFactsOf(session), 500)}**`),
        text(`-# ${folder} · session ${sessionMark(session.sessionId)}`),
      ]),
    ],
    files: [],
  };
}

/** By this the parent line of a session is found again. */
export function sessionMark(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex').slice(0, 16);
}

/** The line in the channel that leads to a card in its thread; one that needs no answer any more says what became of it. */
export function renderPointer(card: Card, url: string): Payload {
  const words = text(summaryOf(card, 700));
  const inner = card.state.phase === 'open' ? [section(words.content, link('Open', url))] : [words];
  return { components: [container(inner, accentOf(headlineOfState(card)?.icon ?? 'open'))], files: [] };
}

/** The end of a card whose content nobody knows any more. */
export function renderRetired(outcome: Outcome, at: number): Payload {
  const headline = headlineOf(outcome, undefined);
  return {
    components: [
      container([text(headlineText(headline, at)), text('-# A question of an earlier run.')], accentOf(headline.icon)),
    ],
    files: [],
  };
}

/** What `doctor` posts and deletes at once. */
export function renderTest(): Payload {
  const words = 'handraise doctor tries whether it can post here. This message is deleted at once.';
  return { components: [container([text(words)])], files: [] };
}

const WHOLE_QUESTION = 'question.txt';

function drawn(card: QuestionsCard, draft: Draft | undefined, sizes: Sizes): { components: Component[]; cut: boolean } {
  const { view, state } = card;
  const headline = headlineOfState(card);
  if (state.phase !== 'open' || headline !== undefined) {
    return { components: [container(decidedParts(card, sizes), accentOf(headline?.icon ?? 'open'))], cut: false };
  }
  const cut = isCutAt(view.questions, sizes);
  const parts = [
    text(factsLine(card, state.deadline)),
    ...(draft === undefined ? openParts(view, sizes) : [text(draftLine(draft)), ...stepParts(view, draft, sizes)]),
    ...(cut ? [file(WHOLE_QUESTION)] : []),
  ];
  return { components: [container(parts, accentOf('open'))], cut };
}

function openParts(view: QuestionsView, sizes: Sizes): Inner[] {
  const { requestId, questions } = view;
  const press = (kind: keyof typeof BUTTONS) => button(BUTTONS[kind], tokenOf(requestId, { kind }));
  const [only] = questions;
  const several = questions.length > 1;
  if (hasOptionButtons(questions, OURS.optionButtons)) {
    return [
      text(askedText(questions[0], sizes)),
      ...optionsWithButtons(requestId, questions[0], sizes),
      separator(),
      row(press('other'), press('skip'), press('note'), press('decline')),
    ];
  }
  const asked = questions.map((one, index) => {
    const list = one.options.length === 0 ? '' : `\n${optionListText(one, sizes)}`;
    return text(`${askedText(one, sizes, several ? index + 1 : undefined)}${list}`);
  });
  if (only !== undefined && !several && !only.multiSelect && only.options.length > 0) {
    const choose = select(tokenOf(requestId, { kind: 'pick' }), 'Choose one', choicesOf(only), { min: 1, max: 1 });
    return [...asked, row(choose), row(press('other'), press('skip'), press('note'), press('decline'))];
  }
  const answer: CardAction = { kind: formFits(questions) ? 'answer' : 'steps' };
  return [
    ...asked,
    separator(),
    row(button(BUTTONS.answer, tokenOf(requestId, answer), { primary: true }), press('skip'), press('decline')),
  ];
}

/** No button of any kind: what is decided cannot be pressed. */
function decidedParts(card: QuestionsCard, sizes: Sizes): Inner[] {
  const { view, state } = card;
  const headline = headlineOfState(card);
  const several = view.questions.length > 1;
  const sheet = sheetIn(state);
  return [
    ...(headline === undefined || state.phase === 'open' ? [] : [text(headlineText(headline, state.at))]),
    ...view.questions.map((asked, index) =>
      text(decidedText(asked, sheet?.[index], sizes, several ? index + 1 : undefined)),
    ),
    text(factsOnly(card)),
  ];
}

function sheetIn(state: Card['state']) {
  if (state.phase === 'recorded') return state.decision.kind === 'answers' ? state.decision.sheet : undefined;
  return state.phase === 'ended' && 'sheet' in state.outcome ? state.outcome.sheet : undefined;
}

/** Everything the agent wrote, for a file: whole, and inert there, too. */
function wholeText({ questions }: QuestionsView): string {
  return questions
    .map(({ header, question, options }, index) => {
      const choices = options.map(
        ({ label, description, preview }, number) =>
          `${number + 1}. ${visible(label)}\n${visible(description)}${preview === undefined ? '' : `\n--- preview of ${number + 1} ---\n${visible(preview, OURS.previewBlanks)}\n---`}`,
      );
      return [`${index + 1}. ${visible(header)}`, visible(question), ...choices].join('\n\n');
    })
    .join('\n\n========\n\n');
}
