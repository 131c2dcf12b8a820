import { Redis, type RedisOptions } from 'ioredis';
import type { Clock } from '../../core/clock.ts';
import { HandraiseError, sentenceOf } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { RedisAddress } from './address.ts';
import { type Failure, type FailureKind, failureOf } from './failures.ts';
import type { Scripts } from './scripts.ts';

export interface ConnectionOptions {
  readonly address: RedisAddress;
  /** What the connection is for; shown in `CLIENT LIST` and in logs. */
  readonly name: string;
  readonly scripts?: Scripts;
  /** Milliseconds for one command. Default 1,000. */
  readonly commandMs?: number;
  /** Told of every command that failed, each of its tries, and of every operation that found no connection. */
  readonly onFailure?: (kind: FailureKind) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

const COMMAND_MS = 1_000;

/** All tries of one operation together, waiting for a connection included, in times of one command. */
const OPERATION_FACTOR = 2.5;

/** For a new connection to be greeted, in times of one command. */
const GREETING_FACTOR = 3;

const PAUSE_MS = 25;

/** A gateway with the URL that is meant for runs, or rules of an earlier version. */
const NARROW =
  'This Redis user may not do that: give it the rules of docs/deploy.md, or a gateway its own user. `handraise doctor` tells what is missing.';

/** An operation that could not be done. `ambiguous`: it may have been carried out all the same; read it back. */
export class RedisError extends HandraiseError {
  readonly ambiguous: boolean;

  constructor(sentence: string, ambiguous: boolean, cause: unknown) {
    super(sentence, { code: 'store', cause, ...(sentence.includes('NOPERM') ? { hint: NARROW } : {}) });
    this.ambiguous = ambiguous;
  }
}

/**
 * One connection that is either usable or being made again, for ever. Nothing is queued while it is away: a command that
 * waits for a reconnect would take effect after its caller was told that it failed.
 */
export class RedisConnection {
  readonly #redis: Redis;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #name: string;
  readonly #commandMs: number;
  readonly #onFailure: (kind: FailureKind) => void;
  #lastError = 'no answer';
  /** How many connections there were, and since when there is this one. */
  #epoch = 0;
  #readySince = 0;
  readonly #waiting = new Set<() => void>();
  #giveUpGreeting: () => void = () => undefined;

