import { eachMatch } from './matching.ts';
import { type Suspicion, suspicionOf } from './names.ts';
import type { SecretSpan } from './span.ts';
import { isCode, isNoWord, isPath, isPlaceholder, looksMade, looksRandom } from './values.ts';

/** A name and what stands between it and its value: `NAME=`, `"name": `, `name => `, `name := `. */
const NAMED = /(?<![\w.-])([\w.-]+)(\\?["'`]?\]?[ \t]{0,8}(?:=>|:=|={1,3}|:)[ \t]{0,8})/g;
/** `--name value`, `-name value`. */
const FLAG = /(?<![\w-])--?([A-Za-z][\w-]*)[ \t]{1,8}/g;
/** `<name>value<`. */
const ELEMENT = /<([\w.:-]+)>(?=[^<\s])/g;

/** Values of what is named like a secret, in whatever form settings are written: shell, URL, YAML, JSON, code, headers. */
export function assignedSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let known = 0;
  const ends = new Ends(text);
  const take = (span: SecretSpan | undefined) => {
    if (span === undefined) return;
    spans.push(span);
    known = span.end;
  };
  eachMatch(NAMED, text, (match) => {
    const [whole, name = '', between = ''] = match;
    const before = text[match.index - 1] ?? '';
    // The user of a URL (`//user:password@`) is not a name.
    if (match.index < known || (between === ':' && before === '/')) return;
    const at = match.index + whole.length;
    if (/^(?:proxy-|x-)?authorization$/i.test(name)) take(credentials(text, at, ends));
    else if (/^(?:set-)?cookie2?$/i.test(name)) {
      known = ends.header(at);
      spans.push(...cookieSecrets(text, at, known));
    } else take(assigned(text, { name, between, before, at }, ends));
  });
  eachMatch(FLAG, text, (match) => {
    const [whole, name = ''] = match;
    const suspicion = suspicionOf(name);
    if (suspicion === undefined || suspicion === 'maybe') return;
    const { start, end } = valueAt(text, match.index + whole.length, 'word', ends);
    const value = text.slice(start, end);
    if (isNoWord(value) && !isPath(value) && !isCode(value) && !/^\w+=/.test(value)) {
      spans.push({ start, end, kind: kindOf(name) });
    }
  });
  eachMatch(ELEMENT, text, (match) => {
    const [whole, name = ''] = match;
    if (suspicionOf(name) !== 'surely') return;
    const start = match.index + whole.length;
    const end = endAt(text, start, (unit) => unit === '<' || unit === '\n');
    if (!isPlaceholder(text.slice(start, end)) && text[start] !== '$') spans.push({ start, end, kind: kindOf(name) });
  });
  return spans;
}

/** A value is judged by so much of it, so that values within values cost no more than the text is long. */
const MOST_JUDGED = 256;

interface Assigned {
  readonly name: string;
  readonly between: string;
  readonly before: string;
  readonly at: number;
}

function assigned(text: string, { name, between, before, at }: Assigned, ends: Ends): SecretSpan | undefined {
  const suspicion = suspicionOf(name);
  if (suspicion === undefined) return undefined;
  const isQuery = before === '?' || before === '&';
  const found = valueAt(text, at, isQuery ? 'query' : between === '=' ? 'word' : 'setting', ends);
  const value = text.slice(found.start, Math.min(found.end, found.start + MOST_JUDGED));
  // Nobody calls a secret by its own name: `token=token` is code.
  if (isPlaceholder(value) || isPath(value) || value.toLowerCase() === name.toLowerCase()) return undefined;
  if (value.includes('://') || value.startsWith('//')) return undefined;
  const isCompact = between === '=';
  if (!isWorthy(value, suspicion, { isCompact, ...found })) return undefined;
  return { start: found.start, end: found.end, kind: isQuery && suspicion === 'maybe' ? 'token' : kindOf(name) };
}

function isWorthy(
  value: string,
  suspicion: Suspicion,
  { isCompact, quoted }: { isCompact: boolean; quoted: boolean },
): boolean {
  if (suspicion === 'maybe') return looksMade(value);
  if (/^\d+$/.test(value) && value.length < (isCompact ? 4 : 16)) return false;
  if (suspicion === 'likely') return isNoWord(value) && !(/\s/.test(value) || isCode(value));
  if (quoted) return !/\s/.test(value) || (isCompact && value.length < 80);
  if (isCompact) return value.length >= 2 && !isCode(value);
  return isNoWord(value) && !isCode(value);
}

/** `Bearer x`, `Basic x`, `token x`, or the value alone. */
function credentials(text: string, at: number, ends: Ends): SecretSpan | undefined {
  let start = at;
  if (`"'\``.includes(text[start] ?? ' ')) start += 1;
  const end = ends.header(start);
  const [, scheme = ''] =
    /^([A-Za-z][\w-]{1,30}[ \t]{1,4})(?=[^\s,=]+(?:[\s,;]|$))/.exec(text.slice(start, Math.min(end, start + 4_096))) ??
    [];
  start += scheme.length;
  const until = endAt(text, start, (unit) => /[\s,;)}\]]/.test(unit) || isQuote(unit) || unit === '\\' || unit === '$');
  const value = text.slice(start, Math.min(until, end));
  if (value.length < 5 || isPlaceholder(value) || (scheme === '' && !isNoWord(value))) return undefined;
  return { start, end: start + value.length, kind: 'token' };
}

