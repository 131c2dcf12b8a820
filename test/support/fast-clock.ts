import type { Clock } from '../../src/core/clock.ts';

/** The machine's clock, `speed` times as fast: waits of seconds pass in milliseconds while real sockets keep up. */
export function fastClock(speed: number): Clock {
  const started = Date.now();
  return {
    now: () => started + (Date.now() - started) * speed,
    after(delayMs, callback) {
      const timer = setTimeout(callback, Math.max(0, delayMs) / speed);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
