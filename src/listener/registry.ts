/** Whether an outcome arrived at its agent, and if not, why. */
export type Fate = { readonly delivered: true } | { readonly delivered: false; readonly why: string };

/**
 * One ask from its frame to the word that its answer arrived. Whatever happens first decides its fate: the bridge's
 * confirmation, a withdrawal, the end of the connection, or the listener's own end.
 */
export class OpenCall {
  readonly #controller = new AbortController();
  readonly fate: Promise<Fate>;
  #decide: (fate: Fate) => void = () => undefined;
  #offered = false;

  constructor() {
    this.fate = new Promise((resolve) => {
      this.#decide = resolve;
    });
  }

  /** Aborted when nobody waits for the answer any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The outcome was written to the socket; only now can a confirmation mean something. */
  offer(): void {
    this.#offered = true;
  }

  get isOffered(): boolean {
    return this.#offered;
  }

  confirm(): void {
    if (this.#offered) this.#decide({ delivered: true });
  }

  /** No confirmation will come, though the asker may still be there. */
  lose(why: string): void {
    this.#decide({ delivered: false, why });
  }

  /** The asker withdrew, died, or is being left: stop asking on its behalf. */
  abort(why: string): void {
    this.#decide({ delivered: false, why });
    this.#controller.abort(new Error(why));
  }
}

/** The open calls of one listener, by connection and id. Several calls of one connection are open at once. */
export class CallRegistry {
  readonly #byConnection = new Map<object, Map<string, OpenCall>>();

  /** Undefined when the id is already open on this connection. The caller ends it. */
  open(connection: object, id: string): OpenCall | undefined {
    const calls = this.#byConnection.get(connection) ?? new Map<string, OpenCall>();
    if (calls.has(id)) return undefined;
    const call = new OpenCall();
    this.#byConnection.set(connection, calls.set(id, call));
    return call;
  }

  find(connection: object, id: string): OpenCall | undefined {
    return this.#byConnection.get(connection)?.get(id);
  }

  end(connection: object, id: string): void {
    const calls = this.#byConnection.get(connection);
    calls?.delete(id);
    if (calls?.size === 0) this.#byConnection.delete(connection);
  }

  countOf(connection: object): number {
    return this.#byConnection.get(connection)?.size ?? 0;
  }

  abortConnection(connection: object, why: string): void {
    for (const call of this.#byConnection.get(connection)?.values() ?? []) call.abort(why);
  }

  /** Leaves those alone whose outcome is on its way: their confirmation may be, too. */
  abortWaiting(connection: object, why: string): void {
    for (const call of this.#byConnection.get(connection)?.values() ?? []) if (!call.isOffered) call.abort(why);
  }
}
