/**
 * Stable codes of handraise's own failures, with what each means. Local errors only: what crosses a wire has its own
 * codes (`wire.ts`), and so has the store (`store-codes.ts`).
 */
export type ErrorCode =
  /** Flags or arguments that cannot be used. */
  | 'usage'
  /** A configuration value that is missing, unknown or out of range. */
  | 'configuration'
  /** Something outside is not there or does not answer: Slack, the socket, the gateway. */
  | 'unavailable'
  /** Another handraise process on this host holds the same chat token. */
  | 'token_in_use'
  /** Refused by policy. */
  | 'refused'
  /** A question batch that breaks the contract; the message tells its author what to change. */
  | 'invalid_questions'
  /** An answer that does not fit its questions. */
  | 'invalid_answers'
  /** A frame on the socket that cannot be read. */
  | 'invalid_frame'
  /** The chat platform refused or did not answer; `SurfaceError` carries the details. */
  | 'surface'
  /** The store or its audit file failed; nothing was changed. */
  | 'store';

/** What an error says besides its sentence. */
export interface ErrorFacts {
  readonly code: ErrorCode;
  /** The next step for whoever reads it: what to change, or what to run. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Base of every error handraise throws: one sentence for people, a stable code for programs, a hint for the cure. */
export class HandraiseError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(sentence: string, facts: ErrorFacts) {
    super(sentence, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'HandraiseError';
    this.code = facts.code;
    this.hint = facts.hint;
  }
}

/**
 * Why a call was aborted: its connection ended without a word. Unlike an asker that withdraws, this one may come back.
 */
export class AskerLost extends Error {}

/** The sentence of anything thrown, for logs and for wrapping a foreign error once at the edge. */
export function sentenceOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
