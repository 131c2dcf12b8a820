import type { Screen, UnackedReason } from './screen-model.ts';

/** One thing a person did, on its way to the app. */
export interface Interaction {
  readonly id: string;
  readonly token: string;
  /** `message_component`, `modal_submit`, `application_command`, or `none` for what never left the client. */
  readonly type: string;
  /** The data of INTERACTION_CREATE, as it was sent. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Resolves when the app has responded or when Discord gives up; never rejects. */
  readonly settled: Promise<InteractionResult>;
}

export type InteractionResult =
  /** `type` is the callback's: 4 message, 5 deferred message, 6 deferred update, 7 update, 9 modal. */
  | { readonly kind: 'acked'; readonly type: number; readonly afterMs: number }
  | { readonly kind: 'unacked'; readonly reason: UnackedReason }
  /** Never sent: the client itself showed errors (a required field is empty). */
  | { readonly kind: 'kept'; readonly errors: Readonly<Record<string, string>> };

/** What to touch. Text and customId match exactly when strings. Exactly one control on the screen must fit. */
export interface Target {
  /** Required outside modals. A channel, thread or direct message. */
  readonly channel?: string;
  /** The message's id, or something in its text. Default: any message of the channel. */
  readonly message?: string | RegExp;
  readonly customId?: string | RegExp;
  /** A button's label, an input's label, a select's placeholder. */
  readonly label?: string | RegExp;
  /** `other_device`: messages, though a modal covers them on this one. Default: what is in front. */
  readonly where?: 'front' | 'other_device';
}

/**
 * A person. Each method throws an Error that lists what is on the screen when the person could not do that, and writes
 * its frame before it returns: two clicks in one tick are both on the wire before either response is read.
 */
export interface Operator {
  readonly id: string;
  screen(channelId: string): Screen;
  click(target: Target): Interaction;
  /** Picks options by text or value. In a message it is sent at once; in a modal it only fills in (undefined). */
  select(target: Target, options: string | readonly string[]): Interaction | undefined;
  /** Replaces what an input of the modal holds. Throws for text longer than its `max_length`, as a client refuses the keys. */
  type(target: Target, text: string): void;
  /** Submits the open modal. */
  submit(): Interaction;
  /** Closes the open modal; the app is told nothing. */
  closeModal(): void;
  /** Uses a slash command in a channel: `/pending`. Throws when the app has not registered it. */
  command(channelId: string, name: string): Interaction;
  /** Writes a message; returns its id. */
  say(channelId: string, text: string): string;
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
  /** Any dispatch, to every session (or one connection), whatever its intents. */
  dispatch(event: string, data: unknown, opts?: { readonly connection?: string }): void;
  /** The same interaction once more: same id, same token, a new sequence number, as a RESUME replays it. */
  again(interaction: Interaction, opts?: { readonly connection?: string }): void;
  /** A click nobody could have made: unknown or foreign custom ids, other users, deleted messages. */
  action(action: ForgedAction): Interaction;
  /** A modal's submission nobody could have made: by somebody else than whom it was opened for. */
  submission(submission: ForgedSubmission): Interaction;
}

export interface ForgedSubmission extends Omit<ForgedAction, 'values'> {
  /** What its text inputs hold, by custom id. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface ForgedAction {
  readonly user: string;
  readonly channel: string;
  /** The message's id; it need not exist. */
  readonly message: string;
  readonly customId: string;
  /** Of a string select. Default: a button. */
  readonly values?: readonly string[];
  /** Merged over the payload last: foreign guilds, missing fields. */
  readonly override?: Readonly<Record<string, unknown>>;
}
