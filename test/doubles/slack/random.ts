/** A seeded generator (mulberry32): the same seed gives the same choices, so that a failing run can be repeated. */
export interface Random {
  /** 0 ≤ n < 1 */
  next(): number;
  pick<T>(from: readonly T[]): T | undefined;
  /** Upper-case letters and digits, as in Slack's ids. */
  id(prefix: string, length?: number): string;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';
  return {
    next,
    pick: (from) => from[Math.floor(next() * from.length)],
    id(prefix, length = 10) {
      let id = prefix;
      while (id.length < prefix.length + length) id += letters[Math.floor(next() * letters.length)];
      return id;
    },
  };
}