/** Pairs of a cookie whose value looks made by a machine; a `theme=dark` stays. */
export function cookieSecrets(text: string, from: number, to: number): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let at = from;
  while (at < to) {
    const end = Math.min(
      to,
      endAt(text, at, (unit) => unit === ';' || unit === '\n'),
    );
    const sign = text.indexOf('=', at);
    if (sign >= at && sign < end) {
      const value = text.slice(sign + 1, end).trimEnd();
      const suspicion = suspicionOf(text.slice(at, sign).trim());
      const isSecret =
        suspicion === 'surely'
          ? !isPlaceholder(value)
          : suspicion === undefined
            ? looksRandom(value, 20)
            : looksMade(value);
      if (isSecret && !value.includes('$'))
        spans.push({ start: sign + 1, end: sign + 1 + value.length, kind: 'cookie' });
    }
    at = end + 1;
  }
  return spans;
}

type Form = 'word' | 'query' | 'setting';

/** Where things end. What was found from a place before holds from here on, too, so that nothing is read twice. */
class Ends {
  readonly #text: string;
  readonly #known = new Map<Form | 'header', number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Of a header's value: its line, or the quotes it is in. */
  header(at: number): number {
    return this.#from('header', at, (unit) => unit === '\n' || isQuote(unit));
  }

  /** Of a value without quotes. */
  value(form: Form, at: number): number {
    return this.#from(form, at, (unit, index) => {
      if (/[\s"'`<>|&;]/.test(unit) || unit === ')' || isDynamic(this.#text, index)) return true;
      if (form === 'query') return unit === '#';
      if (unit !== ',') return false;
      return form === 'setting' || /^\s|^[\w.-]{1,40}=/.test(this.#text.slice(index + 1, index + 42));
    });
  }

  #from(what: Form | 'header', at: number, isEnd: (unit: string, index: number) => boolean): number {
    const known = this.#known.get(what) ?? -1;
    if (known >= at) return known;
    const end = endAt(this.#text, at, isEnd);
    this.#known.set(what, end);
    return end;
  }
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/**
 * Where the literal value is that begins at `at`: inside its quotes; else up to where a word, a part of a query or a
 * setting ends. A variable or a command in it ends it, for those are no secret and have to be seen.
 */
function valueAt(text: string, at: number, form: Form, ends: Ends): Value {
  const escaped = text[at] === '\\' && isQuote(text[at + 1] ?? '');
  const isOpening = isQuote(text[at] ?? '') && !(form === 'word' && text[at] === '`');
  const quote = escaped ? text[at + 1] : isOpening ? text[at] : undefined;
  if (quote !== undefined) {
    const start = at + (escaped ? 2 : 1);
    let end = start;
    for (; end < text.length && text[end] !== '\n'; end += 1) {
      if (text[end] === '\\' && escaped && text[end + 1] === quote) break;
      if (text[end] === '\\' && quote !== "'") end += 1;
      else if (text[end] === quote) break;
      else if (quote !== "'" && isDynamic(text, end)) break;
    }
    return { start, end: Math.min(end, text.length), quoted: true };
  }
  let end = ends.value(form, at);
  if (form === 'setting') while (end > at && /[.,}\]:]/.test(text[end - 1] ?? '')) end -= 1;
  return { start: at, end, quoted: false };
}

function isDynamic(text: string, index: number): boolean {
  return text[index] === '`' || (text[index] === '$' && /[A-Za-z_({]/.test(text[index + 1] ?? ''));
}

function isQuote(unit: string): boolean {
  return unit === '"' || unit === "'" || unit === '`';
}

function endAt(text: string, from: number, isEnd: (unit: string, index: number) => boolean): number {
  let index = from;
  while (index < text.length && !isEnd(text[index] ?? '', index)) index += 1;
  return index;
}

/** What the mask says of a value, from its name. */
export function kindOf(name: string): string {
  if (/pass|pwd/i.test(name)) return 'password';
  if (/token|jwt|bearer|auth/i.test(name)) return 'token';
  if (/key/i.test(name)) return 'key';
  if (/sess|cookie|csrf|xsrf|sid$/i.test(name)) return 'cookie';
  if (/sig/i.test(name)) return 'signature';
  return 'secret';
}
