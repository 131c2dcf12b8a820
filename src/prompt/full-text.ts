import type { FullText } from '../core/proposals/contract.ts';
import { cutTo, lengthOf } from '../core/text.ts';
import { visible } from '../core/visible.ts';
import { withLookAlikesMarked } from './look-alikes.ts';

/** product.md "Cards": a longer text cannot be approved from the card. Measured as it is drawn. */
const MOST_LINES = 40;
const MOST_CHARACTERS = 2_800;

/** All that will run, as it may be shown: nothing in it hides, reorders, overwrites or passes for something else. */
export interface DrawnText {
  readonly text: string;
  readonly lines: number;
  /** Code points. */
  readonly characters: number;
  /** Short enough to be shown whole on a card. */
  readonly fits: boolean;
}

/** Blanks in a row that are shown as they are: code keeps its indentation, and nothing can be pushed out of sight. */
const MOST_BLANKS = 24;

export function drawnText(full: FullText): DrawnText {
  const known = DRAWN.get(full);
  if (known !== undefined) return known;
  const drawn = draw(full);
  DRAWN.set(full, drawn);
  return drawn;
}

/** A card is drawn at several sizes from one text, which may have half a megabyte. */
const DRAWN = new WeakMap<FullText, DrawnText>();

function draw(full: FullText): DrawnText {
  const inert = visible(full.text, MOST_BLANKS);
  const text = full.kind === 'command' ? withLookAlikesMarked(inert) : inert;
  const [lines, characters] = [text.split('\n').length, lengthOf(text)];
  return { text, lines, characters, fits: lines <= MOST_LINES && characters <= MOST_CHARACTERS };
}

/** "Command, whole: 2 lines, 31 characters." It says what stands below, so that nothing can pass for its end. */
export function captionOf({ kind }: FullText, { lines, characters }: DrawnText, isWhole: boolean): string {
  const size = `${counted(lines, 'line')}, ${counted(characters, 'character')}`;
  return `${NAMES[kind]}${isWhole ? ', whole' : ', beginning and end'} (${size})`;
}

const NAMES: Readonly<Record<FullText['kind'], string>> = { command: 'Command', diff: 'Change', input: 'Input' };

/** The beginning and the end, and how much is left out between them: for cards from which nothing can be approved. */
export function excerptOf(
  { text, characters }: DrawnText,
  most: { readonly head: number; readonly tail: number },
): string {
  // Only the ends are looked at: a code point has at most two units.
  const head = cutTo(firstLines(text.slice(0, 2 * most.head + SPARE)), most.head);
  const tail = lastOf(text.slice(Math.max(head.length, text.length - 2 * most.tail)), most.tail);
  const left = characters - lengthOf(head) - lengthOf(tail);
  return left === 0 ? text : `${head}\n⟨${left} more characters, not shown here⟩\n${tail}`;
}

const HEAD_LINES = 20;
const TAIL_LINES = 10;

/** For a grapheme that begins before the cut. */
const SPARE = 64;

function firstLines(text: string): string {
  return text.split('\n').slice(0, HEAD_LINES).join('\n');
}

/** Whole characters of the end, on few lines. */
function lastOf(text: string, most: number): string {
  const lines = text.split('\n').slice(-TAIL_LINES).join('\n');
  const characters = [...lines];
  return characters.slice(Math.max(0, characters.length - most)).join('');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
