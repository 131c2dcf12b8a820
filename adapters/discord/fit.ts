import * as fit from '../../src/core/fit.ts';
import { visible } from '../../src/core/visible.ts';
import { ESCAPED, escaped } from './escape.ts';
import { OURS } from './limits.ts';

/** Foreign text as markdown that shows it literally, at most `limit` units of it; what had to go is said and counted. */
export function shown(text: string, limit: number): string {
  return escaped(fit.shown(text, limit, { cost: ESCAPED }));
}

/** The same on one line. */
export function shownLine(text: string, limit: number): string {
  return escaped(fit.shownLine(text, limit, ESCAPED));
}

/** The same in a quote: each line of it begins with "> ", which counts, too. */
export function quoted(text: string, limit: number): string {
  const lines = shown(text, limit).split('\n');
  return lines.map((line) => `> ${line}`).join('\n');
}

/** On one line, for places without markdown: buttons, options and labels. */
export function plainLine(text: string, limit: number): string {
  return fit.shortened(fit.shownLine(text, limit * 2 + 100), limit, fit.LITERAL);
}

/** Source text in a block; text that would end the block is quoted instead. */
export function source(text: string, limit: number): string {
  if (text.includes('```')) return quoted(text, limit);
  return `\`\`\`\n${fit.shown(text, limit, { blanks: OURS.previewBlanks })}\n\`\`\``;
}

/** Whether `shown` would have to leave something out. */
export function isCut(text: string, limit: number): boolean {
  return text.length > 2 * limit || fit.sizeOf(visible(text), ESCAPED) > limit;
}
