import { sentenceOf } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { RedisConnection } from './connection.ts';

/**
 * Requests whose `open` failed while nobody could tell whether it would still take effect. As soon as the server answers
 * again they are withdrawn, so that no card appears for which nobody waits. Should this process end before, its owner's
 * lease runs out, and a sweeper ends them.
 */
export class Withdrawals {
  readonly #left = new Set<string>();
  readonly #withdraw: (requestId: string) => Promise<unknown>;
  readonly #log: Logger;

  constructor(commands: RedisConnection, withdraw: (requestId: string) => Promise<unknown>, log: Logger) {
    this.#withdraw = withdraw;
    this.#log = log;
    commands.onReady(() => void this.#tryAll());
  }

  add(requestId: string): void {
    this.#left.add(requestId);
  }

  async #tryAll(): Promise<void> {
    for (const requestId of [...this.#left]) {
      try {
        await this.#withdraw(requestId);
        this.#left.delete(requestId);
      } catch (thrown) {
        // Tried again with the next connection.
        this.#log.warn({ requestId, error: sentenceOf(thrown) }, 'a request that failed to open is not withdrawn yet');
      }
    }
  }
}
