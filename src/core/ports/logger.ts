/**
 * Structured log: a constant message, facts in fields (pino's shape, so a pino logger is one). Never receives a token,
 * a question's text or an answer. Goes to the session's log file or stderr, never to stdout.
 */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}
