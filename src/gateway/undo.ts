import { sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';

/** What has been started, to be stopped in reverse order, each step whatever the others did. */
export class Undo {
  readonly #steps: ((graceMs: number) => void | Promise<void>)[] = [];
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(step: (graceMs: number) => void | Promise<void>): void {
    this.#steps.push(step);
  }

  async all(graceMs: number): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step(graceMs);
      } catch (error) {
        this.#log.error({ reason: sentenceOf(error) }, 'something could not be stopped cleanly');
      }
    }
  }
}
