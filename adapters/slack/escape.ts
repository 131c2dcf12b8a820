/**
 * Slack's three entities. All text objects need it, plain_text too, since Slack decodes them there as well; rich_text
 * does not: its text is literal.
 */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
