import type { Clock } from '../core/clock.ts';

/** Wakes one waiter; a ring while nobody waits is kept for the next wait. */
export class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves when rung, or after `atMostMs`. */
  async rung(clock: Clock, atMostMs: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const cancel = clock.after(atMostMs, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#rung = false;
    this.#wake = undefined;
  }
}
