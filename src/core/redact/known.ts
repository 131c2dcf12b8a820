import { suspicionOf } from './names.ts';
import type { SecretSpan } from './span.ts';
import { isNoWord, isPath, looksRandom } from './values.ts';

/** A value that is known to be secret, and what its mask calls it. */
export interface KnownSecret {
  readonly value: string;
  readonly kind: string;
}

/** Shorter values are not looked for: they would be found in words. */
const LEAST = 6;
/** The least an encoded value has to leave to be looked for. */
const LEAST_ENCODED = 10;

/** Finds known values to the letter, and as URLs, JSON and base64 write them. */
export function createKnownSecrets(known: readonly KnownSecret[]): (text: string) => SecretSpan[] {
  const forms = new Map<string, KnownSecret>();
  for (const secret of known) {
    if (secret.value.length < LEAST) continue;
    for (const form of formsOf(secret.value)) if (!forms.has(form)) forms.set(form, secret);
  }
  const searched = [...forms];
  return (text) => {
    const spans: SecretSpan[] = [];
    for (const [form, { kind, value }] of searched) {
      for (const place of occurrences(text, form)) spans.push({ ...place, kind, of: value });
    }
    return spans;
  };
}

/** Where a piece of text stands in another. */
export function occurrences(text: string, piece: string): { readonly start: number; readonly end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) {
    places.push({ start: at, end: at + piece.length });
  }
  return places;
}

/**
 * The secrets among environment variables: those named like one, unless the value is a plain word, and passwords in URLs.
 * A word such as `postgres` is not looked for: it would hide the names of programs and hosts.
 */
export function environmentSecrets(environment: Readonly<Record<string, string | undefined>>): KnownSecret[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const inUrl = /^[a-z][a-z0-9+.-]*:\/\/[^:/@\s]*:([^/@\s]+)@/i.exec(value)?.[1];
    const found = inUrl !== undefined && isNoWord(inUrl) ? [{ value: decoded(inUrl), kind: 'password' }] : [];
    const suspicion = suspicionOf(name);
    if (suspicion === undefined || value.includes('://') || isPath(value) || value.length < 8) return found;
    const isSecret = suspicion === 'maybe' ? looksRandom(value) : isNoWord(value);
    return isSecret ? [...found, { value, kind: 'env' }] : found;
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that stands for itself.
    return text;
  }
}

function formsOf(value: string): string[] {
  const lines = value.includes('\n') ? value.split('\n').filter((line) => line.trim().length >= 20) : [];
  const inUrl = encodeURIComponent(value.replace(/\p{Cs}/gu, '\uFFFD'));
  const inJson = JSON.stringify(value).slice(1, -1);
  const encoded = base64Forms(value).filter((form) => form.length >= LEAST_ENCODED);
  return [...new Set([value, ...lines, inUrl, inJson, ...encoded])];
}

/** What of the base64 of any text around the value does not depend on that text, for each of its three places. */
function base64Forms(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  return [0, 1, 2].flatMap((shift) => {
    const padded = new Uint8Array(shift + bytes.length);
    padded.set(bytes, shift);
    const written = btoa(String.fromCharCode(...padded)).replace(/=+$/, '');
    const usable = written.slice(Math.ceil((shift * 8) / 6), Math.floor((padded.length * 8) / 6));
    return [usable, usable.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
