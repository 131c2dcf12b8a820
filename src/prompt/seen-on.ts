import type { Platform } from '../core/actor.ts';
import type { Card } from '../core/ports/surface-adapter.ts';

export const PLATFORM_NAMES: Readonly<Record<Platform, string>> = { slack: 'Slack', discord: 'Discord' };

/** A card as one platform shows it: whoever decided on another one is named with where. */
export function seenOn(platform: Platform, card: Card): Card {
  const { state } = card;
  if (state.phase === 'open' || state.actor === undefined) return card;
  const { actor } = state;
  // Somebody at the command line has that in their name.
  if (actor.platform === platform || actor.platform === 'local') return card;
  return {
    ...card,
    state: { ...state, actor: { ...actor, name: `${actor.name} on ${PLATFORM_NAMES[actor.platform]}` } },
  };
}
