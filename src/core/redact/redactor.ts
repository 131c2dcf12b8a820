import { assignedSecrets } from './assignments.ts';
import { createKnownSecrets, type KnownSecret } from './known.ts';
import { privateKeys } from './pem.ts';
import { announcedSecrets } from './phrases.ts';
import { shapedSecrets } from './shapes.ts';
import { merged, type SecretSpan } from './span.ts';
import { urlSecrets } from './urls.ts';

/** Finds secrets by where they stand; the gate's knows shell commands. */
export type LocateSecrets = (text: string) => readonly SecretSpan[];

/** Masks the texts of one card, so that the same secret has the same number in all of them. */
export interface Masker {
  /** The text with `[secret:kind#1]` for every secret. What is masked already stays as it is. */
  text(text: string): string;
  /** For names of files, folders and hosts: only what is certainly a secret, so that they stay readable. */
  name(text: string): string;
  /** Every text in a plain value, to the letter of its keys. */
  all<T>(value: T): T;
}

export interface Redactor {
  /** `inUse`: what will be on the same card and may hold masks already, whose numbers are not given again. */
  card(inUse?: unknown): Masker;
  /** A text on its own. */
  text(text: string): string;
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
  const card = (inUse?: unknown): Masker => {
    const numbers = new Map<string, number>();
    let last = 0;
    const reserve = (text: string) => {
      for (const [, number = '0'] of text.matchAll(MASK)) last = Math.max(last, Number(number));
    };
    const numberOf = (secret: string): number => {
      const number = numbers.get(secret) ?? last + 1;
      numbers.set(secret, number);
      last = Math.max(last, number);
      return number;
    };
    const mask = (text: string, spans: readonly SecretSpan[]): string => {
      let masked = '';
      let at = 0;
      for (const { start, end, kind, of = text.slice(start, end) } of outsideMasks(text, merged(spans))) {
        masked += `${text.slice(at, start)}[secret:${kind}#${numberOf(of)}]`;
        at = end;
      }
      return masked + text.slice(at);
    };
    const masker: Masker = {
      text: (text) => mask(text, every(withoutMasks(text))),
      name: (text) => mask(text, certain(withoutMasks(text))),
      all: (value) => mapTexts(value, masker.text) as typeof value,
    };
    mapTexts(inUse, (text) => {
      reserve(text);
      return text;
    });
    return masker;
  };
  return { card, text: (text) => card(text).text(text) };
}

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

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, map)]));
}
