import type { Clock } from '../../src/core/clock.ts';
import { pause } from '../../src/core/pause.ts';

/** Discord takes one identify in five seconds (events/gateway, "Identify"), and 1,000 a day. */
export const IDENTIFY_EVERY_MS = 5_000;
/** After so many in an hour something is wrong, and each further one waits until the hour is over. */
const MOST_AN_HOUR = 30;
const HOUR_MS = 3_600_000;

/** Lets identifies through no faster than Discord takes them, and no more often than it forgives. */
export class IdentifyBudget {
  readonly #clock: Clock;
  readonly #everyMs: number;
  #times: number[] = [];

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** Rejects when `signal` is aborted, as discord.js wants it. */
  async waitForIdentify(_shardId: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    this.#times = this.#times.filter((time) => now - time < HOUR_MS);
    const [oldest = now] = this.#times;
    const newest = this.#times.at(-1) ?? Number.NEGATIVE_INFINITY;
    const due = this.#times.length < MOST_AN_HOUR ? newest + this.#everyMs : oldest + HOUR_MS;
    if (due > now) await pause(this.#clock, due - now, signal);
    signal.throwIfAborted();
    this.#times.push(this.#clock.now());
  }
}
