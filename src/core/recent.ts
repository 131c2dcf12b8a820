import type { Clock } from './clock.ts';

/** Things that happened lately, each forgotten after `keptMs`. */
export class Recent<T> {
  readonly #clock: Clock;
  readonly #keptMs: number;
  readonly #entries = new Map<string, { readonly at: number; readonly value: T }>();

  constructor(clock: Clock, keptMs: number) {
    this.#clock = clock;
    this.#keptMs = keptMs;
  }

  get(key: string): T | undefined {
    this.#forgetOld();
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: T): void {
    this.#forgetOld();
    this.#entries.set(key, { at: this.#clock.now(), value });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** A Map keeps insertion order, so the oldest come first. */
  #forgetOld(): void {
    const now = this.#clock.now();
    for (const [key, { at }] of this.#entries) {
      if (now - at < this.#keptMs) return;
      this.#entries.delete(key);
    }
  }
}
