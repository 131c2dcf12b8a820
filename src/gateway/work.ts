import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';

/** One try at a job: milliseconds until the next try, or undefined when it is over. `failures` counts earlier tries. */
export type Attempt = (failures: number) => Promise<number | undefined>;

/**
 * Runs the gateway's background jobs: one at a time under a key, and one at a time in a lane. A job that throws is
 * logged and over; it never stops the others, and nothing is left unobserved.
 */
export class Work {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #running = new Map<string, { again: boolean }>();
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #queued = new Set<string>();
  readonly #idle = new Set<() => void>();
  readonly #pauses = new Set<() => void>();
  #stopped = false;

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Runs the job now; while it runs under this key, further calls make it run once more afterwards. */
  start(key: string, job: () => Promise<void>): void {
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const state = { again: true };
    this.#running.set(key, state);
    void this.#untilQuiet(key, state, job);
  }

  async #untilQuiet(key: string, state: { again: boolean }, job: () => Promise<void>): Promise<void> {
    while (state.again && !this.#stopped) {
      state.again = false;
      try {
        await job();
      } catch (error) {
        this.#log.error({ key, reason: sentenceOf(error) }, 'a background job failed');
      }
    }
    this.#running.delete(key);
    this.#announceIdle();
  }

  /** Puts a job at the end of a lane, unless the same key waits or runs there already. It is tried until it is over. */
  enqueue(lane: string, key: string, attempt: Attempt): void {
    if (this.#queued.has(key) || this.#stopped) return;
    this.#queued.add(key);
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    const run = before.then(() => this.#untilOver(key, attempt));
    this.#lanes.set(lane, run);
    void run.then(() => {
      this.#queued.delete(key);
      if (this.#lanes.get(lane) === run) this.#lanes.delete(lane);
      this.#announceIdle();
    });
  }

  async #untilOver(key: string, attempt: Attempt): Promise<void> {
    for (let failures = 0; !this.#stopped; failures += 1) {
      try {
        const pauseMs = await attempt(failures);
        if (pauseMs === undefined) return;
        await this.#pause(pauseMs);
      } catch (error) {
        this.#log.error({ key, reason: sentenceOf(error) }, 'a background job failed');
        return;
      }
    }
  }

  /** Ends every pause between two tries now: what was waited for may not matter any more. */
  hurry(): void {
    for (const endPause of [...this.#pauses]) endPause();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        this.#pauses.delete(end);
        resolve();
      };
      const cancel = this.#clock.after(ms, end);
      this.#pauses.add(end);
    });
  }

  /** Resolves when nothing runs or waits any more, or after `graceMs`; what is left then is not tried again. */
  async drain(graceMs: number): Promise<void> {
    if (!this.#isIdle()) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(graceMs, resolve);
        this.#idle.add(() => {
          cancel();
          resolve();
        });
      });
    }
    this.#stopped = true;
  }

  #isIdle(): boolean {
    return this.#running.size === 0 && this.#queued.size === 0;
  }

  #announceIdle(): void {
    if (!this.#isIdle()) return;
    for (const tell of this.#idle) tell();
    this.#idle.clear();
  }
}
