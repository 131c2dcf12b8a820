/** How a step was refused the first time. `note`: what the person wants the agent to know. */
export type RememberedRefusal =
  | { readonly kind: 'denied'; readonly requestId?: string; readonly note?: string }
  | { readonly kind: 'timed_out'; readonly requestId?: string };

/** Steps remembered for one turn: an agent that tries more has asked people more than they will read. */
const MOST_OF_A_TURN = 1_000;

/**
 * What was refused, or not answered in time, in each turn: it is refused without another card until the turn ends. Where
 * turns are not known, the session is one.
 */
export class Refusals {
  readonly #byTurn = new Map<string, Map<string, RememberedRefusal>>();

  remember(turnId: string | undefined, digest: string, refusal: RememberedRefusal): void {
    const turn = turnId ?? NO_TURN;
    const known = this.#byTurn.get(turn) ?? new Map<string, RememberedRefusal>();
    known.delete(digest);
    known.set(digest, refusal);
    for (const oldest of known.keys()) {
      if (known.size <= MOST_OF_A_TURN) break;
      known.delete(oldest);
    }
    this.#byTurn.set(turn, known);
  }

  find(turnId: string | undefined, digest: string): RememberedRefusal | undefined {
    return this.#byTurn.get(turnId ?? NO_TURN)?.get(digest);
  }

  /** It may be asked about again. */
  lift(turnId: string | undefined, digest: string): void {
    this.#byTurn.get(turnId ?? NO_TURN)?.delete(digest);
  }

  /** What was refused where no turn was known ends with whatever turn ends next. */
  turnEnded(turnId: string): void {
    this.#byTurn.delete(turnId);
    this.#byTurn.delete(NO_TURN);
  }

  clear(): void {
    this.#byTurn.clear();
  }
}

/** No agent names a turn like this. */
const NO_TURN = '';
