import type { CardSeen, ChatPlatform, Person } from './history.ts';

/** Which of the two people of a room. */
export type Who = 'ana' | 'ben';

/** Something a person did; `settled` resolves when the platform got its response or gave up. */
export interface Done {
  readonly settled: Promise<{ readonly kind: string }>;
  /** The platform hands the same thing to the gateways once more. */
  again(): void;
}

/** One chat platform of a run: its look-alike with rooms in it, what people do there, and what can go wrong with it. */
export interface Chat {
  readonly platform: ChatPlatform;
  /** Tokens and addresses for the gateways. */
  readonly env: Readonly<Record<string, string>>;
  /** What a binding says of each room, in order. */
  readonly places: readonly Readonly<Record<string, { readonly channel: string }>>[];
  readonly people: readonly Person[];
  /** Throws when there is no such button on the card. */
  click(card: CardSeen, who: Who, label: string): Done;
  /** Opens the form for words of one's own, fills it in and sends it. Rejects when it does not open in time. */
  type(card: CardSeen, who: Who, text: string): Promise<void>;
  /** Closes whatever somebody has open. */
  reload(card: CardSeen, who: Who): void;
  /** By name; each returns false when there was nothing to do it to. `which` picks one of several. */
  readonly faults: Readonly<Record<string, (which: number, downMs: number) => unknown>>;
  /** Takes back what was armed and has not happened yet. */
  clearFaults(): void;
  /** Rules of the platform that were broken. */
  violations(): readonly string[];
  close(): Promise<void>;
}

export interface ChatOptions {
  readonly channels: number;
  readonly seed: number;
  /** The double's rate limits are counted on a clock this many times faster than the processes'. */
  readonly faster: number;
}

/** How long a form may take to open before a person gives up and starts again. */
export const FORM_MS = 3_000;
