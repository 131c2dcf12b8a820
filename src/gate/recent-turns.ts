/** A late call of an older turn finds that its grants have ended in the store. */
const MOST_KEPT = 1_000;

/** Turns that have ended, the newest of them. */
export class RecentTurns {
  readonly #turns = new Set<string>();

  add(turnId: string): void {
    this.#turns.delete(turnId);
    this.#turns.add(turnId);
    for (const oldest of this.#turns) {
      if (this.#turns.size <= MOST_KEPT) break;
      this.#turns.delete(oldest);
    }
  }

  has(turnId: string): boolean {
    return this.#turns.has(turnId);
  }
}
