/** Runs of blanks longer than this are counted instead of shown. */
const MOST_BLANKS = 3;

/**
 * Text from an agent (or a person's name) as it may be shown: what could hide, reorder or overwrite is drawn as a visible
 * sign. Letters, right-to-left scripts and whole emoji stay as they are. Nothing is dropped: what is collapsed is counted.
 */
export function visible(text: string, mostBlanks: number = MOST_BLANKS): string {
  return collapse(text.replace(/\r\n/g, '\n').replace(SPECIAL, shown), mostBlanks);
}

/** The same on one line, for places that have only one. */
export function visibleLine(text: string): string {
  return visible(text)
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .trim();
}

/** A whole emoji (with its joiners and selectors, which are visible there), or one character that hides something. */
const SPECIAL =
  /(?<emoji>\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*|[0-9#*]\uFE0F\u20E3)|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function shown(found: string, emoji: string | undefined): string {
  if (emoji !== undefined || found === '\n' || found === '\t') return found;
  const code = found.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

function collapse(text: string, mostBlanks: number): string {
  const blanks = new RegExp(`[\\p{Zs}\\t]{${mostBlanks + 1},}`, 'gu');
  return text
    .replace(blanks, (run) => `⟨${[...run].length} blanks⟩`)
    .replace(/\n(?:[\p{Zs}\t]*\n){3,}/gu, (run) => `\n⟨${run.split('\n').length - 2} blank lines⟩\n`);
}
