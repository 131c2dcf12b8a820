import { asList, asObj, asText } from '../../json.ts';
import type { RenderedText, TextPart } from '../types.ts';
import { decoded } from './controls.ts';
import type { Directory, Found } from './directory.ts';
import { withEmoji } from './emoji.ts';
import { type MrkdwnOptions, mrkdwn } from './mrkdwn.ts';
import { richText } from './rich-text.ts';

/** Draws texts for one reader; what took effect in them is reported with the place it stood in. */
export interface Pen {
  /** A text object: plain_text or mrkdwn. */
  text(value: unknown, pointer: string): RenderedText;
  /** A message's own `text`. */
  message(text: string, options: MrkdwnOptions): RenderedText;
  rich(elements: unknown, pointer: string): RenderedText;
  /** A `markdown` block: standard Markdown, whose links are `[label](url)`. */
  markdown(text: string, pointer: string): RenderedText;
}

export function createPen(
  directory: Directory,
  report: (found: Found, pointer: string) => void = () => undefined,
): Pen {
  return {
    text(value, pointer) {
      const object = asObj(value);
      const text = asText(object['text']);
      if (object['type'] === 'mrkdwn') {
        const loose = object['verbatim'] !== true;
        const options = { autoLink: loose, names: loose };
        return rendered(mrkdwn(text, directory, options, (found) => report(found, `${pointer}/text`)));
      }
      return literal(object['emoji'] === false ? decoded(text) : withEmoji(decoded(text)));
    },
    message: (text, options) => rendered(mrkdwn(text, directory, options, (found) => report(found, '/text'))),
    rich: (elements, pointer) =>
      rendered(richText(asList(elements), directory, (found) => report(found, `${pointer}/elements`))),
    markdown(text, pointer) {
      for (const [, label = '', target = ''] of text.matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)) {
        report({ kind: 'link', target, label }, `${pointer}/text`);
      }
      const options = { autoLink: true, names: false };
      return rendered(
        mrkdwn(text.replaceAll('**', '*'), directory, options, (found) => report(found, `${pointer}/text`)),
      );
    },
  };
}

export function literal(text: string): RenderedText {
  const parts = text
    .split('\n')
    .map((line): TextPart => ({ kind: 'paragraph', indent: 0, spans: [{ kind: 'text', text: line }] }));
  return { kind: 'text', plain: text, parts };
}

function rendered(parts: readonly TextPart[]): RenderedText {
  const lines = parts.map((part) => {
    const text = part.spans.map((span) => span.text).join('');
    if (part.kind === 'bullet') return `${'  '.repeat(part.indent)}• ${text}`;
    if (part.kind === 'ordered') return `${'  '.repeat(part.indent)}${part.number ?? 1}. ${text}`;
    return text;
  });
  return { kind: 'text', plain: lines.join('\n'), parts };
}
