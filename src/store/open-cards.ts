import type { JournalEntry } from '../core/ports/card-journal.ts';
import type { CardRef } from '../core/request.ts';

/** One unsettled thing: a card, or a place where one may hang. */
export interface OpenCard {
  readonly requestId: string;
  /** The card. Absent when the post was begun and its result is not known: look for it in `place`. */
  readonly card?: CardRef;
  readonly place: Pick<CardRef, 'platform' | 'channel'>;
}

/** Adds journal entries up to what is still open. */
export function createOpenCards(): { take(entry: JournalEntry): void; list(): readonly OpenCard[] } {
  const open = new Map<string, OpenCard>();
  return {
    take(entry) {
      const { requestId } = entry;
      switch (entry.kind) {
        case 'posting':
          open.set(postKey(requestId, entry.place), { requestId, place: entry.place });
          return;
        case 'not_posted':
          open.delete(postKey(requestId, entry.place));
          return;
        case 'posted': {
          const { platform, channel } = entry.card;
          open.delete(postKey(requestId, entry.card));
          open.set(cardKey(requestId, entry.card), { requestId, card: entry.card, place: { platform, channel } });
          return;
        }
        case 'settled':
          open.delete(cardKey(requestId, entry.card));
          return;
      }
    },
    list: () => [...open.values()],
  };
}

function postKey(requestId: string, place: Pick<CardRef, 'platform' | 'channel'>): string {
  return JSON.stringify(['post', requestId, place.platform, place.channel]);
}

function cardKey(requestId: string, card: CardRef): string {
  return JSON.stringify(['card', requestId, card.platform, card.workspaceId, card.channel, card.message]);
}
