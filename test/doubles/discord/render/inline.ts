import type { TextSpan } from '../types.ts';
import { drawDate } from './date.ts';

/** Names behind ids, and what time it is. */
export interface Directory {
  user(id: string): string | undefined;
  role(id: string): string | undefined;
  channel(id: string): string | undefined;
  now(): number;
}

/** Something that took effect beyond its own text. */
export interface Effect {
  readonly kind: 'user' | 'role' | 'everyone' | 'here' | 'channel' | 'command' | 'link';
  readonly target: string;
  readonly label: string;
}

type Style = Omit<TextSpan, 'kind' | 'text' | 'href'>;

interface Found {
  readonly length: number;
  readonly spans: readonly TextSpan[];
}

/** Text between two marks, by the mark. Longer marks first. */
const MARKS: readonly [mark: string, style: Style][] = [
  ['***', { bold: true, italic: true }],
  ['**', { bold: true }],
  ['__', { underline: true }],
  ['~~', { strike: true }],
  ['||', { spoiler: true }],
  ['*', { italic: true }],
  ['_', { italic: true }],
];

/** One run of Discord's markdown without line structure. */
export function inline(source: string, names: Directory, effect: (one: Effect) => void, style: Style = {}): TextSpan[] {
  const spans: TextSpan[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') spans.push({ kind: 'text', text: plain, ...style });
    plain = '';
  };
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const escaped = /^\\([^\sA-Za-z0-9])/u.exec(rest);
    if (escaped) {
      plain += escaped[1];
      at += escaped[0].length;
      continue;
    }
    const found =
      code(rest, style) ??
      token(rest, names, effect, style) ??
      marked(rest, source[at - 1], names, effect, style) ??
      link(rest, names, effect, style);
    if (found) {
      flush();
      spans.push(...found.spans);
      at += found.length;
    } else {
      plain += source[at];
      at += 1;
    }
  }
  flush();
  return spans;
}

function code(rest: string, style: Style): Found | undefined {
  const match = /^(`{1,2})([^`]|[^`][\s\S]*?[^`])\1(?!`)/.exec(rest);
  if (!match) return undefined;
  return {
    length: match[0].length,
    spans: [{ kind: 'text', text: (match[2] ?? '').trim() || ' ', ...style, code: true }],
  };
}

/** Mentions, dates, commands and custom emoji: `<@1>`, `<t:1:R>`, `@everyone`, … */
function token(rest: string, names: Directory, effect: (one: Effect) => void, style: Style): Found | undefined {
  const match =
    /^<@(?<role>&)?!?(?<id>\d+)>|^<#(?<channel>\d+)>|^<t:(?<time>-?\d+)(?::(?<how>[tTdDfFR]))?>|^<\/(?<command>[^:>]+):(?<commandId>\d+)>|^<a?:(?<emoji>\w+):\d+>|^@(?<all>everyone|here)\b/.exec(
      rest,
    );
  const { role, id, channel, time, how, command, commandId, emoji, all } = match?.groups ?? {};
  const found = (kind: TextSpan['kind'], text: string, what?: Omit<Effect, 'label'>): Found => {
    if (what) effect({ ...what, label: text });
    return { length: match?.[0].length ?? 0, spans: [{ kind, text, ...style }] };
  };
  if (!match) return undefined;
  if (all === 'everyone' || all === 'here') return found('broadcast', `@${all}`, { kind: all, target: all });
  if (id !== undefined) {
    const kind = role ? 'role' : 'user';
    return found(kind, `@${names[kind](id) ?? (role ? 'unknown-role' : 'unknown-user')}`, { kind, target: id });
  }
  if (channel !== undefined) {
    return found('channel', `#${names.channel(channel) ?? 'unknown'}`, { kind: 'channel', target: channel });
  }
  if (time !== undefined) return found('date', drawDate(Number(time), how ?? 'f', names.now()));
  if (command !== undefined) return found('command', `/${command}`, { kind: 'command', target: commandId ?? '' });
  return found('emoji', `:${emoji}:`);
}

function marked(
  rest: string,
  before: string | undefined,
  names: Directory,
  effect: (one: Effect) => void,
  style: Style,
): Found | undefined {
  for (const [mark, adds] of MARKS) {
    if (!rest.startsWith(mark)) continue;
    // An underscore within a word is part of it.
    if (mark === '_' && before !== undefined && /\w/.test(before)) continue;
    const end = closing(rest, mark);
    if (end < 0) continue;
    const inner = rest.slice(mark.length, end);
    if (mark.startsWith('*') && /^\s/.test(inner)) continue;
    return { length: end + mark.length, spans: inline(inner, names, effect, { ...style, ...adds }) };
  }
  return undefined;
}

/** Where the same mark stands again, escapes and code skipped. */
function closing(rest: string, mark: string): number {
  for (let at = mark.length + 1; at < rest.length; at += 1) {
    if (rest[at - 1] === '\\' && rest[at - 2] !== '\\') continue;
    if (!rest.startsWith(mark, at)) continue;
    if (mark === '_' && /\w/.test(rest[at + 1] ?? '')) continue;
    // `**` does not end an `*`, and the other way round.
    if (mark.length === 1 && rest[at + 1] === mark) {
      at += 1;
      continue;
    }
    // Of three stars the first ends what stands inside.
    if (mark === '**' && rest.startsWith('***', at)) return at + 1;
    return at;
  }
  return -1;
}

function link(rest: string, names: Directory, effect: (one: Effect) => void, style: Style): Found | undefined {
  const masked = /^\[((?:\\.|[^\]\\])+)\]\(<?(https?:\/\/[^\s)>]+)>?(?: "[^"]*")?\)/.exec(rest);
  if (masked) {
    const [all, label = '', href = ''] = masked;
    const spans = inline(label, names, () => undefined, style);
    effect({ kind: 'link', target: href, label: spans.map((one) => one.text).join('') });
    return { length: all.length, spans: spans.map((one) => ({ ...one, kind: 'link', href })) };
  }
  const bare = /^<(https?:\/\/[^\s>]+)>|^(https?:\/\/[^\s<>]*[^\s<>.,:;"'\])])/.exec(rest);
  if (!bare) return undefined;
  const href = bare[1] ?? bare[2] ?? '';
  effect({ kind: 'link', target: href, label: href });
  return { length: bare[0].length, spans: [{ kind: 'link', text: href, href, ...style }] };
}
