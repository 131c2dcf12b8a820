import type { Clock } from '../clock.ts';
import type { ApiCall, Faults, Sockets } from './fault-types.ts';
import type { Mention, SlackEvents, Violation } from './log-types.ts';
import type { Deliver, Interaction, Operator } from './operator-types.ts';
import type { Screen } from './screen-model.ts';
import type { AddChannel, AddUser, AddUserGroup, ChannelRecord, GroupRecord, UserRecord } from './workspace-types.ts';

export type * from './fault-types.ts';
export type * from './log-types.ts';
export type * from './operator-types.ts';
export type * from './screen-model.ts';
export type * from './workspace-types.ts';

export interface SlackDoubleOptions {
  /** Default: real time that `advance` can push forward. `createClock({ flow: false })` stands still between advances. */
  readonly clock?: Clock;
  /** Seeds which connection gets which envelope. Default 1. */
  readonly seed?: number;
  /** The bot token's scopes. Default: those of handraise's manifest. */
  readonly scopes?: readonly string[];
  /** `false` switches them off. */
  readonly rateLimits?: Partial<RateLimits> | false;
  /** Socket Mode behaviour. */
  readonly sockets?: Partial<SocketOptions>;
  readonly workspace?: WorkspaceOptions;
  /** Events API types the app listens to. Default `app_home_opened`. */
  readonly subscribe?: readonly string[];
  /** TCP port on 127.0.0.1. Default 0: any free one. */
  readonly port?: number;
}

export interface WorkspaceOptions {
  readonly name?: string;
  /** Enterprise Grid: user ids start with W, payloads carry `enterprise`. `orgInstall` makes `team` null in payloads. */
  readonly grid?: { readonly name?: string; readonly orgInstall?: boolean };
}

export interface RateLimits {
  /** chat.postMessage to one channel, messages a second. Default 1. */
  readonly postPerSecondPerChannel: number;
  /** How many posts a channel takes at once before the rate counts. Slack leaves it undefined; default 5. */
  readonly burst: number;
  /** Calls a minute per method, by tier; a method may also use a minute's worth at once. Defaults 1, 20, 50, 100. */
  readonly tiers: Readonly<Record<1 | 2 | 3 | 4, number>>;
  /** What tier 1 takes at once (apps.connections.open). Default 4. */
  readonly tier1Burst: number;
  /** All rates times this, for tests whose clock runs faster than the client's. Default 1. */
  readonly multiplier: number;
}

export interface SocketOptions {
  /** Milliseconds of real time between the server's pings. Default 5000. */
  readonly pingEveryMs: number;
  /** Default 10, Slack's own. */
  readonly maxConnections: number;
  /** Answer 409 to an upgrade that comes within this many milliseconds of another. Default 0: off. */
  readonly conflictWithinMs: number;
  /** `debug_info.approximate_connection_time` in seconds. Default 18060. */
  readonly connectionTimeS: number;
  /** Send `disconnect: refresh_requested` after the connection time, on the clock. Default true. */
  readonly refresh: boolean;
}

export interface SlackDouble {
  /** `http://127.0.0.1:PORT/api/` */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly clock: Clock;
  readonly workspace: Workspace;
  readonly faults: Faults;
  readonly sockets: Sockets;
  readonly deliver: Deliver;
  /** Oldest first. Asserted to be empty at the end of a test. */
  readonly violations: readonly Violation[];
  /** Empties `violations` and returns what was in it: for tests that break a rule on purpose. */
  takeViolations(): Violation[];
  readonly calls: readonly ApiCall[];
  readonly mentions: readonly Mention[];
  /** What `userId` sees of `channelId`. Throws for somebody who cannot see that channel. */
  screen(userId: string, channelId: string): Screen;
  user(userId: string): Operator;
  on<K extends keyof SlackEvents>(event: K, listener: (detail: SlackEvents[K]) => void): () => void;
  /** The next such event. Rejects after `timeoutMs` of real time, default 20,000. */
  next<K extends keyof SlackEvents>(
    event: K,
    match?: (detail: SlackEvents[K]) => boolean,
    timeoutMs?: number,
  ): Promise<SlackEvents[K]>;
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
  /** Closes sockets and server; pending interactions settle as `no_connection`. */
  close(): Promise<void>;
}

export interface Workspace {
  readonly teamId: string;
  readonly name: string;
  readonly domain: string;
  readonly enterpriseId: string | null;
  readonly appId: string;
  readonly botId: string;
  readonly botUserId: string;
  addUser(user?: AddUser): UserRecord;
  addChannel(channel?: AddChannel): ChannelRecord;
  addUserGroup(group: AddUserGroup): GroupRecord;
  /** Adds somebody (also the bot) to a channel. */
  join(channelId: string, userId: string): void;
  leave(channelId: string, userId: string): void;
  /** Makes the bot token `invalid_auth` (or another code such as `token_revoked`, `account_inactive`); null repairs it. */
  breakToken(kind: 'bot' | 'app', error: string | null): void;
}

export type { Clock, Interaction };
