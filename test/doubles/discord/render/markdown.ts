import type { RenderedText, TextPart, TextSpan } from '../types.ts';
import { type Directory, type Effect, inline } from './inline.ts';

/** Draws Discord's markdown: headings, subtext, quotes, lists, code blocks and what stands inside a line. */
export function drawMarkdown(
  source: string,
  names: Directory,
  effect: (one: Effect) => void = () => undefined,
): RenderedText {
  const parts = blocks(source).flatMap((block) => draw(block, names, effect));
  return { kind: 'text', plain: parts.map(plainOf).join('\n'), parts };
}

type Block = { readonly kind: 'code' | 'text'; readonly text: string };

/** Code fences apart from the rest, in which nothing else has a meaning. */
function blocks(source: string): Block[] {
  const found: Block[] = [];
  let at = 0;
  for (const match of source.matchAll(/```(?:[a-zA-Z0-9+#-]+\n|\n)?([\s\S]+?)\n?```/g)) {
    if (isEscaped(source, match.index)) continue;
    if (match.index > at) found.push({ kind: 'text', text: source.slice(at, match.index).replace(/\n$/, '') });
    found.push({ kind: 'code', text: match[1] ?? '' });
    at = match.index + match[0].length;
    if (source[at] === '\n') at += 1;
  }
  if (at < source.length || found.length === 0) found.push({ kind: 'text', text: source.slice(at) });
  return found;
}

function isEscaped(source: string, at: number): boolean {
  const slashes = /\\*$/.exec(source.slice(0, at))?.[0].length ?? 0;
  return slashes % 2 === 1;
}

function draw(block: Block, names: Directory, effect: (one: Effect) => void): TextPart[] {
  if (block.kind === 'code') {
    return [{ kind: 'preformatted', indent: 0, spans: [{ kind: 'text', text: block.text }] }];
  }
  const parts: TextPart[] = [];
  const lines = block.text.split('\n');
  for (const [index, line] of lines.entries()) {
    const rest = /^>>> ([\s\S]*)$/.exec(lines.slice(index).join('\n'));
    if (rest) {
      parts.push({ kind: 'quote', indent: 0, spans: inline(rest[1] ?? '', names, effect) });
      break;
    }
    parts.push(drawLine(line, names, effect));
  }
  return joined(parts);
}

function drawLine(line: string, names: Directory, effect: (one: Effect) => void): TextPart {
  const spans = (text = '') => inline(text, names, effect);
  const heading = /^(#{1,3}) (.+)$/.exec(line);
  if (heading) return { kind: 'heading', indent: 0, number: heading[1]?.length ?? 1, spans: spans(heading[2]) };
  const subtext = /^-# (.+)$/.exec(line);
  if (subtext) return { kind: 'subtext', indent: 0, spans: spans(subtext[1]) };
  const quote = /^> (.*)$/.exec(line);
  if (quote) return { kind: 'quote', indent: 0, spans: spans(quote[1]) };
  const bullet = /^( *)[-*] (.+)$/.exec(line);
  if (bullet) return { kind: 'bullet', indent: indentOf(bullet[1]), spans: spans(bullet[2]) };
  const ordered = /^( *)(\d+)\. (.+)$/.exec(line);
  if (ordered) {
    return { kind: 'ordered', indent: indentOf(ordered[1]), number: Number(ordered[2]), spans: spans(ordered[3]) };
  }
  return { kind: 'paragraph', indent: 0, spans: spans(line) };
}

function indentOf(spaces = ''): number {
  return Math.min(10, Math.floor(spaces.length / 2));
}

/** Lines of one paragraph or quote belong together. */
function joined(parts: readonly TextPart[]): TextPart[] {
  const all: TextPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last && last.kind === part.kind && (part.kind === 'paragraph' || part.kind === 'quote')) {
      all[all.length - 1] = { ...last, spans: [...last.spans, { kind: 'text', text: '\n' }, ...part.spans] };
    } else all.push(part);
  }
  return all;
}

function plainOf(part: TextPart): string {
  const text = part.spans.map((span: TextSpan) => span.text).join('');
  const margin = '  '.repeat(part.indent);
  switch (part.kind) {
    case 'bullet':
      return `${margin}• ${text}`;
    case 'ordered':
      return `${margin}${part.number}. ${text}`;
    case 'quote':
      return text.replace(/^/gm, '> ');
    default:
      return text;
  }
}
