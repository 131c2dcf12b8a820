import type { TextSpan } from '../types.ts';
import { date } from './date.ts';
import type { Directory, Found } from './directory.ts';

export interface Drawn {
  readonly span: TextSpan;
  readonly found?: Found;
}

/**
 * One `<…>` control sequence of mrkdwn, without its brackets: mentions, links, dates. Undefined when it is none, and
 * then the brackets are only text.
 */
export function control(inner: string, directory: Directory): Drawn | undefined {
  const bar = inner.indexOf('|');
  const body = bar < 0 ? inner : inner.slice(0, bar);
  const label = bar < 0 ? undefined : decoded(inner.slice(bar + 1));
  const named = label === undefined ? {} : { label };
  if (body.startsWith('@')) {
    const target = body.slice(1);
    const text = `@${directory.user(target) ?? label ?? target}`;
    return { span: { kind: 'user', text }, found: { kind: 'user', target, ...named } };
  }
  if (body.startsWith('#')) {
    const target = body.slice(1);
    const text = `#${directory.channel(target) ?? label ?? target}`;
    return { span: { kind: 'channel', text }, found: { kind: 'channel_link', target, ...named } };
  }
  if (body.startsWith('!')) return special(body.slice(1), label, directory);
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|mailto:|tel:)\S/i.test(body)) {
    const href = decoded(body);
    return { span: { kind: 'link', text: label ?? href, href }, found: { kind: 'link', target: href, ...named } };
  }
  return undefined;
}

function special(body: string, label: string | undefined, directory: Directory): Drawn {
  const named = label === undefined ? {} : { label };
  const [command = '', ...rest] = body.split('^');
  if (command === 'channel' || command === 'here' || command === 'everyone') {
    return { span: { kind: 'broadcast', text: `@${command}` }, found: { kind: command, target: command, ...named } };
  }
  if (command === 'subteam') {
    const target = rest[0] ?? '';
    const text = `@${directory.group(target) ?? label?.replace(/^@/, '') ?? target}`;
    return { span: { kind: 'group', text }, found: { kind: 'group', target, ...named } };
  }
  if (command === 'date') {
    const [seconds = '', format = '', href] = rest;
    const text = date(Number(seconds), format) ?? label ?? '';
    if (!href) return { span: { kind: 'date', text } };
    return { span: { kind: 'date', text, href }, found: { kind: 'link', target: href, label: text } };
  }
  return { span: { kind: 'text', text: label ?? `<${command}>` }, found: { kind: 'special', target: body, ...named } };
}

export function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, name: string) => (name === 'amp' ? '&' : name === 'lt' ? '<' : '>'));
}
