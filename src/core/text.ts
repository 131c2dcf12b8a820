/** Text measures shared by the contract and the cards. Lengths are code points, as Slack and Discord count them. */

/** Number of Unicode code points (an emoji outside the BMP is one, not two). */
export function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The longest prefix of at most `limit` code points that ends between graphemes, so that no surrogate pair, flag or
 * accented letter is cut in two. Returns the text itself when it fits.
 */
export function cutTo(text: string, limit: number): string {
  if (lengthOf(text) <= limit) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const size = lengthOf(segment);
    if (used + size > limit) break;
    kept += segment;
    used += size;
  }
  return kept;
}

/** Like `cutTo`, with a trailing "…" inside the limit when something was cut. */
export function ellipsised(text: string, limit: number): string {
  return lengthOf(text) <= limit ? text : `${cutTo(text, limit - 1)}…`;
}

/** Code points of somebody's text that a message repeats: enough to recognise it. */
const MOST_QUOTED = 80;

/** The text in quotation marks, for a message about it; a long one is cut. */
export function quoted(text: string): string {
  return `"${ellipsised(text, MOST_QUOTED)}"`;
}

/** White space, and characters that draw nothing: zero-width ones, fillers, variation selectors. */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}]/gu;

/** Whether nothing visible is in it. */
export function isBlank(text: string): boolean {
  return text.replace(INVISIBLE, '') === '';
}
