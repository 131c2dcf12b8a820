/** Time as a parameter. Everything that waits takes one, so that tests move time instead of sleeping. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Calls `callback` once after `delayMs` (values below 0 count as 0). The returned function cancels it; cancelling
   * twice, or after it fired, does nothing. A pending timer does not keep the process alive.
   */
  after(delayMs: number, callback: () => void): () => void;
}

/** Longest delay Node's timers take (2^31 - 1 ms); longer waits are walked in steps of it. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const due = Date.now() + Math.max(0, delayMs);
    let timer: ReturnType<typeof setTimeout>;
    const arm = () => {
      const left = due - Date.now();
      timer = setTimeout(left > LONGEST_TIMER_MS ? arm : callback, Math.min(Math.max(0, left), LONGEST_TIMER_MS));
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};