  constructor(options: ConnectionOptions) {
    const { address, name, scripts = {}, commandMs = COMMAND_MS, clock, log } = options;
    this.#commandMs = commandMs;
    this.#onFailure = options.onFailure ?? (() => undefined);
    this.#clock = clock;
    this.#log = log;
    this.#name = name;
    this.#redis = new Redis({
      ...OPTIONS,
      ...address,
      connectTimeout: commandMs,
      scripts: { ...scripts },
      connectionName: `handraise-${name}`,
      replyMapping: 'legacy',
    });
    this.#redis.on('connect', () => this.#expectGreeting());
    this.#redis.on('ready', () => {
      this.#giveUpGreeting();
      this.#epoch += 1;
      this.#readySince = clock.now();
      this.#wakeWaiting();
    });
    this.#redis.on('end', () => this.#wakeWaiting());
    this.#redis.on('error', (error: Error) => {
      this.#lastError = error.message;
      this.#log.debug({ connection: name, error: error.message }, 'Redis connection error');
    });
  }

  /** Calls `listener` each time the connection has become usable, the first time included. */
  onReady(listener: () => void): void {
    this.#redis.on('ready', listener);
  }

  onMessage(listener: (channel: string, message: string) => void): void {
    this.#redis.on('message', listener);
  }

  get isReady(): boolean {
    return this.#redis.status === 'ready';
  }

  /** Milliseconds since which the connection has been there without a break; 0 while it is away. */
  get readyForMs(): number {
    return this.isReady ? Math.max(0, this.#clock.now() - this.#readySince) : 0;
  }

  /**
   * Runs a command, within 2.5 times `commandMs` all told. What was surely not carried out (no connection, a replica, a server
   * still loading) is tried again within that time; what may have been only if it changes nothing.
   */
  async run<T>(command: (redis: Redis) => Promise<T>, { changes = true } = {}): Promise<T> {
    const until = this.#clock.now() + OPERATION_FACTOR * this.#commandMs;
    for (let before: Failure | undefined; ; ) {
      await this.#ready(until, before);
      const failure = await this.#try(command);
      if ('value' in failure) return failure.value;
      before = failure;
      const mayRepeat = failure.again || (failure.ambiguous && !changes);
      if (!mayRepeat || this.#clock.now() + PAUSE_MS >= until) throw this.#failed(failure);
      await this.#pause(PAUSE_MS);
    }
  }

  /** Drops the connection and makes a new one: for one that may be dead without knowing it. */
  reconnect(why: string): void {
    this.#log.warn({ connection: this.#name, why }, 'the Redis connection is made again');
    // What else has waited on this one is no reason to drop the next.
    this.#epoch += 1;
    this.#redis.disconnect(true);
  }

  close(): void {
    this.#giveUpGreeting();
    this.#redis.disconnect();
  }

  /** The connection may be half open from its first moment, and ioredis waits for the greeting's answer for ever. */
  #expectGreeting(): void {
    this.#giveUpGreeting();
    this.#giveUpGreeting = this.#clock.after(GREETING_FACTOR * this.#commandMs, () => {
      if (this.#redis.status === 'connect') this.reconnect('the greeting got no answer');
    });
  }

  async #try<T>(command: (redis: Redis) => Promise<T>): Promise<{ readonly value: T } | Failure> {
    const epoch = this.#epoch;
    try {
      return { value: await this.#within(this.#commandMs, command(this.#redis)) };
    } catch (thrown) {
      const failure = failureOf(thrown);
      this.#onFailure(failure.kind);
      // A command without an answer: the connection may be half open, and everything behind it would wait as long.
      if (failure.kind === 'timeout' && epoch === this.#epoch && this.isReady) this.reconnect(failure.sentence);
      return failure;
    }
  }

  #failed({ sentence, ambiguous, cause }: Failure): RedisError {
    return new RedisError(`Redis did not carry out an operation: ${sentence}`, ambiguous, cause);
  }

  /** Throws what went wrong `before` when there is no connection in time: that says more. */
  async #ready(until: number, before: Failure | undefined): Promise<void> {
    if (this.isReady) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        cancel();
        this.#waiting.delete(wake);
        resolve();
      };
      const cancel = this.#clock.after(until - this.#clock.now(), wake);
      this.#waiting.add(wake);
      if (this.#redis.status === 'end') wake();
    });
    if (this.isReady) return;
    this.#onFailure('unreachable');
    if (before !== undefined) throw this.#failed(before);
    const why = this.#redis.status === 'end' ? 'the connection is closed' : this.#lastError;
    throw new RedisError(`Redis cannot be reached (${why})`, false, undefined);
  }

  #wakeWaiting(): void {
    for (const wake of this.#waiting) wake();
  }

  /**
   * Not ioredis' own timeout: its promises may never settle (#2193), and timers run before what has arrived is read, so
   * that a process that was kept from running would take its own lateness for the server's.
   */
  async #within<T>(ms: number, running: Promise<T>): Promise<T> {
    let cancel: () => void = () => undefined;
    const late = new Promise<never>((_, reject) => {
      const timedOut = () => reject(new Error('Command timed out'));
      cancel = this.#clock.after(ms, () => setImmediate(() => setImmediate(timedOut)));
    });
    try {
      return await Promise.race([running, late]);
    } finally {
      cancel();
      running.catch((thrown: unknown) => {
        this.#log.debug({ connection: this.#name, error: sentenceOf(thrown) }, 'a Redis command failed');
      });
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(ms, resolve));
  }
}

/** The reasons are in the package's notes: a resend applies twice, a queued command applies late. */
const OPTIONS: RedisOptions = {
  disconnectTimeout: 200,
  // Nothing is sent twice: a command whose reply was lost is read back instead.
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  // Subscriptions are made again by whoever made them, who has to know when they stand.
  autoResubscribe: false,
  retryStrategy: (tries: number) => Math.min(25 * 2 ** (tries - 1), 500),
  // After a failover the old primary refuses writes: look again which server the address means.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  disableClientInfo: true,
};
