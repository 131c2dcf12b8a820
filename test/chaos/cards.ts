import { type CardLook, type CardSeen, keyIn } from './history.ts';

/** Every card of every channel, as somebody saw it over time. */
export interface Cards {
  all(): readonly CardSeen[];
  onNew(listener: (card: CardSeen) => void): void;
  /** Somebody looked at a message; one that is no card, or looks as before, changes nothing. */
  see(place: Omit<CardSeen, 'key' | 'looks'>, look: Omit<CardLook, 'at'>): void;
}

export function createCards(): Cards {
  const cards = new Map<string, CardSeen & { readonly looks: CardLook[] }>();
  const listeners: ((card: CardSeen) => void)[] = [];
  return {
    all: () => [...cards.values()],
    onNew: (listener) => void listeners.push(listener),
    see(place, seen) {
      const id = [place.platform, place.channel, place.message].join(' ');
      const known = cards.get(id);
      const key = known?.key ?? keyIn(seen.says);
      if (key === undefined) return;
      const card = known ?? { key, ...place, looks: [] };
      const last = card.looks.at(-1);
      if (last?.tag !== seen.tag || last.says !== seen.says || last.isLive !== seen.isLive) {
        card.looks.push({ at: Date.now(), ...seen });
      }
      if (known !== undefined) return;
      cards.set(id, card);
      for (const tell of listeners) tell(card);
    },
  };
}

/** What one reads of anything that either double draws. */
export function wordsOf(drawn: unknown): string {
  const found: string[] = [];
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if ('plain' in value && typeof value.plain === 'string') found.push(value.plain);
    else for (const inner of Object.values(value)) walk(inner);
  };
  walk(drawn);
  return found.join('\n');
}

/** `[answered by Ana]`: the state in the line of a lock screen, and who is named in it. */
export function tagIn(notification: string): { readonly tag: string; readonly by?: string } | undefined {
  const [, tag, by] = /^\[([^\]]+?)(?: by ([^\]]*))?\]/.exec(notification) ?? [];
  if (tag === undefined) return undefined;
  return { tag, ...(by === undefined ? {} : { by }) };
}

/** Whether an open form asks for words about this card: one that opened late may be about another. */
export function isFormFor({ key }: CardSeen, form: object | undefined): boolean {
  return form !== undefined && keyIn(JSON.stringify(form)) === key;
}
