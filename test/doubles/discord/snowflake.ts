import type { Clock } from '../clock.ts';

/** The first millisecond of 2015, where Discord's ids begin. */
const EPOCH = 1_420_070_400_000n;

export interface Snowflakes {
  /** A fresh id, later than every earlier one; its time is the double's clock's. */
  next(): string;
}

export function createSnowflakes(clock: Clock): Snowflakes {
  let last = 0n;
  return {
    next() {
      const now = (BigInt(clock.now()) - EPOCH) << 22n;
      last = now > last ? now : last + 1n;
      return String(last);
    },
  };
}

export function isSnowflake(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9]\d{0,19}$/.test(value);
}

/** Whether `a` is older than `b`. Ids are longer than a JavaScript number holds. */
export function isBefore(a: string, b: string): boolean {
  return BigInt(a) < BigInt(b);
}
