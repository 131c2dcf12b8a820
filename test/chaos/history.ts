/**
 * What a run looked like from the outside: what agents asked and got, what people clicked, what the screens showed, and
 * the audit in Redis. Nothing in it is the word of the code under test about itself but the audit, which is checked
 * against the rest. Times are milliseconds since the epoch, of one machine.
 */
export interface History {
  readonly asked: readonly Asked[];
  readonly received: readonly Received[];
  readonly clicked: readonly Clicked[];
  readonly cards: readonly CardSeen[];
  readonly audit: readonly AuditSeen[];
  readonly people: readonly Person[];
  /** Process starts of owners that were killed, by name. */
  readonly killed: ReadonlySet<string>;
}

export const CHAT_PLATFORMS = ['slack', 'discord'] as const;
export type ChatPlatform = (typeof CHAT_PLATFORMS)[number];

/** Somebody on one platform; cards of the other one name them with it. */
export interface Person {
  readonly platform: ChatPlatform;
  readonly id: string;
  readonly name: string;
}

/** An agent's call, noted before it was made. */
export interface Asked {
  /** Names the question; it stands in its text and in every option, and is the call's tool-use id. */
  readonly key: string;
  /** The process start of the owner that asked. */
  readonly owner: string;
  readonly at: number;
}

/** What an agent got, noted before its bridge confirmed it. */
export interface Received {
  readonly key: string;
  readonly owner: string;
  readonly text: string;
  readonly isError: boolean;
  readonly at: number;
}

/** A choice that a person made, once for each click or submit, however often it was delivered. */
export interface Clicked {
  readonly key: string;
  readonly label: string;
  readonly at: number;
}

/** A message with buttons, or that had some, and how it looked over time. */
export interface CardSeen {
  readonly key: string;
  readonly platform: ChatPlatform;
  /** `pointer`: on Discord, the line in the channel that leads to a card in a thread. */
  readonly part: 'card' | 'pointer';
  readonly channel: string;
  readonly thread?: string;
  readonly message: string;
  readonly looks: readonly CardLook[];
}

export interface CardLook {
  readonly at: number;
  /** What the card says about its state; `question` while it is open. */
  readonly tag: string;
  /** Who is named as having decided. */
  readonly by?: string;
  /** All that can be read on it. */
  readonly says: string;
  /** It has buttons. */
  readonly isLive: boolean;
}

/** What is read of an audit row. */
export interface AuditSeen {
  readonly at: number;
  readonly event: string;
  readonly requestId: string;
  readonly pendingId?: string | undefined;
  readonly outcome?: string | undefined;
  readonly picks?: readonly string[] | undefined;
  readonly actor?: { readonly userId: string } | undefined;
}

/** The options of a question, in order. */
export function optionsOf(key: string): readonly [string, string, string] {
  return [`North ${key}`, `South ${key}`, `East ${key}`];
}

/** What people type who want none of the options. */
export function typedFor(key: string): string {
  return `Elsewhere ${key}`;
}

export function questionOf(key: string): string {
  return `Which way for ${key}?`;
}

/** The key in something that was read; undefined where there is none. */
export function keyIn(text: string): string | undefined {
  return /\bq\d+\b/.exec(text)?.[0];
}
