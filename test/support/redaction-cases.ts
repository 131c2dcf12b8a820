import { readFileSync } from 'node:fs';

/** A text, the secrets in it that may not be shown, and what has to stay visible. */
export interface RedactionCase {
  readonly id: string;
  readonly cat: string;
  readonly text: string;
  readonly secrets: readonly string[];
  readonly keep: readonly string[];
}

const FOLDER = new URL('../fixtures/redaction/', import.meta.url);

/** The labelled corpus. Its made-up tokens are taken apart at rest, so that no scanner mistakes them for real ones. */
export const redactionCases: readonly RedactionCase[] = linesOf<RedactionCase>('cases.jsonl');

/** `text` with `{}` where a secret stands, or a `plain` one without any. */
type Place = { readonly text: string; readonly keep: readonly string[] } | { readonly plain: string };

const places = linesOf<Place>('places.jsonl');

/** What people and machines make of secrets: with words, with signs, at random. Only such as need no quotes. */
const SECRETS = [
  ['hunter2', 'correct8942'],
  ['S3cr9ZFs', 'DmilTtx'],
  ['l6IqOOjKoaMmpMbI', 'Si3tZS2nYtRMJNGO'],
].map((parts) => parts.join(''));

/** More places than the corpus has, each with every kind of secret, and texts that hold none. */
export const moreRedactionCases: readonly RedactionCase[] = places.flatMap((place, index) =>
  'plain' in place
    ? [{ id: `n${index}`, cat: 'negative', text: place.plain, secrets: [], keep: [place.plain] }]
    : SECRETS.map((secret, number) => ({
        id: `p${index}-${number}`,
        cat: 'place',
        text: place.text.replace('{}', secret),
        secrets: [secret],
        keep: place.keep,
      })),
);

/** What is wrong with a masked text: secrets that can be read, kept texts that cannot. */
export function faultsOf({ id, cat, text, secrets, keep }: RedactionCase, masked: string): string[] {
  return [
    ...secrets.filter((secret) => masked.includes(secret)).map((secret) => `${id} shows ${secret}: ${masked}`),
    ...keep.filter((kept) => !masked.includes(kept)).map((kept) => `${id} hides ${kept}: ${masked}`),
    ...(cat === 'negative' && masked !== text ? [`${id} was changed: ${masked}`] : []),
  ];
}

function linesOf<T>(file: string): T[] {
  const lines = readFileSync(new URL(file, FOLDER), 'utf8').replaceAll('⁂', '').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as T);
}
