import type { Clock } from '../clock.ts';
import type { RateLimits } from './types.ts';

export interface Taken {
  /** Seconds to wait; 0: go on. */
  readonly retryAfter: number;
  readonly scope: 'user' | 'global';
  readonly headers: Readonly<Record<string, string>>;
}

export interface Limiter {
  take(bucket: string, opts: { readonly global: boolean }): Taken;
  /** Edits in an hour of a message older than an hour. */
  readonly oldEdits: number;
  /** Counts a 401, 403 or 429 towards a ban. */
  invalid(): void;
  readonly invalidCount: number;
  readonly banned: boolean;
}

const DEFAULTS: RateLimits = {
  perBucket: 5,
  windowS: 5,
  global: 50,
  oldEdits: 30,
  invalidRequests: 10_000,
  multiplier: 1,
};

const TEN_MINUTES_MS = 600_000;

/** Fixed windows, as Discord's headers describe them. */
export function createLimiter(clock: Clock, options: Partial<RateLimits> | false | undefined): Limiter {
  const limits = { ...DEFAULTS, ...(options === false ? {} : options) };
  const windows = new Map<string, { left: number; until: number }>();
  const invalid: number[] = [];

  const use = (key: string, size: number, ms: number) => {
    const now = clock.now();
    const known = windows.get(key);
    const current = known && known.until > now ? known : { left: Math.max(1, Math.round(size)), until: now + ms };
    windows.set(key, current);
    const granted = options === false || current.left > 0;
    if (granted) current.left -= 1;
    return { granted, left: Math.max(0, current.left), waitMs: current.until - now, until: current.until };
  };
  const counted = () => {
    while ((invalid[0] ?? Number.POSITIVE_INFINITY) < clock.now() - TEN_MINUTES_MS) invalid.shift();
    return invalid.length;
  };

  return {
    oldEdits: limits.oldEdits,
    get invalidCount() {
      return counted();
    },
    get banned() {
      return counted() >= limits.invalidRequests;
    },
    invalid() {
      invalid.push(clock.now());
    },
    take(bucket, { global }) {
      if (global) {
        const all = use('global', limits.global * limits.multiplier, 1000);
        if (!all.granted)
          return { retryAfter: all.waitMs / 1000, scope: 'global', headers: { 'x-ratelimit-global': 'true' } };
      }
      const size = limits.perBucket * limits.multiplier;
      const own = use(bucket, size, limits.windowS * 1000);
      const headers = {
        'x-ratelimit-limit': String(Math.round(size)),
        'x-ratelimit-remaining': String(own.left),
        'x-ratelimit-reset': (own.until / 1000).toFixed(3),
        'x-ratelimit-reset-after': (own.waitMs / 1000).toFixed(3),
        'x-ratelimit-bucket': bucketName(bucket),
      };
      // The headers would make a client wait where nothing is limited.
      if (options === false) return { retryAfter: 0, scope: 'user', headers: {} };
      return { retryAfter: own.granted ? 0 : own.waitMs / 1000, scope: 'user', headers };
    },
  };
}

/** An opaque name, the same for the same operation whatever the channel: the client adds that itself. */
function bucketName(bucket: string): string {
  const [operation = ''] = bucket.split(':');
  return Buffer.from(operation).toString('hex').slice(0, 32);
}
