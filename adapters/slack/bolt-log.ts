import { LogLevel, type Logger as SlackLogger } from '@slack/web-api';
import type { Logger } from '../../src/core/ports/logger.ts';

/**
 * The SDK's log, in ours. Its debug and info lines hold whole payloads, tokens masked at best, so they are dropped; the
 * rest is shortened, because a refused call repeats what was sent.
 */
export function sdkLogger(log: Logger, name: string): SlackLogger {
  const told = (parts: unknown[]) => ({ source: name, detail: parts.map(describe).join(' ').slice(0, LONGEST) });
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...parts) => log.warn(told(parts), 'the Slack SDK warns'),
    error: (...parts) => log.warn(told(parts), 'the Slack SDK reports an error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}

const LONGEST = 300;

function describe(part: unknown): string {
  return part instanceof Error ? part.message : String(part);
}
