import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { ClosingOutcome } from '../core/lifecycle.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { RequestStore, StoreResult } from '../core/ports/request-store.ts';

/** Pause between tries to record an end while the store cannot (a full disk), in ms. */
const RETRY_MS = 2_000;

/**
 * Records how requests ended. An agent never waits for a disk: when the store cannot take an end, the caller goes on,
 * and the record follows as soon as it can be written. Until then it would hold up its session's queue.
 */
export class LastWord {
  readonly #deps: { readonly store: RequestStore; readonly clock: Clock; readonly log: Logger };
  #stopped = false;

  constructor(deps: { readonly store: RequestStore; readonly clock: Clock; readonly log: Logger }) {
    this.#deps = deps;
  }

  /** The agent has the recorded answer. */
  confirm(requestId: string): Promise<StoreResult | undefined> {
    return this.#record(requestId, () => this.#deps.store.confirm(requestId));
  }

  /** The owner ends it. Resolves to what the store said at once; undefined when the record follows later. */
  close(requestId: string, outcome: ClosingOutcome): Promise<StoreResult | undefined> {
    return this.#record(requestId, (isLate) => this.#close(requestId, outcome, isLate));
  }

  /** What is still unrecorded is left to whoever finds the cards. */
  stop(): void {
    this.#stopped = true;
  }

  /** Of an answer that was recorded after the agent had been told something else, nothing arrived. */
  async #close(requestId: string, outcome: ClosingOutcome, isLate: boolean): Promise<StoreResult> {
    const { store } = this.#deps;
    const closed = await store.close(requestId, outcome);
    if (!isLate || closed.code !== 'resolution_in_progress') return closed;
    return store.close(requestId, { kind: 'indeterminate' });
  }

  async #record(
    requestId: string,
    move: (isLate: boolean) => Promise<StoreResult>,
    isLate = false,
  ): Promise<StoreResult | undefined> {
    const { clock, log } = this.#deps;
    let why: string;
    try {
      const result = await move(isLate);
      if (result.code !== 'audit_failed') return result;
      why = result.code;
    } catch (error) {
      why = sentenceOf(error);
    }
    if (!isLate) log.error({ requestId, why }, 'the end of a request could not be recorded; trying again');
    clock.after(RETRY_MS, () => {
      if (!this.#stopped) void this.#record(requestId, move, true);
    });
    return undefined;
  }
}
