import type { Clock } from '../../core/clock.ts';
import { sentenceOf } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { RedisConnection } from './connection.ts';

/** How often the difference is measured again: clocks drift by a few ms in that time. */
const EVERY_MS = 60_000;

/**
 * This machine's clock, set by the server's: deadlines in records are the server's, and an owner whose clock runs ahead
 * must not end a request early. Measured with every new connection and every minute, to half a round trip.
 */
export class ServerClock implements Clock {
  readonly #commands: RedisConnection;
  readonly #own: Clock;
  readonly #log: Logger;
  #aheadMs = 0;
  #cancel: () => void = () => undefined;

  constructor(commands: RedisConnection, own: Clock, log: Logger) {
    this.#commands = commands;
    this.#own = own;
    this.#log = log;
    commands.onReady(() => void this.measure());
  }

  now(): number {
    return this.#own.now() + this.#aheadMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.#own.after(delayMs, callback);
  }

  async measure(): Promise<void> {
    this.#cancel();
    this.#cancel = this.#own.after(EVERY_MS, () => void this.measure());
    try {
      const before = this.#own.now();
      const [seconds, micros] = await this.#commands.run((redis) => redis.time(), { changes: false });
      const after = this.#own.now();
      this.#aheadMs = Math.round(Number(seconds) * 1_000 + Number(micros) / 1_000 - (before + after) / 2);
    } catch (thrown) {
      // The last measure stands; the next connection brings another.
      this.#log.debug({ error: sentenceOf(thrown) }, "the server's clock could not be read");
    }
  }

  stop(): void {
    this.#cancel();
  }
}
