import type { SlackEvents } from './types.ts';

type Listener = (detail: never) => void;

export interface Events {
  emit<K extends keyof SlackEvents>(event: K, detail: SlackEvents[K]): void;
  on<K extends keyof SlackEvents>(event: K, listener: (detail: SlackEvents[K]) => void): () => void;
  next<K extends keyof SlackEvents>(
    event: K,
    match?: (detail: SlackEvents[K]) => boolean,
    timeoutMs?: number,
  ): Promise<SlackEvents[K]>;
}

export function createEvents(): Events {
  const listeners = new Map<keyof SlackEvents, Set<Listener>>();

  const on: Events['on'] = (event, listener) => {
    const all = listeners.get(event) ?? new Set();
    listeners.set(event, all.add(listener as Listener));
    return () => {
      all.delete(listener as Listener);
    };
  };

  return {
    on,
    emit(event, detail) {
      for (const listener of [...(listeners.get(event) ?? [])]) listener(detail as never);
    },
    next(event, match = () => true, timeoutMs = 5000) {
      return new Promise((resolve, reject) => {
        const deadline = setTimeout(() => {
          off();
          reject(new Error(`No "${event}" event of the Slack double within ${timeoutMs} ms`));
        }, timeoutMs);
        const off = on(event, (detail) => {
          if (!match(detail)) return;
          clearTimeout(deadline);
          off();
          resolve(detail);
        });
      });
    },
  };
}
