import type { Clock } from '../../src/core/clock.ts';
import { sentenceOf } from '../../src/core/errors.ts';
import { pause } from '../../src/core/pause.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import type { Leaving, Link } from './link.ts';
import type { OpenBudget } from './open-budget.ts';

export interface ConnectionDependencies {
  readonly open: () => Link;
  readonly budget: OpenBudget;
  readonly clock: Clock;
  readonly log: Logger;
  /** 0 ≤ n < 1, for jitter. */
  readonly random: () => number;
  /** Told of every failure to connect and of every success (undefined). */
  readonly onAttempt: (failure: SurfaceError | undefined) => void;
}

const BACKOFF = { firstMs: 300, mostMs: 60_000 } as const;
/** A connection that lived this long was a good one: the next failure starts counting anew. */
const STEADY_MS = 10_000;
/** How long a refreshed connection may stay open beside its replacement; Slack closes it within seconds. */
const LINGER_MS = 30_000;

/**
 * Keeps one connection to Slack alive: opens it, replaces it before Slack ends it, opens another when it breaks. Every
 * rejection ends here, as a number in a log line and a longer pause.
 */
export class Connection {
  readonly #deps: ConnectionDependencies;
  readonly #stopping = new AbortController();
  readonly #stopped: Promise<undefined>;
  readonly #links = new Set<Link>();
  #failures = 0;
  #running: Promise<void> | undefined;

  constructor(deps: ConnectionDependencies) {
    this.#deps = deps;
    this.#stopped = new Promise((resolve) => {
      this.#stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
  }

  start(): void {
    this.#running ??= this.#run();
  }

  isOpen(): boolean {
    return [...this.#links].some((link) => link.isOpen());
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#links].map((link) => link.close()));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#deps.budget.take(signal);
      if (signal.aborted) return;
      const openedAt = this.#deps.clock.now();
      const link = await this.#connect();
      if (link === undefined) {
        await this.#backOff();
        continue;
      }
      const leaving = await Promise.race([link.leaving, this.#stopped]);
      if (leaving === undefined) return; // We are stopping.
      const lived = this.#deps.clock.now() - openedAt;
      this.#deps.log.info({ why: leaving.why, lived }, 'a Slack connection is being replaced');
      void this.#letGo(link, leaving);
      if (isOrderly(leaving)) this.#failures = 0;
      else await this.#afterLoss(lived);
    }
  }

  async #connect(): Promise<Link | undefined> {
    const { log, onAttempt, budget } = this.#deps;
    const link = this.#deps.open();
    this.#links.add(link);
    try {
      await link.greeted;
      onAttempt(undefined);
      return link;
    } catch (error) {
      this.#links.delete(link);
      const failure = error instanceof SurfaceError ? error : new SurfaceError(sentenceOf(error), UNKNOWN);
      if (failure.retryAfterMs !== undefined) budget.holdFor(failure.retryAfterMs);
      this.#failures += 1;
      log.warn({ code: failure.platformCode, failures: this.#failures }, 'a Slack connection could not be opened');
      onAttempt(failure);
      return undefined;
    }
  }

  /** A refreshed link goes on delivering until Slack closes it. `stop` closes those that linger. */
  async #letGo(link: Link, leaving: Leaving): Promise<void> {
    if (leaving.kind === 'refresh') await pause(this.#deps.clock, LINGER_MS);
    await link.close();
    this.#links.delete(link);
  }

  async #afterLoss(lived: number): Promise<void> {
    this.#failures = lived >= STEADY_MS ? 0 : this.#failures + 1;
    if (this.#failures > 0) await this.#backOff();
  }

  /** Full pause halves to whole, doubling with each failure. */
  #backOff(): Promise<void> {
    const { clock, random } = this.#deps;
    const most = Math.min(BACKOFF.mostMs, BACKOFF.firstMs * 2 ** Math.min(this.#failures - 1, 20));
    return pause(clock, most * (0.5 + random() / 2), this.#stopping.signal);
  }
}

const UNKNOWN = { platformCode: 'unknown' } as const;

/** Slack announced it and expects another connection at once; the other reasons mean that it does not want one now. */
function isOrderly({ kind, why }: Leaving): boolean {
  return kind === 'refresh' && (why === 'refresh_requested' || why === 'warning');
}
