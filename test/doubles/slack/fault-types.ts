export interface ApiCall {
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly at: number;
  readonly token: 'bot' | 'app' | 'none' | 'unknown';
  /** HTTP status and `error` of the answer; undefined while it is being made or when it was dropped. */
  status?: number;
  ok?: boolean;
  error?: string;
  /** The effect took place (also when the answer was then dropped). */
  applied: boolean;
}

export interface Faults {
  /** For calls of `method` (`chat.postMessage`, `chat.*`, `*`, `response_url`, `upload`). Oldest matching fault first. */
  api(method: string, fault: ApiFault): FaultHandle;
  /** For connections opened (or messages sent) from now on. */
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
  /** HTTP 429 with `Retry-After: seconds`. */
  | { readonly kind: 'rate_limited'; readonly retryAfter: number }
  /** `{ok:false,error}` with HTTP 200. */
  | { readonly kind: 'error'; readonly error: string }
  /** The right body as text/html. */
  | { readonly kind: 'wrong_content_type' }
  /** Accepts the request and never answers (until close). */
  | { readonly kind: 'hang' }
);

export type SocketFault = {
  /** How many connections or envelopes. Default 1. */
  readonly times?: number;
} & (
  | { readonly kind: 'refuse'; readonly status: 401 | 403 | 404 | 408 | 409 | 500 | 503 }
  | { readonly kind: 'no_hello' }
  | { readonly kind: 'no_pings' }
  /** Pings sent by the client are not answered. */
  | { readonly kind: 'no_pongs' }
  | { readonly kind: 'delay_pongs'; readonly ms: number }
  /** Never answers the client's close frame. */
  | { readonly kind: 'never_close' }
  /** Envelopes in several small WebSocket fragments. */
  | { readonly kind: 'split' }
  /** Each envelope written twice. */
  | { readonly kind: 'duplicate' }
  /** Two envelopes are held and written in the other order. */
  | { readonly kind: 'reorder' }
  /** Each envelope this much later, in real milliseconds. */
  | { readonly kind: 'latency'; readonly ms: number }
);

/** The connections that are open now, and things done to them. Without an id: all of them. */
export interface Sockets {
  readonly open: readonly SocketInfo[];
  /** TCP connections of Socket Mode that exist, closing ones included. */
  readonly tcp: number;
  /** Cut without a close frame. */
  kill(id?: string): void;
  /** Nothing in, nothing out, TCP stays up: a half-open connection. */
  blackhole(id?: string): void;
  stopPings(id?: string): void;
  /** A `disconnect` frame; like Slack, closes the socket a moment later unless `close` is false. */
  disconnect(
    reason: 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets',
    opts?: { readonly id?: string; readonly close?: boolean },
  ): void;
  /** Refreshes one connection after the other, every `everyMs` real milliseconds, until the returned function is called. */
  rollingRefresh(everyMs: number): () => void;
}

export interface SocketInfo {
  readonly id: string;
  readonly openedAt: number;
  readonly greeted: boolean;
}
