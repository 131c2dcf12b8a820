import { shown } from '../core/fit.ts';
import type { Question } from '../core/questions/contract.ts';

/** What a card's own buttons say, on every platform; an option that reads like one of them is numbered instead. */
export const BUTTONS = Object.freeze({
  answer: 'Answer…',
  other: 'Other…',
  skip: 'Skip',
  note: 'Note…',
  decline: 'Decide without us',
});

/** Whether each option gets a button of its own: one question, one choice, few enough for people to tell apart. */
export function hasOptionButtons(questions: readonly Question[], most: number): questions is readonly [Question] {
  const [only, another] = questions;
  if (only === undefined || another !== undefined || only.multiSelect) return false;
  return only.options.length > 0 && only.options.length <= most;
}

/**
 * Whether buttons carry numbers instead of labels: when a client would cut one (longer than `longest`, as `sizeOf`
 * measures it), or two buttons of the card (ours included) would look alike.
 */
export function needsNumbers(asked: Question, longest: number, sizeOf: (label: string) => number): boolean {
  const labels = asked.options.map((option) => shown(option.label, MUCH));
  if (labels.some((label) => sizeOf(label) > longest || label.includes('\n'))) return true;
  const looks = [...Object.values(BUTTONS), ...labels].map((label) => label.normalize('NFKC').toLowerCase());
  const bare = looks.map((look) => look.replace(/[^\p{L}\p{N}]/gu, ''));
  return new Set(bare).size < bare.length || bare.some((look) => look === '' || /^choose\d*$/.test(look));
}

/** More of a label than any button shows. */
const MUCH = 3_000;
