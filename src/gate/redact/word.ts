import type { SecretSpan } from '../../core/redact/span.ts';
import type { DoubleQuotedChild, Word, WordPart } from '../effects/shell/parse.ts';

/** A stretch of a word that is written out: where it stands, without its quotes, and what a program gets of it. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** A word of a command: what of it is written out, and where. What a variable or a command puts in is a NUL in `text`. */
export interface PlacedWord {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly start: number;
  readonly end: number;
}

const PUT_IN = '\0';

/** The word of a parsed script. Where the parser is not sure of a place, the piece counts as put in. */
export function placed(word: Word, source: string): PlacedWord {
  const pieces: Piece[] = [];
  let text = '';
  const add = (start: number, end: number, value: string) => {
    pieces.push({ start, end, value });
    text += value;
  };
  const visit = (part: WordPart | DoubleQuotedChild): void => {
    if (source.slice(part.pos, part.end) !== part.text) text += PUT_IN;
    else if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') part.parts.forEach(visit);
    else if (part.type === 'SingleQuoted') add(part.pos + 1, part.end - 1, part.value);
    else if (part.type === 'AnsiCQuoted') add(part.pos + 2, part.end - 1, part.value);
    else if (part.type === 'Literal' || part.type === 'Glob') add(part.pos, part.end, part.value);
    else if (part.type === 'BraceExpansion' || part.type === 'ExtendedGlob') add(part.pos, part.end, part.text);
    else text += PUT_IN;
  };
  if (word.parts !== undefined) word.parts.forEach(visit);
  else if (source.slice(word.pos, word.end) === word.text) add(word.pos, word.end, word.value);
  return { text, pieces, start: word.pos, end: word.end };
}

/** The places of what is written out in `text` from the unit `from` on, up to `to`. */
export function spansIn(word: PlacedWord, kind: string, from = 0, to = word.text.length): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let at = 0;
  let rest = word.text;
  for (const { start, end, value } of word.pieces) {
    while (rest.startsWith(PUT_IN) && !value.startsWith(PUT_IN)) {
      rest = rest.slice(1);
      at += 1;
    }
    const isVerbatim = end - start === value.length;
    const first = Math.max(0, from - at);
    const last = Math.min(value.length, to - at);
    if (first < last) {
      // With escapes in it only the beginning has a known place, if that.
      const skipped = isVerbatim ? first : Math.min(first, end - start);
      spans.push({ start: start + skipped, end: isVerbatim ? start + last : end, kind });
    }
    at += value.length;
    rest = rest.slice(value.length);
  }
  return spans;
}
