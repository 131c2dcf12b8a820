import type { TextPart, TextSpan } from '../types.ts';
import { control, decoded } from './controls.ts';
import type { Directory, Found } from './directory.ts';
import { emoji } from './emoji.ts';

export interface MrkdwnOptions {
  /** Bare URLs become links. */
  readonly autoLink: boolean;
  /** `@here`, `@channel`, `@name`, `#name` without brackets take effect (`link_names`, `parse`, not `verbatim`). */
  readonly names: boolean;
}

type Style = Pick<TextSpan, 'bold' | 'italic' | 'strike' | 'code'>;
type Report = (found: Found) => void;

/**
 * Slack's mrkdwn as a client draws it. Control sequences (`<!channel>`, `<@U1>`, `<url|label>`) take effect everywhere,
 * code included: Slack resolves them before it formats.
 */
export function mrkdwn(text: string, directory: Directory, options: MrkdwnOptions, report: Report): TextPart[] {
  const parts: TextPart[] = [];
  const pieces = text.split('```');
  for (const [i, piece] of pieces.entries()) {
    // An opening fence without its end is only text.
    const fenced = i % 2 === 1 && i < pieces.length - 1;
    if (fenced) {
      const code = piece.replace(/^\n/, '').replace(/\n$/, '');
      parts.push({ kind: 'preformatted', indent: 0, spans: spansOf(code, {}, 'code') });
      continue;
    }
    const source = i % 2 === 1 ? `\`\`\`${piece}` : piece;
    const lines = source.split('\n');
    for (const [n, line] of lines.entries()) {
      // The line breaks beside a fence belong to it.
      if (line === '' && pieces.length > 1 && (n === 0 || n === lines.length - 1)) continue;
      const quote = /^(?:&gt;|>)\s?/.exec(line);
      const body = quote ? line.slice(quote[0].length) : line;
      parts.push({ kind: quote ? 'quote' : 'paragraph', indent: 0, spans: spansOf(body, {}, 'full') });
    }
  }
  return parts;

  function spansOf(source: string, style: Style, mode: 'full' | 'code'): TextSpan[] {
    const spans: TextSpan[] = [];
    let rest = 0;
    const plain = (until: number) => {
      if (until > rest) spans.push({ kind: 'text', text: decoded(source.slice(rest, until)), ...style });
    };
    for (const match of source.matchAll(mode === 'code' ? CONTROL : INLINE)) {
      const drawn = draw(match, style, mode);
      if (!drawn) continue;
      plain(match.index);
      spans.push(...drawn);
      rest = match.index + match[0].length;
    }
    plain(source.length);
    return spans;
  }

  function draw(match: RegExpMatchArray, style: Style, mode: 'full' | 'code'): TextSpan[] | undefined {
    const { inner, code, mark, marked, name, url, ping } = match.groups ?? {};
    if (inner !== undefined) {
      const drawn = control(inner, directory);
      if (!drawn) return undefined;
      if (drawn.found) report(drawn.found);
      return [{ ...drawn.span, ...style }];
    }
    if (mode === 'code') return undefined;
    if (code !== undefined) return spansOf(code, { ...style, code: true }, 'code');
    if (mark !== undefined && marked !== undefined) {
      const key = mark === '*' ? 'bold' : mark === '_' ? 'italic' : 'strike';
      return spansOf(marked, { ...style, [key]: true }, 'full');
    }
    if (name !== undefined) {
      const glyph = emoji(name);
      return glyph === undefined ? undefined : [{ kind: 'emoji', text: glyph, ...style }];
    }
    if (url !== undefined && options.autoLink) {
      const href = decoded(url);
      report({ kind: 'link', target: href });
      return [{ kind: 'link', text: href, href, ...style }];
    }
    return ping !== undefined && options.names ? bareName(ping, style) : undefined;
  }

  function bareName(ping: string, style: Style): TextSpan[] | undefined {
    const name = ping.slice(1);
    if (ping.startsWith('#')) {
      const target = directory.channelNamed(name);
      if (!target) return undefined;
      report({ kind: 'channel_link', target });
      return [{ kind: 'channel', text: ping, ...style }];
    }
    if (name === 'here' || name === 'channel' || name === 'everyone') {
      report({ kind: name, target: name });
      return [{ kind: 'broadcast', text: ping, ...style }];
    }
    const target = directory.userNamed(name);
    if (!target) return undefined;
    report({ kind: 'user', target });
    return [{ kind: 'user', text: ping, ...style }];
  }
}

const CONTROL = /<(?<inner>[^<>]+)>/g;
const INLINE =
  /`(?<code>[^`\n]+)`|<(?<inner>[^<>]+)>|(?<![\p{L}\p{N}])(?<mark>[*_~])(?<marked>\S|\S.*?\S)\k<mark>(?![\p{L}\p{N}])|:(?<name>[a-z0-9_+-]+):|(?<url>https?:\/\/[^\s<>|]+)|(?<![\w&])(?<ping>[@#][a-z0-9][\w.-]*)/gu;
