/** Runs jobs of one key one after the other, in the order they came. */
export class Lanes {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(key: string, job: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const run = before.then(job, job);
    const settled = run.then(
      () => undefined,
      () => undefined, // Whoever asked for it hears of it; the next one goes on.
    );
    this.#last.set(key, settled);
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return run;
  }
}
