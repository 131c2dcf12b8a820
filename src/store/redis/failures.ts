import { ReplyError } from 'ioredis';
import { sentenceOf } from '../../core/errors.ts';

/**
 * `unreachable`: there was no connection · `timeout`: no answer came · `lost`: the connection broke before it could ·
 * `refused`: Redis answered with an error.
 */
export type FailureKind = 'unreachable' | 'timeout' | 'lost' | 'refused';

/** What went wrong with a command, and what may be done about it. */
export interface Failure {
  readonly kind: FailureKind;
  readonly sentence: string;
  readonly cause: unknown;
  /** It was surely not carried out, and may be a moment later. */
  readonly again: boolean;
  /** Nobody can tell whether it was carried out. */
  readonly ambiguous: boolean;
}

/** Answers of a server that is on its way in or out: nothing was done. */
const FOR_THE_MOMENT = /^(READONLY|LOADING|MASTERDOWN|BUSY|TRYAGAIN|CLUSTERDOWN)\b/;

/** ioredis had no connection to write to. */
const NOT_SENT = "Stream isn't writeable";

export function failureOf(thrown: unknown): Failure {
  const sentence = sentenceOf(thrown);
  const told = { sentence, cause: thrown };
  if (thrown instanceof ReplyError) {
    return { ...told, kind: 'refused', again: FOR_THE_MOMENT.test(sentence), ambiguous: false };
  }
  if (sentence.startsWith(NOT_SENT)) return { ...told, kind: 'unreachable', again: true, ambiguous: false };
  const kind = sentence === 'Command timed out' ? 'timeout' : 'lost';
  return { ...told, kind, again: false, ambiguous: true };
}
