import type { Random } from '../doubles/slack/random.ts';
import type { Cards } from './cards.ts';
import type { Chat, Done, Who } from './chat.ts';
import { type CardSeen, type ChatPlatform, type Clicked, optionsOf, typedFor } from './history.ts';

export interface People {
  readonly clicked: readonly Clicked[];
  /** `rivals`: the other person of the room clicked at the same moment; `acrossRivals`: on the other platform's card. */
  readonly counts: {
    clicks: number;
    repeats: number;
    duplicates: number;
    rivals: number;
    acrossRivals: number;
    typed: number;
    /** First clicks that no gateway responded to in time: the platform showed an error. */
    unanswered: number;
    on: Partial<Record<ChatPlatform, number>>;
  };
  stop(): void;
}

/** Out of a hundred cards: clicks delivered twice, clicks of two people at once, answers typed into a form. */
const PER_CENT = { duplicates: 25, rivals: 25, typed: 12 } as const;

/** A person answers after so long, and clicks again when the card still has its buttons after so long. */
const THINK_MS = { least: 20, most: 400 } as const;
const AGAIN_MS = 3_000;

/** Where a question has a card on another platform, too, that one is looked at so much earlier or later, by the dice. */
const ELSEWHERE_MS = 800;

/** People who answer every card, by the seed: what they choose, where, how fast, what a platform delivers twice. */
export function startPeople(chats: readonly Chat[], cards: Cards, random: Random): People {
  const clicked: Clicked[] = [];
  const counts: People['counts'] = {
    clicks: 0,
    repeats: 0,
    duplicates: 0,
    rivals: 0,
    acrossRivals: 0,
    typed: 0,
    unanswered: 0,
    on: {},
  };
  const busy = new Set<CardSeen>();
  const timers = new Set<NodeJS.Timeout>();
  const chatOf = new Map(chats.map((chat) => [chat.platform, chat]));
  const platforms = chats.map(({ platform }) => platform);
  /** Where each question is to be answered first. */
  const preferred = new Map<string, ChatPlatform | undefined>();
  let isStopped = false;

  const later = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!isStopped) act();
    }, ms);
    timers.add(timer);
  };
  const chance = (perCent: number) => random.next() * 100 < perCent;
  const choose = ({ key }: CardSeen) => random.pick(optionsOf(key)) ?? '';
  const isLive = (card: CardSeen) => card.looks.at(-1)?.isLive === true;
  const note = ({ key, platform }: CardSeen, label: string) => {
    clicked.push({ key, label, at: Date.now() });
    counts.on[platform] = (counts.on[platform] ?? 0) + 1;
  };

  const click = (card: CardSeen, who: Who, label: string): Done | undefined => {
    if (!isLive(card)) return undefined;
    note(card, label);
    counts.clicks += 1;
    // By its button of that name: whoever looks sees it, for the card is live.
    return chatOf.get(card.platform)?.click(card, who, label);
  };

  /** The platform hands one click to a gateway again: at once, or a moment later. */
  const duplicate = ({ again }: Done) => {
    counts.duplicates += 1;
    later(random.next() * 300, again);
  };

  /** At the same moment, on the other platform's card where there is one. */
  const rival = (card: CardSeen) => {
    const twins = cards.all().filter(({ key, part }) => key === card.key && part === 'card');
    const across = twins.find((twin) => twin.platform !== card.platform && isLive(twin));
    counts[across === undefined ? 'rivals' : 'acrossRivals'] += 1;
    click(across ?? card, 'ben', choose(card));
  };

  const answer = async (card: CardSeen) => {
    const chat = chatOf.get(card.platform);
    if (chat === undefined) return;
    if (chance(PER_CENT.typed)) {
      const text = typedFor(card.key);
      note(card, text);
      counts.typed += 1;
      try {
        await chat.type(card, 'ana', text);
      } catch {
        // The form did not open, or the card ended meanwhile: one closes what is open and looks at the card again.
      }
      chat.reload(card, 'ana');
      return;
    }
    const sent = click(card, 'ana', choose(card));
    if (sent !== undefined && chance(PER_CENT.duplicates)) duplicate(sent);
    if (chance(PER_CENT.rivals)) rival(card);
    if ((await sent?.settled)?.kind === 'unacked') counts.unanswered += 1;
  };

  const attend = (card: CardSeen, isFirst: boolean) => {
    if (busy.has(card) || !isLive(card)) return;
    busy.add(card);
    if (!isFirst) counts.repeats += 1;
    void answer(card).finally(() => {
      busy.delete(card);
      later(AGAIN_MS, () => attend(card, false));
    });
  };

  cards.onNew((card) => {
    if (card.part === 'pointer') return;
    if (!preferred.has(card.key)) preferred.set(card.key, random.pick(platforms));
    const elsewhereMs = preferred.get(card.key) === card.platform ? 0 : ELSEWHERE_MS;
    const thinkMs = THINK_MS.least + random.next() * (THINK_MS.most - THINK_MS.least);
    later(thinkMs + elsewhereMs, () => attend(card, true));
  });
  return {
    clicked,
    counts,
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
