import type { Clock } from '../../src/core/clock.ts';
import { HandraiseError, sentenceOf } from '../../src/core/errors.ts';
import { pause, within } from '../../src/core/pause.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { GatewayLink, type LinkOptions, type Sessions } from './gateway-link.ts';
import { IdentifyBudget } from './identify-budget.ts';
import type { DiscordWeb } from './web.ts';

export interface ConnectionOptions {
  readonly web: DiscordWeb;
  readonly token: string;
  readonly connectsLeftToOthers: number;
  readonly identifyEveryMs: number;
  readonly onEvent: LinkOptions['onEvent'];
  readonly clock: Clock;
  readonly log: Logger;
}

/** A run that asks somebody soon waits no longer than this for its first connection. */
const START_MS = 15_000;
/** How often the state of the connection is looked at, besides being told of changes. */
const LOOK_MS = 1_000;
/** A client that has not come back by itself after this long is replaced. */
const REPLACE_AFTER_MS = 20_000;
const BACKOFF = { firstMs: 1_000, mostMs: 60_000 } as const;
/** A refused token is tried again this much later: each try is one of the day's connects. */
const REFUSED_MS = 5 * 60_000;
/** A peer that never answers our close is left alone after this. */
const CLOSE_MS = 2_000;

/** Keeps a client connected: replaces one that is dead or does not come back, and resumes the session where it can. */
export class GatewayConnection {
  readonly #options: ConnectionOptions;
  readonly #sessions: Sessions = { byShard: new Map() };
  readonly #budget: IdentifyBudget;
  readonly #stopping = new AbortController();
  #link: GatewayLink | undefined;
  #isReady = false;
  #failure: SurfaceError | undefined;
  #changed: () => void = () => undefined;
  #running: Promise<void> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#budget = new IdentifyBudget(options.clock, options.identifyEveryMs);
  }

  /** Whether events arrive, as the shards themselves say. */
  isConnected(): boolean {
    return this.#isReady;
  }

  get failure(): SurfaceError | undefined {
    return this.#failure;
  }

  /** Resolves once events arrive. Throws the cure, with everything closed, when that takes too long or is refused. */
  async start(): Promise<void> {
    const link = this.#newLink();
    const { remaining, resetAfterMs } = await link.startLimit();
    if (remaining < Math.max(1, this.#options.connectsLeftToOthers)) throw fewConnects(remaining, resetAfterMs);
    try {
      await this.#firstReady(link);
    } catch (error) {
      await this.#letGo(link);
      throw error;
    }
    this.#running = this.#keep();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#isReady = false;
    await this.#running;
    if (this.#link !== undefined) await this.#letGo(this.#link);
  }

  #newLink(): GatewayLink {
    const { web, token, onEvent, log } = this.#options;
    const link: GatewayLink = new GatewayLink({
      web,
      token,
      sessions: this.#sessions,
      budget: this.#budget,
      onEvent,
      onChange: (failure) => {
        if (this.#link !== link) return;
        if (failure !== undefined) {
          log.warn({ code: failure.platformCode, reason: failure.message }, 'the Discord connection is interrupted');
        }
        this.#failure = failure;
        this.#isReady = failure === undefined;
        this.#changed();
      },
    });
    this.#link = link;
    return link;
  }

  async #firstReady(link: GatewayLink): Promise<void> {
    const { clock } = this.#options;
    const until = clock.now() + START_MS;
    link.open();
    while (!(await link.isReady())) {
      if (link.isDead || clock.now() >= until) throw notConnected(this.#failure);
      await this.#nextChange();
    }
    this.#isReady = true;
    this.#failure = undefined;
  }

  async #keep(): Promise<void> {
    const { clock, log } = this.#options;
    let goodAt = clock.now();
    let replaced = 0;
    while (!this.#stopping.signal.aborted) {
      await this.#nextChange();
      const link = this.#link;
      if (link === undefined || this.#stopping.signal.aborted) return;
      this.#isReady = await link.isReady();
      if (this.#isReady) {
        goodAt = clock.now();
        this.#failure = undefined;
        replaced = 0;
        continue;
      }
      if (!link.isDead && clock.now() - goodAt < REPLACE_AFTER_MS) continue;
      const pauseMs = link.isDead ? REFUSED_MS : Math.min(BACKOFF.mostMs, BACKOFF.firstMs * 2 ** replaced);
      log.warn({ code: this.#failure?.platformCode, pauseMs }, 'the Discord client is dead and is being replaced');
      await this.#letGo(link);
      await pause(clock, pauseMs, this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      replaced += 1;
      goodAt = clock.now();
      this.#newLink().open();
    }
  }

  /** The next change, or a second without one. */
  #nextChange(): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        this.#stopping.signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = clock.after(LOOK_MS, done);
      this.#stopping.signal.addEventListener('abort', done);
      this.#changed = done;
    });
  }

  async #letGo(link: GatewayLink): Promise<void> {
    const { clock, log } = this.#options;
    const closing = link.close().catch((error: unknown) => {
      log.debug({ reason: sentenceOf(error) }, 'a Discord client did not close cleanly');
    });
    await within(clock, CLOSE_MS, closing);
  }
}

function fewConnects(remaining: number, resetAfterMs: number): HandraiseError {
  const hours = Math.max(1, Math.ceil(resetAfterMs / 3_600_000));
  return new HandraiseError(`Discord lets this bot connect only ${remaining} more times today.`, {
    code: 'unavailable',
    hint: `Wait ${hours} h, or let runs share one connection through \`handraise gateway\` (docs/deploy.md).`,
  });
}

function notConnected(failure: SurfaceError | undefined): HandraiseError {
  return (
    failure ??
    new SurfaceError('Discord did not connect in time', {
      platformCode: 'not_connected',
      hint: 'Check the network, a proxy in between, and https://discordstatus.com.',
    })
  );
}
