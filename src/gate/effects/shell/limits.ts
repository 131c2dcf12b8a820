/** Longest command looked at, in UTF-16 units: what Claude Code takes, and at most 0.2 s of parsing (trust.md B4). */
const MAX_UNITS = 10_000;
/** Most nested brackets of any kind: the parser's own recursion gives way at about 250. */
const MAX_NESTING = 32;

/** Why a text is not even parsed, for people; undefined when it may be. */
export function refusalToParse(text: string): { reason: string; tag: 'too-large' | 'unicode' } | undefined {
  if (text.length > MAX_UNITS) return { reason: `longer than ${MAX_UNITS} characters`, tag: 'too-large' };
  if (nesting(text) > MAX_NESTING) return { reason: `nested deeper than ${MAX_NESTING} levels`, tag: 'too-large' };
  if (hiddenCharacter.test(text)) return { reason: 'a control or invisible character', tag: 'unicode' };
  return undefined;
}

// Everything that is not seen, or seen as something else: controls but tab and newline, format and bidirectional marks,
// fillers, variation selectors, private use, lone surrogates, and every blank but the plain one.
const hiddenCharacter = /(?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** How deep brackets go, quotes or not: an upper bound of what the parser has to recurse into. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '(' || character === '{') deepest = Math.max(deepest, ++depth);
    else if ((character === ')' || character === '}') && depth > 0) depth -= 1;
  }
  return Math.max(deepest, (text.match(/`/g)?.length ?? 0) / 2 > MAX_NESTING ? MAX_NESTING + 1 : 0);
}
