import type { Clock } from '../../src/core/clock.ts';

/** A clock that stands still until the test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves time by `ms` and fires every timer that falls due, in order of due time, then of creation; also those that
   * the fired ones set within the stretch. While a timer fires, `now()` is the time it was due. Synchronous: promises
   * that a timer resolves are still unsettled when it returns.
   */
  advance(ms: number): void;
  /** The same, with a turn of the event loop after each timer, so that what it resolved goes on before the next. */
  walk(ms: number): Promise<void>;
  /** Timers that are set and neither fired nor cancelled: milliseconds from now, soonest first. */
  pending(): readonly number[];
}

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** Starts at a fixed date (2026-08-03 10:00 UTC), so that printed times are the same in every run. */
export function createFakeClock(startAt = Date.UTC(2026, 7, 3, 10)): FakeClock {
  let now = startAt;
  const timers = new Set<Timer>();

  const fireNext = (until: number): boolean => {
    const next = soonest(timers);
    if (next === undefined || next.due > until) return false;
    timers.delete(next);
    now = Math.max(now, next.due);
    next.callback();
    return true;
  };

  return {
    now: () => now,
    after(delayMs, callback) {
      const timer = { due: now + Math.max(0, delayMs), callback };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance(ms) {
      const until = now + ms;
      while (fireNext(until));
      now = until;
    },
    async walk(ms) {
      const until = now + ms;
      await turn();
      while (fireNext(until)) await turn();
      now = until;
      await turn();
    },
    pending: () => [...timers].map((timer) => timer.due - now).sort((a, b) => a - b),
  };
}

/** A Set keeps insertion order, so the first of equal dues is the one set first. */
function soonest(timers: Iterable<Timer>): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) if (first === undefined || timer.due < first.due) first = timer;
  return first;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
