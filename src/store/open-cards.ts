import type { JournalEntry } from '../core/ports/card-journal.ts';
import type { CardRef } from '../core/request.ts';

/** One unsettled thing: a card, or a place where one may hang. */
export interface Abandoned {
  readonly requestId: string;
  readonly sessionId?: string;
  /** The card. Absent when the post was begun and its result is not known. */
  readonly card?: CardRef;
  /** Where to look for it then. */
  readonly place?: Pick<CardRef, 'platform' | 'channel'>;
}

/** Adds journal entries up to what is still open. */
export function createOpenCards(): { take(entry: JournalEntry): void; list(): readonly Abandoned[] } {
  const open = new Map<string, Abandoned>();
  const sessions = new Map<string, string>();
  return {
    take(entry) {
      const { requestId } = entry;
      switch (entry.kind) {
        case 'posting':
          sessions.set(requestId, entry.sessionId);
          open.set(postKey(requestId, entry.place), { requestId, sessionId: entry.sessionId, place: entry.place });
          return;
        case 'not_posted':
          open.delete(postKey(requestId, entry.place));
          return;
        case 'posted': {
          const sessionId = sessions.get(requestId);
          open.delete(postKey(requestId, entry.card));
          open.set(cardKey(requestId, entry.card), {
            requestId,
            ...(sessionId === undefined ? {} : { sessionId }),
            card: entry.card,
          });
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
