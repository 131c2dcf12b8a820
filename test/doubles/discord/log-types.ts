import type { ApiCall } from './fault-types.ts';

/** A rule of the platform that the client broke. Discord's answer says so too; this list is for the end of a test. */
export interface Violation {
  readonly at: number;
  /** A REST operation (`create_message`), `gateway` or `interaction`. */
  readonly method: string;
  /** JSON pointer into what the client sent; '' for the whole. */
  readonly pointer: string;
  /** Discord's error code (`BASE_TYPE_BAD_LENGTH`, `40060`) or a rule's name, e.g. `unanswered`, `answered_twice`. */
  readonly rule: string;
  readonly message: string;
}

/** A mention or link that took effect in something the bot sent: agent text must never make one. */
export interface Mention {
  readonly kind: 'user' | 'role' | 'everyone' | 'here' | 'channel' | 'command' | 'link';
  /** User, role, channel or command id, or the URL. */
  readonly target: string;
  readonly label?: string;
  /** Somebody's phone rang: `allowed_mentions` let it, and the message is no edit. */
  readonly pinged: boolean;
  readonly pointer: string;
  readonly channel: string;
  readonly message: string;
}

export interface DiscordEvents {
  /** Anything that may change somebody's screen. */
  change: { readonly channel?: string; readonly user?: string };
  post: { readonly channel: string; readonly id: string; readonly text: string };
  update: { readonly channel: string; readonly id: string };
  delete: { readonly channel: string; readonly id: string };
  ephemeral: { readonly channel: string; readonly id: string; readonly user: string; readonly text: string };
  /** A modal of `user` was opened, or is gone. */
  modal: { readonly user: string; readonly customId: string; readonly how: 'open' | 'close' };
  mention: Mention;
  violation: Violation;
  /** A REST call was answered (or dropped). */
  call: ApiCall;
  /** A dispatch was written to a connection. */
  frame: { readonly event: string; readonly sequence: number; readonly connection: string };
  /** The first response to an interaction; `type` is the callback's (4, 5, 6, 7, 9, …). */
  ack: { readonly interactionId: string; readonly type: number };
  unacked: { readonly interactionId: string };
  /** A gateway connection was opened, closed or refused; `open` counts those that are open now. */
  socket: { readonly connection: string; readonly state: 'open' | 'closed' | 'refused'; readonly open: number };
  /** A session became usable. */
  ready: { readonly connection: string; readonly how: 'identify' | 'resume'; readonly replayed: number };
}
