/** What a person looks at: a screen that can change. */
export interface Watched<S> {
  screen(): S;
  /** The screen as text, for the message of a wait in vain. */
  draw(screen: S): string;
  /** Calls back at every change; returns what ends it. */
  onChange(changed: () => void): () => void;
}

/** Waits for something to be seen on a screen; looks again at every change. */
export function until<S, T>(
  watched: Watched<S>,
  see: (screen: S) => T | undefined | false | null,
  timeoutMs = 20_000,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(deadline);
      off();
    };
    const check = () => {
      try {
        const found = see(watched.screen());
        if (found === undefined || found === false || found === null) return;
        stop();
        resolve(found);
      } catch (error) {
        stop();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const deadline = setTimeout(() => {
      stop();
      reject(new Error(`Not seen on the screen within ${timeoutMs} ms:\n${watched.draw(watched.screen())}`));
    }, timeoutMs);
    const off = watched.onChange(check);
    check();
  });
}
