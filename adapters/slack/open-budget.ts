import type { Clock } from '../../src/core/clock.ts';
import { pause } from '../../src/core/pause.ts';

/**
 * All calls of `apps.connections.open` go through here, from however many connections. Slack allows about one a minute
 * with an undefined burst, answers calls less than a second apart with conflicts (node-slack-sdk#2094), and some clients
 * have been locked out for hours by their own retries (#2443).
 */
export class OpenBudget {
  readonly #clock: Clock;
  readonly #random: () => number;
  #tokens = BURST;
  #filledAt: number;
  #notBefore = 0;
  #line: Promise<void> = Promise.resolve();

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
    this.#filledAt = clock.now();
  }

  /** Resolves when the next call may be made, or when `signal` aborts. First come, first served. */
  take(signal: AbortSignal): Promise<void> {
    const turn = this.#line.then(() => this.#wait(signal));
    this.#line = turn;
    return turn;
  }

  /** Slack said when to come back (`Retry-After`): nobody calls before. */
  holdFor(ms: number): void {
    this.#notBefore = Math.max(this.#notBefore, this.#clock.now() + ms);
  }

  async #wait(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#refill();
      const ms = Math.max(this.#notBefore - this.#clock.now(), this.#tokens >= 1 ? 0 : this.#untilNextToken());
      if (ms <= 0) {
        this.#tokens -= 1;
        this.holdFor(SPACING_MS * (1 + this.#random() / 4));
        return;
      }
      await pause(this.#clock, ms, signal);
    }
  }

  #refill(): void {
    const now = this.#clock.now();
    const earned = Math.floor(Math.max(0, now - this.#filledAt) / REFILL_MS);
    if (earned === 0) return;
    this.#tokens = Math.min(BURST, this.#tokens + earned);
    this.#filledAt += earned * REFILL_MS;
  }

  #untilNextToken(): number {
    return this.#filledAt + REFILL_MS - this.#clock.now();
  }
}

/** Between two calls: node-slack-sdk#2094 saw conflicts below a second. */
const SPACING_MS = 1_000;
/** Calls in a row after a quiet time: two connections that are refreshed several times in a minute. */
const BURST = 12;
/** Then one in this time. Slack promises one a minute; when it means it, its `Retry-After` is obeyed above. */
const REFILL_MS = 10_000;
