import type { Clock } from '../../core/clock.ts';
import { HandraiseError } from '../../core/errors.ts';

/**
 * What `work` comes to, or a rejection after `ms`, or at once when `signal` aborts: nothing that hangs may hang doctor.
 * `what` begins the sentence "… did not come to an end within 5 s". The work itself goes on; its end is of no interest.
 */
export async function bounded<T>(
  clock: Clock,
  { ms, what, signal }: { readonly ms: number; readonly what: string; readonly signal: AbortSignal },
  work: Promise<T>,
): Promise<T> {
  let end: () => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    const late = () =>
      new HandraiseError(`${what} did not come to an end within ${ms / 1_000} s`, { code: 'unavailable' });
    const stopped = () => reject(new HandraiseError(`${what} was stopped`, { code: 'unavailable' }));
    const cancel = clock.after(ms, () => reject(late()));
    signal.addEventListener('abort', stopped, { once: true });
    end = () => {
      cancel();
      signal.removeEventListener('abort', stopped);
    };
    if (signal.aborted) stopped();
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    end();
    // Whoever raced it was told already; that it fails later, or was abandoned, is nobody's news.
    work.catch(() => undefined);
  }
}
