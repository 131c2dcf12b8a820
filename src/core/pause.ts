import type { Clock } from './clock.ts';

/** Resolves after `ms`, or as soon as `signal` aborts. Never rejects. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** What `work` resolves to if it does so within `ms`, else undefined. `work` goes on; its rejection rejects this. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  const cut = new AbortController();
  try {
    return await Promise.race([work, pause(clock, ms, cut.signal).then(() => undefined)]);
  } finally {
    cut.abort();
  }
}
