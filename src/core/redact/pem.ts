import type { SecretSpan } from './span.ts';

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----|Private-Lines: \d{1,4}(?=\s)/g;

/** A line of a key file that is no key: `Proc-Type: 4,ENCRYPTED`, `Version: …`. */
const HEADER = /^[A-Za-z][A-Za-z-]{2,30}: /;

/** Fewer characters than this are no key, so that a command between the two marks stays visible. */
const LEAST = 40;

/**
 * The bodies of private keys, also where the end is missing, where lines are indented, quoted, part of a diff, or joined by
 * a written-out `\n`. What does not look like base64 ends a key and stays visible.
 */
export function privateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  BEGIN.lastIndex = 0;
  for (let found = BEGIN.exec(text); found !== null; found = BEGIN.exec(text)) {
    const { span, next } = bodyAt(text, BEGIN.lastIndex);
    if (span !== undefined) spans.push(span);
    BEGIN.lastIndex = Math.max(next, BEGIN.lastIndex);
  }
  return spans;
}

/** Takes line by line what may be a key, from `from` on. */
function bodyAt(text: string, from: number): { span: SecretSpan | undefined; next: number } {
  let start = -1;
  let end = -1;
  let characters = 0;
  let at = from;
  while (at < text.length) {
    const line = lineAt(text, at);
    const trimmed = trim(text, at, line.end);
    const piece = text.slice(trimmed.start, trimmed.end);
    if (piece !== '') {
      const isKey = isBase64(piece) && (piece.length >= LEAST || (characters >= LEAST && !/^[a-z]+$/.test(piece)));
      if (!isKey && !(start < 0 && HEADER.test(piece))) break;
      if (isKey) {
        if (start < 0) start = trimmed.start;
        end = trimmed.end;
        characters += piece.length;
      }
    }
    if (line.next === at) break;
    at = line.next;
  }
  return characters < LEAST ? { span: undefined, next: at } : { span: { start, end, kind: 'private-key' }, next: at };
}

/** The piece up to the next line break, real or written out (`\n`, `\r\n`). */
function lineAt(text: string, at: number): { end: number; next: number } {
  for (let index = at; index < text.length; index += 1) {
    const unit = text[index];
    if (unit === '\n') return { end: index, next: index + 1 };
    // The mark of an end, or of another beginning on the same line.
    if (unit === '-' && text.startsWith('-----', index)) return { end: index, next: index };
    if (unit !== '\\') continue;
    let breaks = index;
    while (text[breaks] === '\\') breaks += 1;
    if (text[breaks] === 'n' || text[breaks] === 'r') return { end: index, next: breaks + 1 };
  }
  return { end: text.length, next: text.length };
}

/** Without blanks, the marks of diffs and quotations before it, and what closes a string behind it. */
function trim(text: string, from: number, to: number): { start: number; end: number } {
  let start = from;
  let end = to;
  while (start < end && ' \t\r>"\'`|#*'.includes(text[start] ?? '')) start += 1;
  // A plus sign or a hyphen is the mark of a diff only at the very beginning; a key may begin with one, too.
  if (start === from && (text[start] === '-' || (text[start] === '+' && /[ \t]/.test(text[start + 1] ?? '')))) {
    if (!text.startsWith('-----', start)) start += 1;
  }
  while (start < end && ' \t'.includes(text[start] ?? '')) start += 1;
  while (end > start && ' \t\r"\'`,;)'.includes(text[end - 1] ?? '')) end -= 1;
  const closing = text.slice(start, end).search(/-----|["'`]/);
  return closing > 0 ? { start, end: start + closing } : { start, end };
}

function isBase64(piece: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(piece);
}
