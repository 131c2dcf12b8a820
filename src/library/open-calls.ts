import { HandraiseError } from '../core/errors.ts';

/** The calls of a host that are under way, so that closing can withdraw them and wait for them. */
export class OpenCalls {
  readonly #open = new Map<AbortController, Promise<unknown>>();
  #closed = false;

  /**
   * Runs `work` with a signal that is aborted with the host's own, and by `close`. Rejects as `work` does, and with
   * `unavailable` after `close`.
   */
  async run<T>(host: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#closed) {
      throw new HandraiseError('handraise is closed, so nobody can be asked any more.', {
        code: 'unavailable',
        hint: 'Open it again with openHandraise().',
      });
    }
    const own = new AbortController();
    const withdraw = () => own.abort(host?.reason);
    if (host?.aborted === true) withdraw();
    host?.addEventListener('abort', withdraw);
    const running = work(own.signal);
    this.#open.set(own, running);
    try {
      return await running;
    } finally {
      this.#open.delete(own);
      host?.removeEventListener('abort', withdraw);
    }
  }

  /** Withdraws everything; resolves when all of it has ended, however it did. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const own of this.#open.keys()) own.abort();
    await Promise.allSettled(this.#open.values());
  }
}
