import type { SlackDouble } from '../doubles/slack/index.ts';
import type { Interaction } from '../doubles/slack/operator-types.ts';
import type { Random } from '../doubles/slack/random.ts';
import type { Cards } from './cards.ts';
import { type CardSeen, type Clicked, optionsOf, typedFor } from './history.ts';

export interface People {
  readonly clicked: readonly Clicked[];
  readonly counts: { clicks: number; repeats: number; duplicates: number; rivals: number; typed: number };
  stop(): void;
}

/** Out of a hundred cards: clicks delivered twice, clicks of two people at once, answers typed into a modal. */
const PER_CENT = { duplicates: 25, rivals: 15, typed: 12 } as const;

/** A person answers after so long, and clicks again when the card still has its buttons after so long. */
const THINK_MS = { least: 20, most: 400 } as const;
const AGAIN_MS = 3_000;

/** How long a modal may take to open before a person gives up and starts again. */
const MODAL_MS = 3_000;

/** Two people in each channel. */
export interface Room {
  readonly channel: string;
  readonly ana: string;
  readonly ben: string;
}

/** People who answer every card, by the seed: what they choose, how fast, what Slack delivers twice. */
export function startPeople(slack: SlackDouble, cards: Cards, rooms: readonly Room[], random: Random): People {
  const clicked: Clicked[] = [];
  const counts = { clicks: 0, repeats: 0, duplicates: 0, rivals: 0, typed: 0 };
  const busy = new Set<CardSeen>();
  const timers = new Set<NodeJS.Timeout>();
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

  const click = (card: CardSeen, user: string, label: string): Interaction | undefined => {
    if (card.looks.at(-1)?.isLive !== true) return undefined;
    clicked.push({ key: card.key, label, at: Date.now() });
    counts.clicks += 1;
    // By its button of that name: whoever looks sees it, for the card is live.
    return slack.user(user).click({ channel: card.channel, message: card.ts, label, where: 'other_device' });
  };

  const type = async (card: CardSeen, user: string) => {
    const text = typedFor(card.key);
    clicked.push({ key: card.key, label: text, at: Date.now() });
    counts.typed += 1;
    const person = slack.user(user);
    person.click({ channel: card.channel, message: card.ts, label: 'Other…', where: 'other_device' });
    await slack.until(user, card.channel, ({ modals }) => modals[0]?.controls.length === 1, MODAL_MS);
    person.type({}, text);
    await person.submit().settled;
  };

  /** Slack hands one click to another connection, too: at once, or a moment later. */
  const duplicate = (interaction: Interaction) => {
    counts.duplicates += 1;
    later(random.next() * 300, () => void slack.deliver.again(interaction));
  };

  const answer = async (card: CardSeen, { ana, ben }: Room) => {
    if (chance(PER_CENT.typed)) {
      try {
        await type(card, ana);
      } catch {
        // The modal did not open, or the card ended meanwhile: one closes what is open and looks at the card again.
      }
      slack.user(ana).reload();
      return;
    }
    const sent = click(card, ana, choose(card));
    if (sent !== undefined && chance(PER_CENT.duplicates)) duplicate(sent);
    if (chance(PER_CENT.rivals)) {
      counts.rivals += 1;
      click(card, ben, choose(card));
    }
    await sent?.settled;
  };

  const attend = (card: CardSeen, room: Room, isFirst: boolean) => {
    if (busy.has(card) || card.looks.at(-1)?.isLive !== true) return;
    busy.add(card);
    if (!isFirst) counts.repeats += 1;
    void answer(card, room).finally(() => {
      busy.delete(card);
      later(AGAIN_MS, () => attend(card, room, false));
    });
  };

  cards.onNew((card) => {
    const room = rooms.find(({ channel }) => channel === card.channel);
    if (room === undefined) return;
    later(THINK_MS.least + random.next() * (THINK_MS.most - THINK_MS.least), () => attend(card, room, true));
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
