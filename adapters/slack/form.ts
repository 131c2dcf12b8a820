import type { ModalView } from '@slack/types';
import type { Question } from '../../src/core/questions/contract.ts';
import type { QuestionsView } from '../../src/core/request.ts';
import { factsOf } from '../../src/prompt/card-words.ts';
import { type KnownBlock, type PlainTextOption, plain, section, textInput, textLength } from './blocks.ts';
import { shortened, shownLine, sizeOf } from './fit.ts';
import { type FormPlace, metadataOf } from './form-place.ts';
import { OURS, SLACK } from './limits.ts';
import { askedBlock, optionList } from './question-blocks.ts';
import { SENTENCES } from './replies.ts';
import { FORM_SIZES, firstThatFits, type Sizes } from './sizes.ts';

/** `callback_id`s of our modals. */
export const FORM_CALLBACK = 'handraise.form';
const LOADING_CALLBACK = 'handraise.loading';

/** The form for every question of the card: what to choose, Other, a note. Block ids carry the question's index. */
export function answerForm(view: QuestionsView, place: FormPlace): ModalView {
  const several = view.questions.length > 1;
  return form('Answer', view, place, (sizes) =>
    view.questions.flatMap((asked, index) => [
      askedBlock(asked, sizes, several ? index + 1 : undefined),
      ...choosers(asked, index, sizes),
    ]),
  );
}

/** One text box for the only question. */
export function otherForm(view: QuestionsView, place: FormPlace): ModalView {
  return form('Other answer', view, place, (sizes) => [
    ...view.questions.slice(0, 1).map((asked) => askedBlock(asked, sizes)),
    textInput(blockIdOf(0, 'other'), 'Your answer', { actionId: 'other', multiline: true, optional: false }),
  ]);
}

/** Stands in for a form whose content is late; found again by its external id. */
export function loadingView(externalId: string): ModalView {
  return { ...messageView(SENTENCES.loading), callback_id: LOADING_CALLBACK, external_id: externalId };
}

/** A sentence in place of a form. */
export function messageView(sentence: string): ModalView {
  return {
    type: 'modal',
    title: plain('handraise'),
    close: plain('Close'),
    blocks: [section(shortened(sentence, SLACK.text))],
  };
}

export type FieldName = 'pick' | 'other' | 'notes';

export function blockIdOf(question: number, field: FieldName): string {
  return `q${question}.${field}`;
}

function form(title: string, view: QuestionsView, place: FormPlace, draw: (sizes: Sizes) => KnownBlock[]): ModalView {
  const whole = (sizes: Sizes): ModalView => ({
    type: 'modal',
    callback_id: FORM_CALLBACK,
    private_metadata: metadataOf(place),
    title: plain(title),
    submit: plain('Send'),
    close: plain('Cancel'),
    blocks: [{ type: 'context', elements: [plain(factsOf(view))] }, ...draw(sizes)],
  });
  return firstThatFits(FORM_SIZES, whole, share, 1);
}

/** How much of what a view may hold is used: 1 = all of it. */
function share(view: ModalView): number {
  const bytes = new TextEncoder().encode(JSON.stringify(view)).length;
  return Math.max(textLength(view) / OURS.formText, bytes / SLACK.viewBytes);
}

function choosers(asked: Question, index: number, sizes: Sizes): KnownBlock[] {
  const box = (field: FieldName, label: string) =>
    textInput(blockIdOf(index, field), label, { actionId: field, multiline: true, optional: true });
  if (asked.options.length === 0) return [box('other', 'Your answer')];
  // Boxes hold 75 characters of a label and of a description; what is longer stands above them in full.
  const listed = asked.options.some(
    (option) => !fitsBox(option.label) || !fitsBox(option.description) || option.preview !== undefined,
  );
  return [
    ...(listed ? optionList(asked, sizes) : []),
    pickBlock(asked, index, listed),
    box('other', 'Other: your own words'),
    box('notes', 'Note to the agent'),
  ];
}

function pickBlock(asked: Question, index: number, numbered: boolean): KnownBlock {
  const own = asked.options.map((option, position): PlainTextOption => {
    const label = `${numbered ? `${position + 1}. ` : ''}${boxText(option.label)}`;
    const description = boxText(option.description);
    return {
      text: plain(shortened(label, SLACK.optionText)),
      value: `o${position}`,
      ...(description === '' ? {} : { description: plain(shortened(description, SLACK.optionDescription)) }),
    };
  });
  const options = [...own, { text: plain('Other, as written below'), value: 'other' }];
  // A radio button cannot be unchosen: without this, a slip would have to become an answer.
  const skippable = !asked.multiSelect && options.length < SLACK.boxes;
  if (skippable) options.push({ text: plain('No answer: skip this question'), value: 'skip' });
  return {
    type: 'input',
    block_id: blockIdOf(index, 'pick'),
    optional: true,
    label: plain(asked.multiSelect ? 'Choose any number' : 'Choose one'),
    element: { type: asked.multiSelect ? 'checkboxes' : 'radio_buttons', action_id: 'pick', options },
  };
}

function fitsBox(text: string): boolean {
  // Three characters for the number that a list would bring.
  return sizeOf(boxText(text), 'escaped') <= SLACK.optionText - 3 && !text.trim().includes('\n');
}

/** More than a box shows, since blanks may still be collapsed to fit. */
function boxText(text: string): string {
  return shownLine(text, SLACK.text);
}
