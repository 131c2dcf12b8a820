import { sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';

/** Failures that no caller caught: a rejection inside a library, an error event without a listener. */
export interface StrayFailures {
  /** Rejects with the first one that comes before `logTo`. */
  readonly first: Promise<never>;
  /** From now on they are logged and end nothing: an agent's hour of work is worth more, and every wait has a deadline. */
  logTo(log: Logger): void;
  stop(): void;
}

export function catchStrayFailures(): StrayFailures {
  let log: Logger | undefined;
  let fail: (thrown: unknown) => void;
  const first = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever waits for it gets the rejection; once the log takes over, nobody does.
  first.catch(() => undefined);
  const report = (thrown: unknown) => {
    if (log === undefined) return fail(thrown);
    const stack = thrown instanceof Error ? thrown.stack : undefined;
    log.error({ error: sentenceOf(thrown), stack }, 'unexpected failure');
  };
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  return {
    first,
    logTo(target) {
      log = target;
    },
    stop() {
      process.off('uncaughtException', report);
      process.off('unhandledRejection', report);
    },
  };
}
