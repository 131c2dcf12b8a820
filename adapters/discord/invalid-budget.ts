import type { Clock } from '../../src/core/clock.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';

/** Discord bans an address after 10,000 refusals in ten minutes (topics/rate-limits); we stop at half of it. */
const LIMIT = { most: 5_000, windowMs: 10 * 60_000 } as const;

/** Counts answers 401, 403 and 429, and stops calling before Discord stops listening. */
export class InvalidBudget {
  readonly #clock: Clock;
  #since = 0;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(status: number): void {
    if (status !== 401 && status !== 403 && status !== 429) return;
    if (this.#clock.now() - this.#since >= LIMIT.windowMs) {
      this.#since = this.#clock.now();
      this.#count = 0;
    }
    this.#count += 1;
  }

  /** Throws while too many were refused. */
  check(): void {
    const leftMs = this.#since + LIMIT.windowMs - this.#clock.now();
    if (this.#count < LIMIT.most || leftMs <= 0) return;
    throw new SurfaceError('Discord refused thousands of calls, so that none is made for a while', {
      platformCode: 'too_many_refusals',
      retryAfterMs: leftMs,
      hint: 'Look in the log for what was refused, and mend that first: Discord bans addresses that go on.',
    });
  }
}
