/** One REST request. */
export interface ApiCall {
  /** The operation, as Discord's own API description names it: `create_message`, `create_interaction_response`, … */
  readonly method: string;
  /** `POST /channels/1/messages`: without the query; tokens in it are cut. */
  readonly route: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly at: number;
  /** `webhook`: the token in the path of an interaction's webhook. */
  readonly token: 'bot' | 'webhook' | 'none' | 'unknown';
  /** HTTP status and `code` of the answer; undefined while it is being made or when it was dropped. */
  status?: number;
  ok?: boolean;
  error?: number;
  /** The effect took place (also when the answer was then dropped). */
  applied: boolean;
}

export interface Faults {
  /** For calls of `method` (`create_message`, `update_*`, `*`). Oldest matching fault first. */
  api(method: string, fault: ApiFault): FaultHandle;
  /** For connections opened (or frames sent) from now on. */
  socket(fault: SocketFault): FaultHandle;
  clear(): void;
}

export interface FaultHandle {
  /** How often it took effect. */
  readonly hits: number;
  remove(): void;
}

export type ApiFault = {
  /** How often. Default 1. */
  readonly times?: number;
  /** Let this many matching calls through first. Default 0. */
  readonly skip?: number;
  readonly match?: (call: ApiCall) => boolean;
} & (
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection is cut before anything happens. */
  | { readonly kind: 'drop' }
  /** The effect happens, the answer is lost. */
  | { readonly kind: 'apply_then_drop' }
  /** The effect happens, the answer is an HTTP error. */
  | { readonly kind: 'apply_then_status'; readonly status: number }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** HTTP 429. `retryAfter` in seconds, fractions allowed. Scope: default `user`. */
  | { readonly kind: 'rate_limited'; readonly retryAfter: number; readonly scope?: 'user' | 'global' | 'shared' }
  /** An error of Discord's own, with the status that belongs to it: 50001, 10062, … 0 with status 401 for a bad token. */
  | { readonly kind: 'error'; readonly code: number; readonly status?: number }
  /** The right body as text/html. */
  | { readonly kind: 'wrong_content_type' }
  /** Accepts the request and never answers (until close). */
  | { readonly kind: 'hang' }
);

export type SocketFault = {
  /** How many connections, or frames. Default 1. */
  readonly times?: number;
} /** The upgrade is answered with this HTTP status. */ & (
  | { readonly kind: 'refuse'; readonly status: 401 | 403 | 404 | 429 | 500 | 502 | 503 }
  | { readonly kind: 'no_hello' }
  /** Heartbeats are not acknowledged: a zombie. */
  | { readonly kind: 'no_acks' }
  /** IDENTIFY is answered by nothing. */
  | { readonly kind: 'no_ready' }
  /** The next IDENTIFY or RESUME is answered with op 9. */
  | { readonly kind: 'invalid_session'; readonly resumable: boolean }
  /** The next IDENTIFY or RESUME is answered by closing. */
  | { readonly kind: 'close'; readonly code: number }
  /** GUILD_CREATE is withheld: the guild stays unavailable. */
  | { readonly kind: 'no_guilds' }
  /** Never answers the client's close frame. */
  | { readonly kind: 'never_close' }
  /** A dispatch written twice, with the same sequence number. */
  | { readonly kind: 'duplicate' }
  /** Dispatches of this name (default: any) are put into the session but not on the wire: RESUME brings them. */
  | { readonly kind: 'withhold'; readonly event?: string }
  /** Each dispatch this much later, in real milliseconds. */
  | { readonly kind: 'latency'; readonly ms: number }
);

/** The gateway connections that are open now, and things done to them. Without an id: all of them. */
export interface Sockets {
  readonly open: readonly SocketInfo[];
  /** TCP connections of the gateway that exist, closing ones included. */
  readonly tcp: number;
  /** Sessions that live, connected or within the time RESUME is allowed. */
  readonly sessions: number;
  /** IDENTIFYs accepted so far. */
  readonly identifies: number;
  readonly resumes: number;
  /** Cut without a close frame. */
  kill(id?: string): void;
  /** Closes with a code: 4000 unknown error, 4004 authentication failed, 4009 timed out, 4014 disallowed intents, … */
  close(code: number, id?: string): void;
  /** Nothing in, nothing out, TCP stays up: a half-open connection. */
  blackhole(id?: string): void;
  /** Heartbeats are no longer acknowledged. */
  stopAcks(id?: string): void;
  /** Op 7: come back with RESUME. */
  reconnect(id?: string): void;
  /** Op 9. Not resumable: the session is gone, IDENTIFY again. */
  invalidate(resumable: boolean, id?: string): void;
  /** Forgets every session: RESUMEs will get op 9. Connections stay. */
  forget(): void;
  /** The whole gateway goes away: connections are cut, connecting is refused (ECONNREFUSED) until `up`. REST stays. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export interface SocketInfo {
  readonly id: string;
  readonly openedAt: number;
  /** After READY or RESUMED. */
  readonly ready: boolean;
  readonly sessionId: string | undefined;
  readonly intents: number;
}
