import type { Clock } from '../../core/clock.ts';
import { sentenceOf } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Unsubscribe } from '../../core/ports/request-store.ts';
import { createWakeUps } from '../wake-ups.ts';
import { type ConnectionOptions, RedisConnection } from './connection.ts';

/** A half-open subscriber hears nothing and does not notice: it is asked this often, and has this long to answer. */
const HEARTBEAT_MS = 1_000;

type Wake = (requestId: string) => void;

export interface WakeChannelsOptions extends Omit<ConnectionOptions, 'name' | 'scripts'> {
  /** Default `HEARTBEAT_MS`. */
  readonly heartbeatMs?: number;
}

/**
 * Wake-ups over Redis pub/sub, on a connection of their own. Messages are lost whenever it is away, so that after every
 * new subscription each listener's `missed` is called to name what it has to read again.
 */
export class WakeChannels {
  readonly #connection: RedisConnection;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #heartbeatMs: number;
  readonly #wakeUps: ReturnType<typeof createWakeUps>;
  /** Channel → what to look at again after a gap, one function a listener. */
  readonly #missed = new Map<string, Set<() => Promise<Iterable<string>>>>();
  #cancelBeat: () => void = () => undefined;
  #closed = false;

  constructor(options: WakeChannelsOptions) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
    this.#wakeUps = createWakeUps(options.log);
    this.#connection = new RedisConnection({ ...options, name: 'wake' });
    this.#connection.onMessage((channel, requestId) => this.#wakeUps.call(channel, requestId));
    this.#connection.onReady(() => void this.#subscribeAgain());
    this.#beatLater();
  }

  /** Resolves once the server confirmed the subscription; throws `store` when it does not in time. */
  async add(channel: string, wake: Wake, missed: () => Promise<Iterable<string>>): Promise<Unsubscribe> {
    const unlisten = this.#wakeUps.add(channel, wake);
    try {
      await this.#connection.run((redis) => redis.subscribe(channel), { changes: false });
    } catch (thrown) {
      unlisten();
      throw thrown;
    }
    // Only now: nothing can have been missed before.
    const functions = this.#missed.get(channel) ?? new Set();
    this.#missed.set(channel, functions.add(missed));
    return () => {
      unlisten();
      functions.delete(missed);
      if (functions.size > 0 || this.#missed.get(channel) !== functions) return;
      this.#missed.delete(channel);
      void this.#unsubscribe(channel);
    };
  }

  close(): void {
    this.#closed = true;
    this.#cancelBeat();
    this.#connection.close();
  }

  /** After a reconnect the server knows nothing of us. */
  async #subscribeAgain(): Promise<void> {
    const channels = [...this.#missed.keys()];
    if (channels.length === 0) return;
    try {
      await this.#connection.run((redis) => redis.subscribe(...channels), { changes: false });
    } catch (thrown) {
      if (!this.#closed) this.#connection.reconnect(`subscribing failed: ${sentenceOf(thrown)}`);
      return;
    }
    for (const channel of channels) {
      for (const missed of this.#missed.get(channel) ?? []) await this.#catchUp(channel, missed);
    }
  }

  async #catchUp(channel: string, missed: () => Promise<Iterable<string>>): Promise<void> {
    try {
      for (const requestId of await missed()) this.#wakeUps.call(channel, requestId);
    } catch (thrown) {
      // The slow poll of whoever listens finds it a little later.
      this.#log.warn({ channel, error: sentenceOf(thrown) }, 'what was missed could not be listed');
    }
  }

  async #unsubscribe(channel: string): Promise<void> {
    if (this.#closed || !this.#connection.isReady) return;
    try {
      await this.#connection.run((redis) => redis.unsubscribe(channel));
    } catch (thrown) {
      this.#log.debug({ channel, error: sentenceOf(thrown) }, 'a subscription could not be ended');
    }
  }

  #beatLater(): void {
    this.#cancelBeat = this.#clock.after(this.#heartbeatMs, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    if (this.#connection.isReady) {
      try {
        // Without an answer in time, `run` itself makes the connection again.
        await this.#connection.run((redis) => redis.ping());
      } catch (thrown) {
        this.#log.debug({ error: sentenceOf(thrown) }, 'a heartbeat failed');
      }
    }
    if (!this.#closed) this.#beatLater();
  }
}
