import type { Clock } from '../clock.ts';
import type { ApiCall, Faults, Sockets } from './fault-types.ts';
import type { Guild } from './guild-types.ts';
import type { DiscordEvents, Mention, Violation } from './log-types.ts';
import type { Deliver, Operator } from './operator-types.ts';
import type { Screen } from './screen-model.ts';

export type * from './fault-types.ts';
export type * from './guild-types.ts';
export type * from './log-types.ts';
export type * from './operator-types.ts';
export type * from './screen-model.ts';

export interface DiscordDoubleOptions {
  /** Default: real time that `advance` can push forward. `createClock({ flow: false })` stands still between advances. */
  readonly clock?: Clock;
  readonly guild?: { readonly name?: string };
  /** `false` switches them off. */
  readonly rateLimits?: Partial<RateLimits> | false;
  /** Gateway behaviour. */
  readonly sockets?: Partial<SocketOptions>;
  /** Privileged intents that are switched on for the app, as a bit set; others are refused with 4014. Default none. */
  readonly privilegedIntents?: number;
  /** Also check every body against Discord's published description (a development dependency). Default true. */
  readonly spec?: boolean;
  /** TCP port on 127.0.0.1 for REST. Default 0: any free one. */
  readonly port?: number;
}

export interface RateLimits {
  /** Requests to one bucket (operation and channel), in `windowS` seconds. Default 5 in 5 s; Discord tells them in headers only. */
  readonly perBucket: number;
  readonly windowS: number;
  /** All requests but interaction responses, a second. Default 50. */
  readonly global: number;
  /** Edits of one message that is older than an hour, in an hour. Not published; default 30. */
  readonly oldEdits: number;
  /** 401, 403 and 429 in ten minutes before the address is banned. Default 10,000. */
  readonly invalidRequests: number;
  /** `perBucket` and `global` times this, for tests whose clock runs slower than the client's hurry. Default 1. */
  readonly multiplier: number;
}

export interface SocketOptions {
  /** Milliseconds between heartbeats as HELLO asks for. Default 41,250. */
  readonly heartbeatMs: number;
  /** `session_start_limit`: IDENTIFYs in 24 hours. Beyond it the token is reset. Default 1000. */
  readonly identifies: number;
  /** How many of them are used up already. Default 0. */
  readonly identifiesUsed: number;
  /** IDENTIFYs in 5 s. Discord: 1; another one gets op 9. Default 16, so that gateways may start together. */
  readonly maxConcurrency: number;
  /** How long after a lost connection RESUME is allowed. Not published; default 180 s on the clock. */
  readonly resumeWindowS: number;
  /** Milliseconds after READY until GUILD_CREATE. Default 0. */
  readonly guildDelayMs: number;
}

/** What the developer portal says of the application; a test may change it. */
export interface Portal {
  /** "Interactions Endpoint URL". Default null. */
  interactionsEndpoint: string | null;
  /** "Public Bot". Default false. */
  isPublic: boolean;
  /** Flags of the application. Default 0. */
  flags: number;
}

export interface DiscordDouble {
  /** `http://127.0.0.1:PORT/api`: discord.js appends `/v10`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly applicationId: string;
  readonly botUserId: string;
  readonly portal: Portal;
  readonly clock: Clock;
  /** The guild the app is installed in. */
  readonly guild: Guild;
  /** Another guild, in which the bot is only when `bot` says so. */
  addGuild(spec?: { readonly name?: string; readonly bot?: boolean }): Guild;
  /** Opens the direct message channel of somebody with the bot; returns its id. */
  openDm(userId: string): string;
  /** Makes the token invalid (401, close 4004); false repairs it. */
  breakToken(broken: boolean): void;
  readonly faults: Faults;
  readonly sockets: Sockets;
  readonly deliver: Deliver;
  /** Oldest first. Asserted to be empty at the end of a test. */
  readonly violations: readonly Violation[];
  /** Empties `violations` and returns what was in it: for tests that break a rule on purpose. */
  takeViolations(): Violation[];
  readonly calls: readonly ApiCall[];
  readonly mentions: readonly Mention[];
  /** 401, 403 and 429 answers of the last ten minutes, as Discord counts them towards a ban. */
  readonly invalidRequests: number;
  /** What `userId` sees of a channel, thread or direct message. Throws for somebody who cannot see it. */
  screen(userId: string, channelId: string): Screen;
  user(userId: string): Operator;
  on<K extends keyof DiscordEvents>(event: K, listener: (detail: DiscordEvents[K]) => void): () => void;
  /** The next such event. Rejects after `timeoutMs` of real time, default 20,000. */
  next<K extends keyof DiscordEvents>(
    event: K,
    match?: (detail: DiscordEvents[K]) => boolean,
    timeoutMs?: number,
  ): Promise<DiscordEvents[K]>;
  /**
   * Waits until `see` returns something other than undefined, false or null; asked again on every change of a screen.
   * Rejects after `timeoutMs` of real time (default 20,000) with a drawing of the screen.
   */
  until<T>(
    userId: string,
    channelId: string,
    see: (screen: Screen) => T | undefined | false | null,
    timeoutMs?: number,
  ): Promise<T>;
  /** Closes sockets and servers; pending interactions settle as `no_connection`. */
  close(): Promise<void>;
}
