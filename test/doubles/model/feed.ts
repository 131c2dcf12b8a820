/** How long a wait lasts before it gives up, in milliseconds, unless the caller says otherwise. */
const DEFAULT_WITHIN_MS = 60_000;

export interface WaitOptions {
  /** Milliseconds before the wait rejects. Default 60,000. */
  within?: number;
}

interface Waiter<T> {
  predicate: (item: T) => boolean;
  resolve: (item: T) => void;
  reject: (error: Error) => void;
}

/**
 * What has happened so far, in order, and a way to wait for what has not happened yet. A wait looks at the past first,
 * so it does not matter whether the caller or the event is earlier. The feed never drops an item.
 */
export class Feed<T> {
  readonly #name: string;
  readonly #describe: (item: T) => string;
  readonly #items: T[] = [];
  readonly #waiters = new Set<Waiter<T>>();
  #ended: Error | undefined;

  constructor(name: string, describe: (item: T) => string = (item) => JSON.stringify(item).slice(0, 200)) {
    this.#name = name;
    this.#describe = describe;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  push(item: T): void {
    this.#items.push(item);
    for (const waiter of [...this.#waiters]) {
      if (waiter.predicate(item)) waiter.resolve(item);
    }
  }

  /** Nothing more will come: open and later waits that the past does not satisfy reject with `reason`. */
  end(reason: string): void {
    this.#ended ??= new Error(reason);
    for (const waiter of [...this.#waiters]) waiter.reject(this.#failure(this.#ended.message));
  }

  /** The first item, past or future, for which `predicate` holds. */
  until<S extends T>(predicate: (item: T) => item is S, options?: WaitOptions): Promise<S>;
  until(predicate: (item: T) => boolean, options?: WaitOptions): Promise<T>;
  async until(predicate: (item: T) => boolean, { within = DEFAULT_WITHIN_MS }: WaitOptions = {}): Promise<T> {
    const past = this.#items.find(predicate);
    if (past !== undefined) return past;
    if (this.#ended) throw this.#failure(this.#ended.message);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiter.reject(this.#failure(`nothing matched within ${within} ms`)), within);
      const leave = () => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter<T> = {
        predicate,
        resolve: (item) => {
          leave();
          resolve(item);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      this.#waiters.add(waiter);
    });
  }

  #failure(why: string): Error {
    const seen = this.#items.map((item, index) => `  ${index + 1}. ${this.#describe(item)}`);
    return new Error(`${this.#name}: ${why}. Seen so far (${seen.length}):\n${seen.join('\n') || '  nothing'}`);
  }
}
