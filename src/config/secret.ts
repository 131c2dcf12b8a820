/** What a secret looks like wherever it is printed by mistake. */
const STARS = '***';

/**
 * A token or key. Printing, interpolating, inspecting or serialising it shows stars; `reveal` is the one way to the
 * value, so every place that uses it can be found by name.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return STARS;
  }

  toJSON(): string {
    return STARS;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return STARS;
  }
}
