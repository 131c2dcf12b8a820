import { type SessionInfo, WebSocketManager, WebSocketShardEvents, WebSocketShardStatus } from '@discordjs/ws';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { cureOfClose, FATAL_CLOSES } from './cures.ts';
import { surfaceError } from './errors.ts';
import type { IdentifyBudget } from './identify-budget.ts';
import type { DiscordWeb } from './web.ts';

/** What the links of one adapter share: a session outlives the link it began on, so that a new one can resume it. */
export interface Sessions {
  readonly byShard: Map<number, SessionInfo>;
}

export interface LinkOptions {
  readonly web: DiscordWeb;
  readonly token: string;
  readonly sessions: Sessions;
  readonly budget: IdentifyBudget;
  readonly onEvent: (event: { readonly t: string; readonly d: unknown }) => void;
  /** Something about the connection changed; `failure` says why, when it was not for the better. */
  readonly onChange: (failure: SurfaceError | undefined) => void;
}

/** How many connects are left, as Discord says at the start. */
export interface StartLimit {
  readonly remaining: number;
  readonly resetAfterMs: number;
}

/**
 * One client of discord.js' gateway library, from its first connect to its end. It reconnects and resumes by itself; a
 * dead one is thrown away by `GatewayConnection`. Events that come after `close` are dropped.
 */
export class GatewayLink {
  readonly #manager: WebSocketManager;
  readonly #options: LinkOptions;
  #isClosed = false;
  #isFatal = false;

  constructor(options: LinkOptions) {
    const { web, token, sessions, budget } = options;
    this.#options = options;
    this.#manager = new WebSocketManager({
      token,
      // Interactions come without any intent, and nothing else is wanted.
      intents: 0,
      rest: web.rest,
      retrieveSessionInfo: (shard) => sessions.byShard.get(shard) ?? null,
      updateSessionInfo(shard, info) {
        if (info === null) sessions.byShard.delete(shard);
        else sessions.byShard.set(shard, info);
      },
      buildIdentifyThrottler: () => budget,
      handshakeTimeout: HANDSHAKE_MS,
      helloTimeout: HELLO_MS,
      readyTimeout: READY_MS,
    });
    this.#listen();
  }

  /** No connect is spent by asking. Throws `SurfaceError`. */
  async startLimit(): Promise<StartLimit> {
    try {
      const told = await this.#manager.fetchGatewayInformation();
      const { remaining, reset_after: resetAfterMs } = told.session_start_limit;
      return { remaining, resetAfterMs };
    } catch (thrown) {
      throw surfaceError(thrown, 'the address of its gateway');
    } finally {
      this.#options.web.restoreToken();
    }
  }

  /** Begins to connect. What becomes of it is told by `onChange` and `isReady`. */
  open(): void {
    this.#manager.connect().catch((thrown: unknown) => this.#change(surfaceError(thrown, 'a connection')));
  }

  /** Whether it cannot recover by itself: Discord closed it for good. */
  get isDead(): boolean {
    return this.#isFatal;
  }

  async isReady(): Promise<boolean> {
    if (this.#isClosed || this.#isFatal) return false;
    const statuses = [...(await this.#manager.fetchStatus()).values()];
    return statuses.length > 0 && statuses.every((status) => status === WebSocketShardStatus.Ready);
  }

  /** Says goodbye to Discord, which ends the session. Does not wait for a peer that never answers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#manager.destroy();
  }

  #listen(): void {
    const manager = this.#manager;
    manager.on(WebSocketShardEvents.Dispatch, ({ data }) => {
      if (!this.#isClosed) this.#options.onEvent(data);
    });
    manager.on(WebSocketShardEvents.Ready, () => this.#change(undefined));
    manager.on(WebSocketShardEvents.Resumed, () => this.#change(undefined));
    manager.on(WebSocketShardEvents.Closed, ({ code }) => {
      const fatal = FATAL_CLOSES.has(code);
      this.#isFatal ||= fatal;
      this.#change(
        new SurfaceError(`Discord closed the connection (${code})`, {
          platformCode: `close_${code}`,
          permanent: fatal,
          ...(fatal ? { hint: cureOfClose(code) } : {}),
        }),
      );
    });
    manager.on(WebSocketShardEvents.Error, ({ error }) => {
      if (!this.#isFatal) this.#change(surfaceError(error, 'its connection'));
    });
  }

  #change(failure: SurfaceError | undefined): void {
    if (!this.#isClosed) this.#options.onChange(failure);
  }
}

const HANDSHAKE_MS = 10_000;
const HELLO_MS = 10_000;
const READY_MS = 15_000;
