import type { Events } from './events.ts';
import type { ScreenWarning } from './types.ts';

/** The warning triangles beside controls whose clicks nobody acknowledged, per person and message. */
export interface WarningStore {
  of(surface: string): readonly ScreenWarning[];
  set(surface: string, warning: ScreenWarning): void;
  clear(surface: string, blockId: string, actionId: string): void;
}

export function createWarnings(events: Events): WarningStore {
  const warnings = new Map<string, ScreenWarning[]>();
  const of = (surface: string) => warnings.get(surface) ?? [];
  const without = (surface: string, blockId: string, actionId: string) =>
    of(surface).filter((one) => one.blockId !== blockId || one.actionId !== actionId);
  return {
    of,
    set(surface, warning) {
      warnings.set(surface, [...without(surface, warning.blockId, warning.actionId), warning]);
      events.emit('change', {});
    },
    clear(surface, blockId, actionId) {
      if (of(surface).length === 0) return;
      warnings.set(surface, without(surface, blockId, actionId));
      events.emit('change', {});
    },
  };
}
