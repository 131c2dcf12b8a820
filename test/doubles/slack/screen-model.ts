/**
 * What one person would see. Everything here is plain JSON: a web page may draw it, a test may compare it.
 *
 * Text exists twice: `plain` (what one would read aloud: mentions resolved, emoji drawn, markup gone) and `parts`
 * (the same, with its styles, for a page to draw).
 */
export interface Screen {
  readonly user: ScreenAuthor;
  readonly channel: { readonly id: string; readonly name: string; readonly isPrivate: boolean };
  /** Channel order, oldest first. Thread replies are inside their parent's `replies`; broadcast ones stand here too. */
  readonly messages: readonly ScreenMessage[];
  /** This user's open modals, bottom first. While there is one, only the last can be touched. */
  readonly modals: readonly ScreenModal[];
  /** The app's Home tab as published to this user. */
  readonly home?: ScreenHome;
}

export interface ScreenAuthor {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
}

export interface ScreenMessage {
  readonly ts: string;
  /** The parent's ts, for replies only. */
  readonly threadTs?: string;
  readonly author: ScreenAuthor;
  /** Milliseconds since the epoch on the double's clock. */
  readonly at: number;
  /** What a lock screen or notification shows: the top-level `text`, or the blocks' text when it is empty. */
  readonly notification: string;
  /** The message's own text; drawn only when there are no blocks. */
  readonly text: RenderedText;
  readonly blocks: readonly ScreenBlock[];
  /** Every live control of `blocks`, in drawing order. */
  readonly controls: readonly ScreenControl[];
  readonly files: readonly ScreenFile[];
  readonly edited: boolean;
  /** "Only visible to you". Gone after the user reloads. */
  readonly ephemeral: boolean;
  /** A thread reply that was also sent to the channel (`reply_broadcast`), in both places. */
  readonly broadcast: boolean;
  /** A parent that was deleted while it had replies: "This message was deleted." */
  readonly tombstone: boolean;
  /** Warning triangles: clicks of this user on this message that nobody acknowledged. */
  readonly warnings: readonly ScreenWarning[];
  readonly replies: readonly ScreenMessage[];
}

export interface ScreenWarning {
  readonly actionId: string;
  readonly blockId: string;
  /** `timeout`: no ack in 3 s. `no_connection`: the app had no open socket. `connection_lost`: it closed before the ack. */
  readonly reason: UnackedReason;
}

export type UnackedReason = 'timeout' | 'no_connection' | 'connection_lost' | 'bad_ack';

export interface ScreenModal {
  readonly viewId: string;
  readonly callbackId: string;
  readonly externalId?: string;
  readonly title: string;
  /** The submit button's text; absent when the modal has none. */
  readonly submit?: string;
  readonly close: string;
  readonly blocks: readonly ScreenBlock[];
  readonly controls: readonly ScreenControl[];
  /** Error sentences under the inputs, by block id. */
  readonly errors: Readonly<Record<string, string>>;
  /** "We had some trouble connecting. Try again?": the last submit was not acknowledged well. */
  readonly trouble?: UnackedReason;
  /** A submit is on its way. */
  readonly busy: boolean;
}

export interface ScreenHome {
  readonly viewId: string;
  readonly blocks: readonly ScreenBlock[];
  readonly controls: readonly ScreenControl[];
}

export interface ScreenFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly size: number;
  readonly content: string;
}

export type ScreenBlock = { readonly blockId: string } & (
  | { readonly type: 'header'; readonly text: RenderedText }
  | {
      readonly type: 'section';
      readonly text?: RenderedText;
      readonly fields: readonly RenderedText[];
      readonly accessory?: ScreenControl | ScreenImage;
      /** Long text that a client folds behind "See more" (no `expand: true`). `plain` still holds all of it. */
      readonly folds: boolean;
    }
  | { readonly type: 'context'; readonly elements: readonly (RenderedText | ScreenImage)[] }
  | { readonly type: 'actions'; readonly controls: readonly ScreenControl[] }
  | {
      readonly type: 'input';
      readonly label: RenderedText;
      readonly hint?: RenderedText;
      readonly optional: boolean;
      readonly control: ScreenControl;
      readonly error?: string;
    }
  | { readonly type: 'rich_text'; readonly text: RenderedText }
  | { readonly type: 'markdown'; readonly text: RenderedText }
  | { readonly type: 'image'; readonly image: ScreenImage; readonly title?: RenderedText }
  | { readonly type: 'table'; readonly rows: readonly (readonly RenderedText[])[] }
  | { readonly type: 'divider' }
);

export interface ScreenImage {
  readonly kind: 'image';
  readonly url: string;
  readonly alt: string;
}

export interface ScreenControl {
  readonly kind: ControlKind;
  readonly blockId: string;
  readonly actionId: string;
  /** A button's whole label, a select's or input's placeholder. */
  readonly text: string;
  /** The label as drawn: clients cut buttons near 30 characters, options at 75. */
  readonly shown: string;
  readonly style: 'default' | 'primary' | 'danger';
  readonly url?: string;
  readonly value?: string;
  readonly confirm?: ScreenConfirm;
  readonly options: readonly ScreenOption[];
  readonly multiline: boolean;
  readonly minLength: number;
  readonly maxLength: number;
}

export type ControlKind =
  | 'button'
  | 'static_select'
  | 'multi_static_select'
  | 'radio_buttons'
  | 'checkboxes'
  | 'overflow'
  | 'plain_text_input';

export interface ScreenConfirm {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly deny: string;
  readonly style: 'primary' | 'danger';
}

export interface ScreenOption {
  readonly text: string;
  readonly description?: string;
  readonly value: string;
  readonly selected: boolean;
  /** The option group's label. */
  readonly group?: string;
}

export interface RenderedText {
  readonly kind: 'text';
  readonly plain: string;
  readonly parts: readonly TextPart[];
}

export interface TextPart {
  readonly kind: 'paragraph' | 'preformatted' | 'quote' | 'bullet' | 'ordered';
  readonly indent: number;
  /** The number of an `ordered` item. */
  readonly number?: number;
  readonly spans: readonly TextSpan[];
}

export interface TextSpan {
  readonly kind: 'text' | 'link' | 'user' | 'channel' | 'group' | 'broadcast' | 'emoji' | 'date';
  /** As drawn: "@Ana", "#general", "👋". */
  readonly text: string;
  readonly href?: string;
  readonly bold?: true;
  readonly italic?: true;
  readonly strike?: true;
  readonly code?: true;
}
