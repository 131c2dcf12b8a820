import { AskerLost } from '../core/errors.ts';

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
  readonly #mayReturn: boolean;
  #offered = false;

  constructor(mayReturn: boolean) {
    this.#mayReturn = mayReturn;
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

  /** The asker withdrew or is being left: stop asking on its behalf. */
  abort(why: string): void {
    this.#end(new Error(why));
  }

  /** The asker is gone without a word. Where it may return, whoever asks for it decides how long to wait. */
  loseAsker(why: string): void {
    this.#end(this.#mayReturn ? new AskerLost(why) : new Error(why));
  }

  #end(reason: Error): void {
    this.#decide({ delivered: false, why: reason.message });
    this.#controller.abort(reason);
  }
}

/** The open calls of one listener, by connection and id. Several calls of one connection are open at once. */
export class CallRegistry {
  readonly #byConnection = new Map<object, Map<string, OpenCall>>();

  /**
   * Undefined when the id is already open on this connection. The caller ends it. `mayReturn`: an asker whose connection
   * ends without a word may ask again on another one; false where the end of the connection is how it withdraws.
   */
  open(connection: object, id: string, { mayReturn }: { mayReturn: boolean }): OpenCall | undefined {
    const calls = this.#byConnection.get(connection) ?? new Map<string, OpenCall>();
    if (calls.has(id)) return undefined;
    const call = new OpenCall(mayReturn);
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

  /** The connection ended by itself. */
  loseConnection(connection: object, why: string): void {
    for (const call of this.#byConnection.get(connection)?.values() ?? []) call.loseAsker(why);
  }

  /** Leaves those alone whose outcome is on its way: their confirmation may be, too. */
  abortWaiting(connection: object, why: string): void {
    for (const call of this.#byConnection.get(connection)?.values() ?? []) if (!call.isOffered) call.abort(why);
  }
}
