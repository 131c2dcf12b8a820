import type { Events } from '../events.ts';
import type { DiscordEvents, ScreenWarning } from './types.ts';

/** "This interaction failed" beside controls whose clicks nobody answered, per person and message. */
export interface WarningStore {
  of(userId: string, messageId: string): readonly ScreenWarning[];
  set(userId: string, messageId: string, warning: ScreenWarning): void;
  clear(userId: string, messageId: string, customId: string): void;
}

export function createWarnings(events: Events<DiscordEvents>): WarningStore {
  const warnings = new Map<string, ScreenWarning[]>();
  const key = (userId: string, messageId: string) => `${userId}:${messageId}`;
  const of = (userId: string, messageId: string) => warnings.get(key(userId, messageId)) ?? [];
  const others = (userId: string, messageId: string, customId: string) =>
    of(userId, messageId).filter((one) => one.customId !== customId);
  return {
    of,
    set(userId, messageId, warning) {
      warnings.set(key(userId, messageId), [...others(userId, messageId, warning.customId), warning]);
      events.emit('change', { user: userId });
    },
    clear(userId, messageId, customId) {
      if (of(userId, messageId).length === 0) return;
      warnings.set(key(userId, messageId), others(userId, messageId, customId));
      events.emit('change', { user: userId });
    },
  };
}
