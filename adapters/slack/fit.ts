import { cutTo, lengthOf } from '../../src/core/text.ts';
import { escaped } from './escape.ts';

/** How text is measured: as it stands (rich_text), or with its entities (all other text objects). */
export type Measure = 'literal' | 'escaped';

/** Room for the longest note: "… ⟨1048576 more characters⟩". */
const NOTE = 32;

/** Text that fits `limit`; what had to go is said and counted. */
export function fitted(text: string, limit: number, measure: Measure = 'literal'): string {
  if (sizeOf(text, measure) <= limit) return text;
  const kept = longestPrefix(text, limit - NOTE, measure);
  return `${kept}… ⟨${lengthOf(text) - lengthOf(kept)} more characters⟩`;
}

/** Text that fits `limit` with a bare "…": only where the whole text stands nearby. */
export function shortened(text: string, limit: number, measure: Measure = 'escaped'): string {
  return sizeOf(text, measure) <= limit ? text : `${longestPrefix(text, limit - 1, measure)}…`;
}

export function sizeOf(text: string, measure: Measure): number {
  return measure === 'literal' ? text.length : escaped(text).length;
}

/** Ends between graphemes. Code points to keep are guessed from above and lowered until the measure agrees. */
function longestPrefix(text: string, limit: number, measure: Measure): string {
  let count = Math.max(0, limit);
  // `count` code points are at most twice as many units, so only the beginning of a huge text is looked at.
  let kept = cutTo(text.slice(0, 2 * count), count);
  while (sizeOf(kept, measure) > limit) {
    count -= Math.max(1, Math.ceil((sizeOf(kept, measure) - limit) / 5));
    kept = cutTo(kept, Math.max(0, count));
  }
  return dropLoneHalf(kept);
}

/** The slice above may have cut the last pair. */
function dropLoneHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
