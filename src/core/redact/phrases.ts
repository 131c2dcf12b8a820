import { eachMatch } from './matching.ts';
import type { SecretSpan } from './span.ts';
import { isCode, isNoWord, isPath } from './values.ts';

/** Group 1 is the secret; `sure` when what comes before leaves no doubt. Bounded or of one run, so that all are linear. */
const PHRASES: readonly { readonly pattern: RegExp; readonly sure?: true }[] = [
  // In sentences, and in files of words such as `.netrc`.
  {
    pattern:
      /(?<![\w-])(?:password|passphrase|passwd|passcode|pwd|pass|secret|token|credential|(?:api|access|secret|private|auth)[ -]key)s?[ \t]{1,4}(?:(?:is|was|of|to|now|as)[ \t]{1,4}|[:=][ \t]{0,4})?["'`]?([^\s"'`,;<>|&()$]{6,})/gi,
  },
  // SQL.
  {
    pattern: /\bidentified[ \t]+(?:with[ \t]+[\w"'`]{1,40}[ \t]+)?by[ \t]+(?:password[ \t]+)?'([^'\n]{1,200})'/gi,
    sure: true,
  },
  { pattern: /\bpassword[ \t]*[(=]?[ \t]*'([^'\n]{3,200})'/gi, sure: true },
  // A line of `.pgpass`.
  { pattern: /^[^:\s]{1,100}:(?:\d{1,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:([^:\s]{3,})$/gm, sure: true },
  // Settings of Redis.
  { pattern: /^[ \t]*(?:requirepass|masterauth|sentinel auth-pass \w{1,60})[ \t]+"?([^\s"]{3,})/gm, sure: true },
  { pattern: /\bpass(?:word)?:((?!\/)[^\s"'`;|&$]{4,})(?=[\s"']|$)/g },
  // `-u user:password`.
  { pattern: /(?<!\S)(?:-u|--user|--proxy-user|-U|-a|--auth)[ =]{0,2}["']?[^\s:"'/]{1,80}:([^\s"'`$]{4,})/g },
];

/** Secrets that a sentence or a statement announces. */
export function announcedSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { pattern, sure = false } of PHRASES) {
    eachMatch(pattern, text, (match) => {
      const [whole, announced = ''] = match;
      const value = sure ? announced : announced.replace(/[.!?)\]}:]{1,4}$/, '');
      if (!sure && !isSecretWord(value)) return;
      const start = match.index + whole.lastIndexOf(announced);
      spans.push({ start, end: start + value.length, kind: 'password' });
    });
  }
  return spans;
}

function isSecretWord(value: string): boolean {
  if (value.length < 6 || !isNoWord(value) || isPath(value) || isCode(value)) return false;
  return !value.includes('://') && !value.startsWith('//') && !/^\w+=/.test(value);
}
