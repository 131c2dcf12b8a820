import type { Events } from '../events.ts';
import type { Obj } from '../json.ts';
import type { DiscordEvents, UnackedReason } from './types.ts';

export interface ModalRecord {
  /** One of the double's own: a custom id may be used again. */
  readonly key: string;
  readonly userId: string;
  readonly channelId: string;
  readonly customId: string;
  readonly title: string;
  readonly components: readonly Obj[];
  /** The message it was opened from, if any. */
  readonly message?: { readonly channelId: string; readonly id: string };
  errors: Readonly<Record<string, string>>;
  trouble?: UnackedReason;
  busy: boolean;
}

/** At most one open modal a person: opening another replaces it. */
export interface ModalStore {
  of(userId: string): ModalRecord | undefined;
  open(modal: ModalRecord): void;
  /** Closes this very modal, if it is still the open one. */
  close(modal: ModalRecord): void;
  changed(modal: ModalRecord): void;
}

export function createModals(events: Events<DiscordEvents>): ModalStore {
  const modals = new Map<string, ModalRecord>();
  const close = (modal: ModalRecord) => {
    if (modals.get(modal.userId) !== modal) return;
    modals.delete(modal.userId);
    events.emit('modal', { user: modal.userId, customId: modal.customId, how: 'close' });
    events.emit('change', { user: modal.userId });
  };
  return {
    of: (userId) => modals.get(userId),
    close,
    open(modal) {
      const before = modals.get(modal.userId);
      if (before) close(before);
      modals.set(modal.userId, modal);
      events.emit('modal', { user: modal.userId, customId: modal.customId, how: 'open' });
      events.emit('change', { user: modal.userId });
    },
    changed: (modal) => events.emit('change', { user: modal.userId }),
  };
}
