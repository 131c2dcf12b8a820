import { element } from './element.js';

const MENTIONS = ['user', 'channel', 'group', 'role', 'broadcast', 'command'];
const LISTS = { bullet: 'ul', ordered: 'ol' };

/** A RenderedText as nodes: paragraphs, code, quotes and lists with their spans. */
export function drawText(text) {
  const box = element('div', { className: 'text', dir: 'auto' });
  let list;
  for (const part of text.parts) {
    const tag = LISTS[part.kind];
    if (tag === undefined) {
      list = undefined;
      box.append(drawPart(part));
      continue;
    }
    if (list?.tagName.toLowerCase() !== tag || list.dataset.indent !== String(part.indent)) {
      list = element(tag, { data: { indent: String(Math.min(part.indent, 6)) } });
      if (part.number !== undefined) list.start = part.number;
      box.append(list);
    }
    list.append(element('li', { dir: 'auto' }, ...part.spans.map(drawSpan)));
  }
  return box;
}

/** The same on one line, for buttons, labels and context lines. */
export function drawInline(text) {
  const spans = text.parts.flatMap((part, index) => [
    ...(index === 0 ? [] : [' ']),
    ...(part.kind === 'preformatted'
      ? [element('code', {}, ...part.spans.map(drawSpan))]
      : part.spans.map((span) => drawSpan(span))),
  ]);
  return element('span', { dir: 'auto' }, ...spans);
}

function drawPart(part) {
  const spans = part.spans.map(drawSpan);
  if (part.kind === 'preformatted') return element('pre', { dir: 'auto', tabIndex: 0 }, element('code', {}, ...spans));
  if (part.kind === 'heading') return element(`h${part.number + 2}`, { dir: 'auto' }, ...spans);
  if (part.kind === 'subtext') return element('p', { className: 'subtext', dir: 'auto' }, ...spans);
  return element(part.kind === 'quote' ? 'blockquote' : 'p', { dir: 'auto' }, ...spans);
}

function drawSpan(span) {
  let node = document.createTextNode(span.text);
  if (MENTIONS.includes(span.kind)) {
    node = element('span', { className: 'mention' }, node);
  } else if (isWebLink(span.href)) {
    node = element('a', { href: span.href, target: '_blank', rel: 'noreferrer noopener' }, node);
  }
  if (span.code) node = element('code', {}, node);
  if (span.strike) node = element('s', {}, node);
  if (span.italic) node = element('em', {}, node);
  if (span.underline) node = element('u', {}, node);
  if (span.spoiler) node = element('span', { className: 'spoiler' }, node);
  if (span.bold) node = element('strong', {}, node);
  return node;
}

function isWebLink(href) {
  return href !== undefined && /^(?:https?|mailto):/i.test(href);
}
