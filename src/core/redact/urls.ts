import { eachMatch } from './matching.ts';
import type { SecretSpan } from './span.ts';
import { isPlaceholder, looksRandom } from './values.ts';

const AFTER = new Set([
  ' ',
  '\t',
  '\n',
  '\r',
  '"',
  "'",
  '`',
  '<',
  '>',
  '/',
  '?',
  '#',
  '(',
  ')',
  '{',
  '}',
  '|',
  ';',
  '$',
  '\\',
]);

/**
 * Secrets before the `@` of a URL: the password, and a user that is a token. Scheme, user name, host and path stay; what is
 * put in by a variable or a command is none.
 */
export function urlSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const from = at + 3;
    let colon = -1;
    let until = from;
    let sign = -1;
    for (; until < text.length && !AFTER.has(text[until] ?? ''); until += 1) {
      if (text[until] === ':' && colon < 0) colon = until;
      if (text[until] === '@') sign = until;
    }
    // Before a variable the rest may be anything; without a sign it is no part of a user.
    if (sign < 0) continue;
    spans.push(...userSecrets(text, from, colon >= 0 && colon < sign ? colon : sign, sign));
  }
  return [...spans, ...sourceNames(text)];
}

function userSecrets(text: string, from: number, colon: number, sign: number): SecretSpan[] {
  const user = text.slice(from, colon);
  const password = text.slice(colon + 1, sign);
  const spans: SecretSpan[] = [];
  if (looksRandom(user, 20)) spans.push({ start: from, end: colon, kind: 'token' });
  if (colon < sign && !isPlaceholder(password)) spans.push({ start: colon + 1, end: sign, kind: 'password' });
  return spans;
}

/** `user:password@tcp(db:3306)/app`, `scott/tiger@//db/app`. */
const SOURCE = /(?<![\w.-])[\w.-]{1,64}[:/]([^\s:/@'"`()$<>|;]{1,128})@(?=(?:tcp|unix|udp)\(|\/\/)/g;

function sourceNames(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  eachMatch(SOURCE, text, ({ 0: whole, 1: password = '', index }) => {
    const end = index + whole.length - 1;
    spans.push({ start: end - password.length, end, kind: 'password' });
  });
  return spans;
}
