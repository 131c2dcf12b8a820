import type { ApiCall } from './fault-types.ts';

/** A rule of the platform that the client broke. Slack's answer says so too; this list is for the end of a test. */
export interface Violation {
  readonly at: number;
  /** A Web API method, `ack:<envelope type>`, `socket`, `response_url` or `upload`. */
  readonly method: string;
  /** JSON pointer into what the client sent; '' for the whole. */
  readonly pointer: string;
  /** Slack's error code or a rule's name, e.g. `invalid_blocks`, `ack_not_empty`. */
  readonly rule: string;
  readonly message: string;
}

/** A mention or link that took effect in something the bot sent: agent text must never make one. */
export interface Mention {
  readonly kind: 'user' | 'channel' | 'here' | 'everyone' | 'group' | 'channel_link' | 'link' | 'special';
  /** User, group or channel id, or the URL. */
  readonly target: string;
  readonly label?: string;
  readonly method: string;
  readonly pointer: string;
  readonly channel?: string;
  readonly ts?: string;
}

export interface SlackEvents {
  /** Anything that may change somebody's screen. */
  change: { readonly channel?: string; readonly user?: string };
  post: { readonly channel: string; readonly ts: string; readonly threadTs?: string; readonly text: string };
  update: { readonly channel: string; readonly ts: string };
  delete: { readonly channel: string; readonly ts: string };
  ephemeral: { readonly channel: string; readonly ts: string; readonly user: string; readonly text: string };
  /** A modal or Home view of `user` was opened, pushed, updated or published. */
  view: {
    readonly user: string;
    readonly viewId: string;
    readonly how: 'open' | 'push' | 'update' | 'publish' | 'close';
  };
  mention: Mention;
  violation: Violation;
  /** A Web API call was answered (or dropped). */
  call: ApiCall;
  /** An envelope was written to a connection. */
  frame: { readonly envelopeId: string; readonly type: string; readonly connection: string };
  ack: { readonly envelopeId: string; readonly type: string; readonly connection: string; readonly payload: unknown };
  unacked: { readonly envelopeId: string; readonly type: string };
  /** A WebSocket was opened or closed; `open` counts those that are open now. */
  socket: { readonly connection: string; readonly state: 'open' | 'closed' | 'refused'; readonly open: number };
}
