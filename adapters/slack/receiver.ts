import type { App, Receiver } from '@slack/bolt';
import type { Clock } from '../../src/core/clock.ts';
import { HandraiseError, sentenceOf } from '../../src/core/errors.ts';
import { pause, within } from '../../src/core/pause.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import type { CheckedSlackConfig } from './config.ts';
import { Connection } from './connection.ts';
import { isRefusedToken } from './cures.ts';
import { type Envelope, openLink } from './link.ts';
import { OpenBudget } from './open-budget.ts';

export interface ReceiverDependencies {
  readonly config: CheckedSlackConfig;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random?: () => number;
  /** Told of every envelope that was acknowledged, and how many milliseconds after it came. */
  readonly onAcknowledged?: (afterMs: number) => void;
}

/** How long a start may take with a Slack that does not answer. */
const START_MS = 15_000;

/**
 * Feeds Bolt from two supervised Socket Mode connections instead of its own one, which crashes the process or goes deaf
 * when a reconnect fails (platforms.md 2a). Every envelope is acknowledged once, also those nobody listens for.
 */
export class SocketReceiver implements Receiver {
  readonly #deps: ReceiverDependencies;
  readonly #connections: readonly Connection[];
  readonly #inFlight = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #app: App | undefined;
  #lastFailure: SurfaceError | undefined;
  #firstAttempts: ((failure: SurfaceError | undefined) => void) | undefined;

  constructor(deps: ReceiverDependencies) {
    this.#deps = deps;
    const random = deps.random ?? Math.random;
    const budget = new OpenBudget(deps.clock, random);
    const open = () => openLink({ ...deps, onEnvelope: (envelope) => this.#receive(envelope) });
    const connection = () =>
      new Connection({ ...deps, open, budget, random, onAttempt: (failure) => this.#attempted(failure) });
    this.#connections = [connection(), connection()];
  }

  init(app: App): void {
    this.#app = app;
  }

  /** Resolves when the first connection is greeted. Rejects with the cure when Slack refuses the token or stays silent. */
  async start(): Promise<void> {
    const { clock, config } = this.#deps;
    const [first, second] = this.#connections;
    const connected = new Promise<void>((resolve, reject) => {
      this.#firstAttempts = (failure) => {
        if (failure === undefined) resolve();
        else if (isRefusedToken(failure.platformCode) || failure.platformCode === 'missing_scope') reject(failure);
      };
    });
    first?.start();
    try {
      const done = await within(
        clock,
        START_MS,
        connected.then(() => true),
      );
      if (done === undefined) throw silent(this.#lastFailure);
    } catch (error) {
      await this.stop(0);
      throw error;
    } finally {
      this.#firstAttempts = undefined;
    }
    void pause(clock, config.secondConnectionAfterMs, this.#stopped.signal).then(() => {
      if (!this.#stopped.signal.aborted) second?.start();
    });
  }

  /** Takes no more envelopes, waits for running handlers (at most `graceMs`), closes the connections. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped.abort();
    await within(this.#deps.clock, graceMs, Promise.allSettled(this.#inFlight));
    await Promise.all(this.#connections.map((connection) => connection.stop()));
  }

  /** How many connections can deliver envelopes right now. */
  get open(): number {
    return this.#connections.filter((connection) => connection.isOpen()).length;
  }

  /** The last attempt to connect, if it failed. */
  get failure(): SurfaceError | undefined {
    return this.#lastFailure;
  }

  #attempted(failure: SurfaceError | undefined): void {
    this.#lastFailure = failure;
    this.#firstAttempts?.(failure);
  }

  #receive(envelope: Envelope): void {
    if (this.#stopped.signal.aborted) {
      this.#deps.log.warn({ type: envelope.type }, 'an envelope came while stopping; it is left to others');
      return;
    }
    const work = this.#process(envelope).finally(() => this.#inFlight.delete(work));
    this.#inFlight.add(work);
  }

  async #process(envelope: Envelope): Promise<void> {
    const { log } = this.#deps;
    const ack = this.#onceOnly(envelope);
    // At once, in the tick of the frame: the next frame may already be Slack's goodbye.
    const early = ACKED_EMPTY.has(String(envelope.body['type'])) ? ack() : undefined;
    try {
      await this.#app?.processEvent({
        body: envelope.body,
        ack,
        ...(envelope.retry_num === undefined ? {} : { retryNum: envelope.retry_num }),
        ...(envelope.retry_reason === undefined ? {} : { retryReason: envelope.retry_reason }),
      });
    } catch (error) {
      log.error({ type: envelope.type, reason: sentenceOf(error) }, 'an envelope from Slack could not be handled');
    }
    // Nobody listened, or the listener failed first: without this the person would see a warning triangle.
    await (early ?? ack());
  }

  /** Acks the first time only, and never throws: a lost ack is logged, since what it answers for is recorded elsewhere. */
  #onceOnly(envelope: Envelope): (response?: unknown) => Promise<void> {
    const { log, clock, onAcknowledged } = this.#deps;
    const cameAt = clock.now();
    let sent: Promise<void> | undefined;
    return (response) => {
      sent ??= envelope.ack(response).then(
        () => onAcknowledged?.(Math.max(0, clock.now() - cameAt)),
        (error: unknown) => {
          log.warn({ type: envelope.type, reason: sentenceOf(error) }, 'an acknowledgement to Slack was lost');
        },
      );
      return sent;
    };
  }
}

/** Payloads whose acknowledgement says nothing. Forms and commands are answered by their listeners. */
const ACKED_EMPTY: ReadonlySet<string> = new Set(['block_actions', 'event_callback', 'view_closed']);

function silent(last: SurfaceError | undefined): HandraiseError {
  return new HandraiseError(`Slack did not accept a connection within ${START_MS / 1_000} s`, {
    code: 'unavailable',
    hint: last?.hint ?? 'Check the network, a proxy in between, and https://slack-status.com.',
    ...(last === undefined ? {} : { cause: last }),
  });
}
