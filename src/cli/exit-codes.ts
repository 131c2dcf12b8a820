import { constants } from 'node:os';
import { type ErrorCode, HandraiseError } from '../core/errors.ts';

/** handraise's own exit codes. `run` otherwise ends with the agent's, or 128 + the signal that ended it. */
export const EXIT = {
  ok: 0,
  /** `doctor`: something failed; the playground: it did not go well. */
  failed: 1,
  /** `ask`: nobody answered. */
  notAnswered: 3,
  usage: 64,
  unavailable: 69,
  refused: 77,
  configuration: 78,
} as const;

const CODES: Readonly<Record<ErrorCode, number>> = {
  usage: EXIT.usage,
  invalid_questions: EXIT.usage,
  invalid_answers: EXIT.usage,
  configuration: EXIT.configuration,
  refused: EXIT.refused,
  unavailable: EXIT.unavailable,
  token_in_use: EXIT.unavailable,
  invalid_frame: EXIT.unavailable,
  surface: EXIT.unavailable,
  store: EXIT.unavailable,
};

/** The exit code of a failure. One that nobody foresaw counts as unavailable: it never looks like the agent's own. */
export function exitCodeOf(thrown: unknown): number {
  return thrown instanceof HandraiseError ? CODES[thrown.code] : EXIT.unavailable;
}

/** 128 + n, as shells say it. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
