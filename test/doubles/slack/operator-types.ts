import type { Screen, UnackedReason } from './screen-model.ts';

/** One thing a person did, on its way to the app. */
export interface Interaction {
  readonly envelopeId: string;
  /** `block_actions`, `view_submission`, `view_closed`, `event_callback`, … */
  readonly type: string;
  /** The envelope's payload, as it was sent. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Resolves when it is acknowledged or when Slack gives up; never rejects. */
  readonly settled: Promise<InteractionResult>;
}

export type InteractionResult =
  | { readonly kind: 'acked'; readonly connection: string; readonly payload: unknown; readonly afterMs: number }
  | { readonly kind: 'unacked'; readonly reason: UnackedReason }
  /** Never sent: the client itself showed errors (a required field is empty), or the person chose "deny" in a confirm. */
  | { readonly kind: 'kept'; readonly errors: Readonly<Record<string, string>> };

/** What to touch. Text and actionId match exactly when strings. Exactly one control on the screen must fit. */
export interface Target {
  /** Required outside modals. */
  readonly channel?: string;
  /** The message's ts, or something in its text. Default: any message of the channel. */
  readonly message?: string | RegExp;
  readonly block?: string | RegExp;
  readonly action?: string | RegExp;
  /** A button's text, an input's label, a select's placeholder. */
  readonly label?: string | RegExp;
  /** What to answer when the control asks for confirmation. Without it such a click throws. */
  readonly confirm?: boolean;
  /** `home`: the Home tab. `other_device`: messages, though a modal covers them on this one. Default: what is in front. */
  readonly where?: 'front' | 'home' | 'other_device';
}

/**
 * A person. Each method throws an Error that lists what is on the screen when the person could not do that, and writes
 * its frame before it returns: two clicks in one tick are both on the wire before either ack is read.
 */
export interface Operator {
  readonly id: string;
  screen(channelId: string): Screen;
  click(target: Target): Interaction;
  /** Picks options by text or value: one for selects, radio buttons and overflow, any number for multi-selects and checkboxes. */
  select(target: Target, options: string | readonly string[]): Interaction | undefined;
  /** Replaces what an input holds. Throws for text longer than its `max_length`, as a client refuses the keys. */
  type(target: Target, text: string): void;
  /** Submits the modal in front. */
  submit(): Interaction;
  /** Closes the modal in front; `all` closes the stack. The view_closed interaction, if one was asked for. */
  closeModal(how?: 'one' | 'all'): Interaction | undefined;
  /** Opens the Home tab: `app_home_opened`. */
  openHome(): Interaction;
  /** Writes a message; returns its ts. `message` events reach the app if `subscribe` names them. */
  say(channelId: string, text: string, opts?: { readonly threadTs?: string }): string;
  /** Reloads the client: ephemeral messages and modals are gone. */
  reload(): void;
  /** Keeps the screen as it is now: clicks on it work however the message has changed since. */
  stale(channelId: string): StaleScreen;
}

export interface StaleScreen {
  readonly screen: Screen;
  click(target: Omit<Target, 'channel' | 'where'>): Interaction;
}

/** Injection past every check of what is on a screen. */
export interface Deliver {
  /** Any envelope. `connection` names the socket (default: one at random), `envelopeId` allows repeating one. */
  envelope(
    type: 'events_api' | 'interactive' | 'slash_commands',
    payload: Readonly<Record<string, unknown>>,
    opts?: DeliverOptions,
  ): Interaction;
  /** An Events API event in its `event_callback` wrapper, retried (0, 60 s, 300 s on the clock) until acknowledged. */
  event(event: Readonly<Record<string, unknown>>, opts?: DeliverOptions & { readonly eventId?: string }): Interaction;
  /** The same envelope once more: same ids, same payload. */
  again(interaction: Interaction, opts?: DeliverOptions): Interaction;
  /** A button click nobody could have made: unknown or foreign action ids, other users, deleted messages. */
  action(action: ForgedAction): Interaction;
}

export interface DeliverOptions {
  readonly connection?: string;
  readonly envelopeId?: string;
  readonly retryAttempt?: number;
  readonly retryReason?: string;
}

export interface ForgedAction {
  readonly user: string;
  readonly channel: string;
  /** The message's ts; one that does not exist gives a payload without message text and blocks. */
  readonly ts: string;
  readonly actionId: string;
  readonly blockId?: string;
  readonly value?: string;
  /** Merged over the payload last: foreign teams, missing fields. */
  readonly override?: Readonly<Record<string, unknown>>;
}
