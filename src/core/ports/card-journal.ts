import type { CardRef } from '../request.ts';

/** A line of the journal: a post about to happen, one that surely did not, a card that exists, one that is settled. */
export type JournalEntry =
  | {
      readonly kind: 'posting';
      readonly requestId: string;
      readonly sessionId: string;
      readonly place: Pick<CardRef, 'platform' | 'channel'>;
    }
  | {
      readonly kind: 'not_posted';
      readonly requestId: string;
      readonly place: Pick<CardRef, 'platform' | 'channel'>;
    }
  | { readonly kind: 'posted'; readonly requestId: string; readonly card: CardRef }
  | { readonly kind: 'settled'; readonly requestId: string; readonly card: CardRef };

/**
 * What an embedded run leaves behind about its cards, so that the next run can settle those of one that was killed.
 * `append` returns when the entry is written to the file (not necessarily synced: a machine that loses power loses
 * the agent, too). Throws when it cannot be written.
 */
export interface CardJournal {
  append(entry: JournalEntry): void;
}
