import type { SlackDouble } from '../doubles/slack/index.ts';
import type { ScreenBlock, ScreenMessage } from '../doubles/slack/types.ts';
import { type CardLook, type CardSeen, keyIn } from './history.ts';

/** Every card of every channel, as somebody saw it over time. */
export interface Cards {
  all(): readonly CardSeen[];
  onNew(listener: (card: CardSeen) => void): void;
}

/** `onlookers`: channel → somebody who sees it. */
export function watchCards(slack: SlackDouble, onlookers: ReadonlyMap<string, string>): Cards {
  const cards = new Map<string, CardSeen & { readonly looks: CardLook[] }>();
  const listeners: ((card: CardSeen) => void)[] = [];

  const see = (channel: string, message: ScreenMessage) => {
    const says = textOf(message.blocks);
    const tag = /^\[([^\]]+?)(?: by [^\]]*)?\]/.exec(message.notification)?.[1];
    if (tag === undefined || tag === 'session' || message.ephemeral) return;
    const id = `${channel} ${message.ts}`;
    const known = cards.get(id);
    const key = known?.key ?? keyIn(says) ?? keyIn(message.notification);
    if (key === undefined) return;
    const card = known ?? { key, channel, ts: message.ts, looks: [] };
    const look = { at: Date.now(), tag, says, isLive: message.controls.length > 0 };
    const last = card.looks.at(-1);
    if (last?.tag !== look.tag || last.says !== says || last.isLive !== look.isLive) card.looks.push(look);
    if (known !== undefined) return;
    cards.set(id, card);
    for (const tell of listeners) tell(card);
  };

  slack.on('change', ({ channel }) => {
    const onlooker = channel === undefined ? undefined : onlookers.get(channel);
    if (channel === undefined || onlooker === undefined) return;
    for (const message of slack.screen(onlooker, channel).messages) {
      for (const one of [message, ...message.replies]) see(channel, one);
    }
  });
  return {
    all: () => [...cards.values()],
    onNew: (listener) => void listeners.push(listener),
  };
}

function textOf(blocks: readonly ScreenBlock[]): string {
  return blocks.flatMap(plainTexts).join('\n');
}

/** What one reads of a block, whatever its kind. */
function plainTexts(block: ScreenBlock): readonly string[] {
  const found: string[] = [];
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if ('plain' in value && typeof value.plain === 'string') found.push(value.plain);
    else for (const inner of Object.values(value)) walk(inner);
  };
  walk(block);
  return found;
}
