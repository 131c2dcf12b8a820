import { ReplyError } from 'ioredis';
import { sentenceOf } from '../../core/errors.ts';

/** What went wrong with a command, and what may be done about it. */
export interface Failure {
  readonly sentence: string;
  readonly cause: unknown;
  /** It was surely not carried out, and may be a moment later. */
  readonly again: boolean;
  /** Nobody can tell whether it was carried out. */
  readonly ambiguous: boolean;
  /** No answer came at all. */
  readonly silent: boolean;
}

/** Answers of a server that is on its way in or out: nothing was done. */
const FOR_THE_MOMENT = /^(READONLY|LOADING|MASTERDOWN|BUSY|TRYAGAIN|CLUSTERDOWN)\b/;

/** ioredis had no connection to write to. */
const NOT_SENT = "Stream isn't writeable";

export function failureOf(thrown: unknown): Failure {
  const sentence = sentenceOf(thrown);
  const told = { sentence, cause: thrown, silent: false };
  if (thrown instanceof ReplyError) return { ...told, again: FOR_THE_MOMENT.test(sentence), ambiguous: false };
  if (sentence.startsWith(NOT_SENT)) return { ...told, again: true, ambiguous: false };
  return { ...told, again: false, ambiguous: true, silent: sentence === 'Command timed out' };
}
