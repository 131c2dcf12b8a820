import type { Clock } from '../../src/core/clock.ts';

/** Discord's clock, as far as it can be known here. */
export interface PlatformClock {
  /** Learns from the `Date` of a response that arrived just now. */
  learn(date: string | null): void;
  /** Milliseconds since the epoch by Discord's clock, to about a second. */
  now(): number;
}

/**
 * How old an interaction is, is judged by the clock that stamped it: this host's may be minutes off. `Date` has whole
 * seconds, so that half a second is added; a proxy's nonsense is not believed.
 */
export function createPlatformClock(clock: Clock): PlatformClock {
  let offsetMs = 0;
  return {
    learn(date) {
      const told = date === null ? Number.NaN : Date.parse(date);
      if (Number.isFinite(told)) offsetMs = told + 500 - clock.now();
    },
    now: () => clock.now() + offsetMs,
  };
}
