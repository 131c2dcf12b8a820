/** Characters that move a cursor, hide, reorder or draw nothing: an agent's text must not steer somebody's terminal. */
const SPECIAL = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A whole emoji, with the joiners and selectors that are visible there; else something special. */
const EMOJI_OR_SPECIAL = new RegExp(
  `(?<emoji>\\p{Extended_Pictographic}\\uFE0F?\\p{Emoji_Modifier}?(?:\\u200D\\p{Extended_Pictographic}\\uFE0F?\\p{Emoji_Modifier}?)*)|${SPECIAL.source}`,
  'gu',
);

/** An agent's text on one line of a terminal: what is special is shown by its number. */
export function inertLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replace(EMOJI_OR_SPECIAL, (found, emoji?: string) => emoji ?? `⟨U+${hex(found.codePointAt(0) ?? 0)}⟩`);
}

/** JSON on one line, with what is special escaped: a reader gets it to the letter, a terminal does not obey it. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(SPECIAL, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${hex(found.charCodeAt(at))}`).join(''),
  );
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}
