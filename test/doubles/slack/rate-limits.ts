import type { Clock } from '../clock.ts';
import type { RateLimits } from './types.ts';

export type Tier = 1 | 2 | 3 | 4;

export interface Limiter {
  /** Takes one; 0 when it may go on, else the seconds to wait (as in Retry-After, at least 1). */
  method(name: string, tier: Tier): number;
  post(channel: string): number;
}

/** burst 5: undefined in the docs, which only say that short bursts may pass. Tiers: the "at least" of the docs. */
const DEFAULTS: RateLimits = {
  postPerSecondPerChannel: 1,
  burst: 5,
  tiers: { 1: 1, 2: 20, 3: 50, 4: 100 },
  tier1Burst: 4,
  multiplier: 1,
};

export function createLimiter(clock: Clock, options: Partial<RateLimits> | false | undefined): Limiter {
  if (options === false) return { method: () => 0, post: () => 0 };
  const limits = { ...DEFAULTS, ...options };
  const buckets = new Map<string, { left: number; at: number }>();

  const take = (key: string, size: number, perSecond: number): number => {
    const now = clock.now();
    const bucket = buckets.get(key) ?? { left: size, at: now };
    const left = Math.min(size, bucket.left + ((now - bucket.at) / 1000) * perSecond * limits.multiplier);
    const granted = left >= 1;
    buckets.set(key, { left: granted ? left - 1 : left, at: now });
    return granted ? 0 : Math.max(1, Math.ceil((1 - left) / (perSecond * limits.multiplier)));
  };

  return {
    method(name, tier) {
      const perMinute = limits.tiers[tier];
      return take(`method:${name}`, tier === 1 ? limits.tier1Burst : perMinute, perMinute / 60);
    },
    post: (channel) => take(`post:${channel}`, limits.burst, limits.postPerSecondPerChannel),
  };
}
