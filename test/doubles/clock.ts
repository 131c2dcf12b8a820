/** A platform's own time, in milliseconds since the epoch, with its timers. */
export interface Clock {
  now(): number;
  /** Runs `fire` at `now() + ms`; the returned function calls it off. */
  after(ms: number, fire: () => void): () => void;
  /** Moves time forward, firing what falls due in order, and lets I/O started by that run. */
  advance(ms: number): Promise<void>;
  /** Drops every timer. */
  close(): void;
}

export interface ClockOptions {
  /** false: time stands still between advances. Default true: it flows, and `advance` jumps on top. */
  readonly flow?: boolean;
  /** How many times faster than real time it flows. Default 1. */
  readonly speed?: number;
  /** Default: now. */
  readonly startAt?: number;
}

interface Timer {
  readonly due: number;
  readonly fire: () => void;
}

/** The longest delay setTimeout takes. */
const LONGEST_MS = 2 ** 31 - 1;

export function createClock(options: ClockOptions = {}): Clock {
  const { flow = true, speed = 1, startAt = Date.now() } = options;
  const born = performance.now();
  const timers = new Set<Timer>();
  let jumped = 0;
  let alarm: NodeJS.Timeout | undefined;

  const now = () => Math.floor(startAt + jumped + (flow ? (performance.now() - born) * speed : 0));

  const firstDue = (until: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (timer.due <= until && (!first || timer.due < first.due)) first = timer;
    return first;
  };

  const fireDue = (until: number): void => {
    for (let timer = firstDue(until); timer; timer = firstDue(until)) {
      timers.delete(timer);
      timer.fire();
    }
  };

  const arm = (): void => {
    clearTimeout(alarm);
    const next = flow ? firstDue(Number.POSITIVE_INFINITY) : undefined;
    if (!next) return;
    const wait = Math.min(LONGEST_MS, Math.max(0, Math.ceil((next.due - now()) / speed)));
    alarm = setTimeout(() => {
      fireDue(now());
      arm();
    }, wait);
    // A platform's timers must not keep a finished test or playground alive.
    alarm.unref();
  };

  return {
    now,
    after(ms, fire) {
      const timer = { due: now() + ms, fire };
      timers.add(timer);
      arm();
      return () => {
        timers.delete(timer);
      };
    },
    async advance(ms) {
      const target = now() + ms;
      for (let timer = firstDue(target); timer; timer = firstDue(target)) {
        jumped += Math.max(0, timer.due - now());
        fireDue(timer.due);
        await turnOfTheLoop();
      }
      jumped += Math.max(0, target - now());
      arm();
      await turnOfTheLoop();
    },
    close() {
      timers.clear();
      clearTimeout(alarm);
    },
  };
}

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
