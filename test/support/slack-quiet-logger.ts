import { type Logger, LogLevel } from '@slack/web-api';

/** A logger for Slack clients in tests that provoke errors on purpose. */
export const quietLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};
