/**
 * What one person would see. Everything here is plain JSON: a web page may draw it, a test may compare it.
 *
 * Text exists twice: `plain` (what one would read aloud: mentions resolved, markup gone) and `parts` (the same, with its
 * styles, for a page to draw).
 */
export interface Screen {
  readonly user: ScreenAuthor;
  readonly channel: {
    readonly id: string;
    readonly name: string;
    readonly kind: 'text' | 'thread' | 'dm';
    readonly archived: boolean;
  };
  /** Oldest first. A thread's messages are on the thread's own screen. */
  readonly messages: readonly ScreenMessage[];
  /** This user's open modal, if any. While there is one, only it can be touched. */
  readonly modals: readonly ScreenModal[];
}

export interface ScreenAuthor {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
}

export interface ScreenMessage {
  readonly id: string;
  readonly author: ScreenAuthor;
  /** Milliseconds since the epoch on the double's clock. */
  readonly at: number;
  /** What a lock screen shows: the content, or the text of the components. */
  readonly notification: string;
  readonly text: RenderedText;
  readonly embeds: readonly ScreenEmbed[];
  readonly components: readonly ScreenComponent[];
  /** Every control of `components`, in drawing order. */
  readonly controls: readonly ScreenControl[];
  readonly files: readonly ScreenFile[];
  readonly edited: boolean;
  /** "Only you can see this". Gone after the user reloads. */
  readonly ephemeral: boolean;
  /** "… is thinking": a deferred response that has not come. */
  readonly thinking: boolean;
  /** A deferred response that never came: "The application did not respond". */
  readonly failed: boolean;
  /** "Ana used /pending" above a response to a command. */
  readonly command?: string;
  /** A thread that was started on this message. */
  readonly thread?: {
    readonly id: string;
    readonly name: string;
    readonly messages: number;
    readonly archived: boolean;
  };
  /** "This interaction failed", by custom id: clicks of this user on this message that nobody answered. */
  readonly warnings: readonly ScreenWarning[];
  /** The yellow bar: this message pings the one who looks. */
  readonly pingsYou: boolean;
}

export interface ScreenWarning {
  readonly customId: string;
  readonly reason: UnackedReason;
}

/** `timeout`: no response in 3 s. `no_connection`: the app has no session, not even one that may RESUME. */
export type UnackedReason = 'timeout' | 'no_connection';

export interface ScreenModal {
  readonly customId: string;
  readonly title: string;
  readonly components: readonly ScreenComponent[];
  readonly controls: readonly ScreenControl[];
  /** What the client says under the inputs, by custom id. */
  readonly errors: Readonly<Record<string, string>>;
  /** "Something went wrong. Try again.": the last submit was not answered. */
  readonly trouble?: UnackedReason;
  /** A submit is on its way. */
  readonly busy: boolean;
}

export interface ScreenFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly content: string;
}

export interface ScreenEmbed {
  readonly title?: RenderedText;
  readonly description?: RenderedText;
  readonly fields: readonly { readonly name: RenderedText; readonly value: RenderedText }[];
  readonly footer?: string;
  readonly color?: number;
}

export type ScreenComponent =
  | { readonly type: 'text'; readonly text: RenderedText }
  | {
      readonly type: 'section';
      readonly texts: readonly RenderedText[];
      readonly accessory: ScreenControl | ScreenImage;
    }
  | {
      readonly type: 'container';
      readonly color?: number;
      readonly spoiler: boolean;
      readonly components: readonly ScreenComponent[];
    }
  | { readonly type: 'row'; readonly controls: readonly ScreenControl[] }
  | { readonly type: 'separator'; readonly divider: boolean; readonly large: boolean }
  | { readonly type: 'gallery'; readonly images: readonly ScreenImage[] }
  | { readonly type: 'file'; readonly name: string }
  /** An input of a modal with its label. */
  | {
      readonly type: 'label';
      readonly label: string;
      readonly description?: string;
      readonly control: ScreenControl;
      readonly error?: string;
    };

export interface ScreenImage {
  readonly kind: 'image';
  readonly url: string;
  readonly alt: string;
}

export interface ScreenControl {
  readonly kind: ControlKind;
  readonly customId: string;
  /** A button's label, a select's or input's placeholder. */
  readonly text: string;
  /** The label as drawn: a phone cuts buttons near 38 characters. */
  readonly shown: string;
  readonly style: 'primary' | 'secondary' | 'success' | 'danger' | 'link';
  readonly disabled: boolean;
  readonly url?: string;
  readonly value?: string;
  readonly options: readonly ScreenOption[];
  /** How many options one has to, and may choose. */
  readonly min: number;
  readonly max: number;
  readonly required: boolean;
  readonly multiline: boolean;
  readonly minLength: number;
  readonly maxLength: number;
}

export type ControlKind =
  | 'button'
  | 'string_select'
  | 'user_select'
  | 'role_select'
  | 'mentionable_select'
  | 'channel_select'
  | 'text_input'
  | 'radio_group'
  | 'checkbox_group'
  | 'checkbox'
  | 'file_upload';

export interface ScreenOption {
  readonly text: string;
  readonly description?: string;
  readonly value: string;
  readonly selected: boolean;
}

export interface RenderedText {
  readonly kind: 'text';
  readonly plain: string;
  readonly parts: readonly TextPart[];
}

export interface TextPart {
  readonly kind: 'paragraph' | 'preformatted' | 'quote' | 'bullet' | 'ordered' | 'heading' | 'subtext';
  readonly indent: number;
  /** The number of an `ordered` item, the level (1-3) of a `heading`. */
  readonly number?: number;
  readonly spans: readonly TextSpan[];
}

export interface TextSpan {
  readonly kind: 'text' | 'link' | 'user' | 'channel' | 'role' | 'broadcast' | 'command' | 'emoji' | 'date';
  /** As drawn: "@Ana", "#general", "in 5 minutes". */
  readonly text: string;
  readonly href?: string;
  readonly bold?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly spoiler?: true;
  readonly code?: true;
}
