import { assignedSecrets } from './assignments.ts';
import { createKnownSecrets, type KnownSecret, occurrences } from './known.ts';
import { privateKeys } from './pem.ts';
import { announcedSecrets } from './phrases.ts';
import { shapedSecrets } from './shapes.ts';
import { merged, type SecretSpan } from './span.ts';
import { urlSecrets } from './urls.ts';
import { isNoWord } from './values.ts';

/** Finds secrets by where they stand; the gate's knows shell commands. */
export type LocateSecrets = (text: string) => readonly SecretSpan[];

/**
 * Masks the texts of one card: the same secret has the same number in all of them, and one that was found by its place in
 * one text is masked in those that follow wherever it stands.
 */
export interface Masker {
  /** The text with `[secret:kind#1]` for every secret. What is masked already stays as it is. */
  text(text: string): string;
  /** For names of files, folders and hosts: only what is certainly a secret, so that they stay readable. */
  name(text: string): string;
}

export interface Redactor {
  /** `inUse`: texts of the same card that may hold masks already, whose numbers are not given again. */
  card(inUse?: readonly string[]): Masker;
  /** A text on its own. */
  text(text: string): string;
  /** The same for what has to stay readable: known values and the shapes of vendors only. */
  certain(text: string): string;
}

export interface RedactorOptions {
  /** Values that are certainly secret. Default: none. */
  readonly known?: readonly KnownSecret[];
  /** Default: finds nothing. */
  readonly locate?: LocateSecrets;
}

const MASK = /\[secret:[a-z0-9-]{1,30}#(\d{1,6})\]/g;

/**
 * Masks secrets in texts: values that are known, values that stand where secrets stand, and what is shaped like one. Takes
 * time linear in the text. A secret that is split up, or encoded otherwise than as base64 or for a URL, is not found.
 */
export function createRedactor({ known = [], locate = () => [] }: RedactorOptions = {}): Redactor {
  const knownSecrets = createKnownSecrets(known);
  const certain = (text: string) => [...privateKeys(text), ...shapedSecrets(text), ...knownSecrets(text)];
  const every = (text: string) => [
    ...certain(text),
    ...urlSecrets(text),
    ...locate(text),
    ...assignedSecrets(text),
    ...announcedSecrets(text),
  ];
  const card = (inUse: readonly string[] = []): Masker => {
    const numbers = new Map<string, { readonly number: number; readonly kind: string }>();
    /** Those that would not be found in ordinary words. */
    const remembered: string[] = [];
    let last = 0;
    for (const text of inUse) {
      for (const [, number = '0'] of text.matchAll(MASK)) last = Math.max(last, Number(number));
    }
    const maskOf = (secret: string, kind: string): string => {
      let known = numbers.get(secret);
      if (known === undefined) {
        last += 1;
        known = { number: last, kind };
        numbers.set(secret, known);
        if (remembered.length < MOST_REMEMBERED && isNoWord(secret)) remembered.push(secret);
      }
      return `[secret:${kind}#${known.number}]`;
    };
    const again = (text: string): SecretSpan[] =>
      remembered.flatMap((secret) =>
        occurrences(text, secret).map((at) => ({ ...at, kind: numbers.get(secret)?.kind ?? 'secret' })),
      );
    const mask = (text: string, find: (text: string) => readonly SecretSpan[]): string => {
      const bare = withoutMasks(text);
      let masked = '';
      let at = 0;
      for (const { start, end, kind, of = text.slice(start, end) } of outsideMasks(
        text,
        merged([...find(bare), ...again(bare)]),
      )) {
        masked += `${text.slice(at, start)}${maskOf(of, kind)}`;
        at = end;
      }
      return masked + text.slice(at);
    };
    return { text: (text) => mask(text, every), name: (text) => mask(text, certain) };
  };
  return { card, text: (text) => card().text(text), certain: (text) => card().name(text) };
}

/** Secrets of one card that are looked for in its other texts: more than that are in a file, not in a question. */
const MOST_REMEMBERED = 200;

/** The text with something of the same length, and of no meaning to any rule, for each mask in it. */
function withoutMasks(text: string): string {
  return text.includes('[secret:') ? text.replace(MASK, (mask) => '\uE000'.repeat(mask.length)) : text;
}

/** The spans without what is a mask already. */
function outsideMasks(text: string, spans: readonly SecretSpan[]): readonly SecretSpan[] {
  if (spans.length === 0 || !text.includes('[secret:')) return spans;
  const masks = [...text.matchAll(MASK)].map(({ index, 0: whole }) => ({ start: index, end: index + whole.length }));
  let next = 0;
  return spans.flatMap((span) => {
    while (next < masks.length && (masks[next]?.end ?? 0) <= span.start) next += 1;
    const pieces: SecretSpan[] = [];
    let start = span.start;
    for (let index = next; index < masks.length; index += 1) {
      const mask = masks[index];
      if (mask === undefined || mask.start >= span.end) break;
      if (mask.start > start) pieces.push({ start, end: mask.start, kind: span.kind });
      start = mask.end;
    }
    if (start === span.start) return [span];
    return start < span.end ? [...pieces, { start, end: span.end, kind: span.kind }] : pieces;
  });
}
