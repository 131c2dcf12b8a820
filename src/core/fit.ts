import { lengthOf } from './text.ts';
import { visible, visibleLine } from './visible.ts';

/** What a UTF-16 unit of a text takes where it goes: more than 1 for those that are escaped there. */
export type Cost = (unit: string) => number;

export const LITERAL: Cost = () => 1;

/** Foreign text made visible and fitted into `limit`; what had to go is said and counted. */
export function shown(text: string, limit: number, options: { cost?: Cost; blanks?: number } = {}): string {
  return drawn(text, limit, (head) => visible(head, options.blanks), options.cost);
}

/** The same on one line. */
export function shownLine(text: string, limit: number, cost?: Cost): string {
  return drawn(text, limit, visibleLine, cost);
}

/** The same for text that is visible already: ours, or made so piece by piece. */
export function fitted(text: string, limit: number, cost?: Cost): string {
  return drawn(text, limit, (head) => head, cost);
}

/** Text that is visible already, with a bare "…" if it had to be cut: only where the whole text stands nearby. */
export function shortened(text: string, limit: number, cost: Cost): string {
  return sizeOf(text, cost) <= limit ? text : `${longestPrefix(text, limit - 1, cost)}…`;
}

export function sizeOf(text: string, cost: Cost): number {
  if (cost === LITERAL) return text.length;
  let size = 0;
  for (let index = 0; index < text.length; index += 1) size += cost(text[index] ?? '');
  return size;
}

/** Room for the longest note: "… ⟨1048576 more characters⟩". */
const NOTE = 32;
/** Room for blanks that are collapsed. What lies behind that is only counted: a megabyte is cut as fast as a page. */
const SPARE = 400;

function drawn(text: string, limit: number, draw: (head: string) => string, cost: Cost = LITERAL): string {
  const most = 2 * limit + SPARE;
  const head = text.length <= most ? text : text.slice(0, boundaryAt(text, most));
  const whole = draw(head);
  const unseen = lengthOf(text) - lengthOf(head);
  if (unseen === 0 && sizeOf(whole, cost) <= limit) return whole;
  const kept = longestPrefix(whole, limit - NOTE, cost);
  return `${kept}… ⟨${lengthOf(whole) - lengthOf(kept) + unseen} more characters⟩`;
}

function longestPrefix(text: string, limit: number, cost: Cost): string {
  let used = 0;
  for (let index = 0; index < text.length; index += 1) {
    used += cost(text[index] ?? '');
    if (used > limit) return text.slice(0, boundaryAt(text, index));
  }
  return text;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** How far around a cut the beginning of its grapheme is looked for; the longest emoji takes half of it. */
const WINDOW = 64;

/** The last place at or before `index` where no surrogate pair, flag, emoji or accented letter is cut in two. */
function boundaryAt(text: string, index: number): number {
  const start = Math.max(0, index - WINDOW);
  const found = graphemes.segment(text.slice(start, index + WINDOW)).containing(index - start);
  const boundary = start + (found?.index ?? 0);
  const before = text.charCodeAt(boundary - 1);
  return before >= 0xd800 && before <= 0xdbff ? boundary - 1 : boundary;
}
