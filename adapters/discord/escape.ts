import type { Cost } from '../../src/core/fit.ts';

/**
 * Text as Discord's markdown shows it literally. A backslash before punctuation takes its meaning away: emphasis, code,
 * quotes, headings, lists, spoilers, masked links, mentions, timestamps, commands, custom emoji, and bare links, which
 * need their colon. A number at the beginning of a line would become a list by its point.
 */
export function escaped(text: string): string {
  return text.replace(SPECIAL, '\\$&').replace(/^(\s*\d+)\./gm, '$1\\.');
}

/** What a UTF-16 unit takes once it is escaped. */
export const ESCAPED: Cost = (unit) => (SPECIAL_UNITS.has(unit) ? 2 : 1);

const SPECIAL_UNITS: ReadonlySet<string> = new Set('\\*_~`|>#-+[]()<@:');
const SPECIAL = /[\\*_~`|>#\-+[\]()<@:]/g;
