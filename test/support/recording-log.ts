import type { Logger } from '../../src/core/ports/logger.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A log that keeps its lines, for tests that care what was said. */
export function recordingLog(): Logger & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const keep = (level: LogLine['level']) => (fields: LogLine['fields'], message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}
