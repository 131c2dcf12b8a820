import type * as z from 'zod';
import { NOT_YET, OBJECTS } from './schema.ts';
import { nearest } from './suggest.ts';

/** What is wrong with one value. `path` is where, for people (`bindings[0].slack.channel`) and for looking it up. */
export interface Complaint {
  readonly path: readonly PropertyKey[];
  readonly sentence: string;
  readonly hint?: string;
}

/** Turns zod's issues into sentences; an unknown key gets a suggestion. */
export function complaintsOf(error: z.ZodError): Complaint[] {
  return error.issues.flatMap((issue) => complaintsOfIssue(issue));
}

/** `bindings[0].slack.channel` */
function pathInWords(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (words, key) =>
      typeof key === 'number' ? `${words}[${key}]` : words === '' ? String(key) : `${words}.${String(key)}`,
    '',
  );
}

/** The sentence about a key nobody knows, or one this version does not know yet. */
function unknownKey(path: readonly PropertyKey[], key: string): Complaint {
  const level = path.filter((step) => typeof step !== 'number').join('.');
  const where = [...path, key];
  if (NOT_YET[level]?.includes(key)) {
    return {
      path: where,
      sentence: `${pathInWords(where)} is not available in this version`,
      hint: 'Remove it: nothing it promises would be kept.',
    };
  }
  if (level === '' && /token|secret/i.test(key)) {
    return {
      path: where,
      sentence: `unknown key "${key}"`,
      hint: 'Tokens are never read from this file: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN, or …_FILE with a path.',
    };
  }
  const known = OBJECTS[level] ?? [];
  const meant = nearest(key, known);
  return {
    path: where,
    sentence: `unknown key "${key}"${path.length === 0 ? '' : ` in ${pathInWords(path)}`}`,
    hint: meant === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean "${meant}"?`,
  };
}

function complaintsOfIssue(issue: z.core.$ZodIssue, parent: readonly PropertyKey[] = []): Complaint[] {
  const path = [...parent, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(path, key));
    case 'invalid_union': {
      // The alternative that got furthest into the value is the one that was meant; its issues say more.
      const meant = issue.errors.find((issues) => issues.some((inner) => inner.path.length > 0 || isAboutKeys(inner)));
      return meant === undefined
        ? [{ path, sentence: said(path, issue.message) }]
        : meant.flatMap((inner) => complaintsOfIssue(inner, path));
    }
    case 'invalid_type':
      return [{ path, sentence: said(path, missingOr(issue)) }];
    default:
      return [{ path, sentence: said(path, issue.message) }];
  }
}

function isAboutKeys(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'unrecognized_keys';
}

function missingOr(issue: z.core.$ZodIssueInvalidType): string {
  if (issue.input === undefined) return 'is missing';
  if (issue.expected === 'object') return 'must be a mapping of keys to values';
  return issue.message;
}

function said(path: readonly PropertyKey[], message: string): string {
  return path.length === 0 ? `the file ${message}` : `${pathInWords(path)} ${message}`;
}
