type Listener = (detail: never) => void;

/** What happens on a double, for tests to wait for. `M` maps an event's name to its detail. */
export interface Events<M> {
  emit<K extends keyof M>(event: K, detail: M[K]): void;
  on<K extends keyof M>(event: K, listener: (detail: M[K]) => void): () => void;
  next<K extends keyof M>(event: K, match?: (detail: M[K]) => boolean, timeoutMs?: number): Promise<M[K]>;
}

/** `who` is named in the error of a `next` that waited in vain. */
export function createEvents<M>(who: string): Events<M> {
  const listeners = new Map<keyof M, Set<Listener>>();

  const on: Events<M>['on'] = (event, listener) => {
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
    next(event, match = () => true, timeoutMs = 20_000) {
      return new Promise((resolve, reject) => {
        const deadline = setTimeout(() => {
          off();
          reject(new Error(`No "${String(event)}" event of ${who} within ${timeoutMs} ms`));
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
