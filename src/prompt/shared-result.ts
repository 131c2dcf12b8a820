import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { endedBy } from '../core/outcomes.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { PromptResult } from '../core/ports/prompter.ts';

/**
 * How long a question waits for an asker whose connection broke, in ms, and an answer for one that never confirmed it:
 * what a client needs to start its server anew and a model to make the call once more. An agent that has ended is not
 * waited for: its run ends, and that ends every question of it.
 */
export const COME_BACK_MS = 10_000;

export interface SharedResultDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether a call may come back for a verdict. */
  readonly mayReturn: boolean;
  /** What became of it is recorded. Called once. */
  recorded(): void;
}

/**
 * One result for several calls, of which any may go astray: delivered when the first has it, lost when none can get it
 * and, where a call may return, none came back in time.
 */
export class SharedResult {
  readonly #result: PromptResult;
  readonly #deps: SharedResultDeps;
  #onTheirWay = 0;
  #isReported = false;
  #lost: { readonly why: string; stopWaiting(): void } | undefined;

  constructor(result: PromptResult, deps: SharedResultDeps) {
    this.#result = result;
    this.#deps = deps;
  }

  /** Whether people decided, so that there is an answer to give again. */
  get isVerdict(): boolean {
    return endedBy(this.#result.outcome.kind) === 'operator';
  }

  /** For one more call. After the first delivery, what becomes of the others changes nothing. */
  handOver(): PromptResult {
    this.#stopWaiting();
    this.#onTheirWay += 1;
    let isTold = false;
    const once = async (tell: () => Promise<void>) => {
      if (isTold) return;
      isTold = true;
      this.#onTheirWay -= 1;
      await tell();
    };
    return {
      outcome: this.#result.outcome,
      delivered: () => once(() => this.#report(() => this.#result.delivered())),
      lost: (why) => once(() => this.missed(why)),
    };
  }

  /** A call did not get it, or there was none. While another has it or one may come back, that means nothing yet. */
  async missed(why: string): Promise<void> {
    if (this.#onTheirWay > 0 || this.#isReported) return;
    if (!this.#deps.mayReturn || !this.isVerdict) return this.#lose(why);
    const stopWaiting = this.#deps.clock.after(COME_BACK_MS, () => void this.#lose(why));
    this.#lost = { why, stopWaiting };
  }

  /** Waits for no call to return any more. Resolves once that is recorded. */
  async stop(): Promise<void> {
    if (this.#lost !== undefined) await this.#lose(this.#lost.why);
  }

  #lose(why: string): Promise<void> {
    return this.#report(() => this.#result.lost(why));
  }

  #stopWaiting(): void {
    this.#lost?.stopWaiting();
    this.#lost = undefined;
  }

  /** Never rejects: the agent has what it gets, and only the record is behind. */
  async #report(record: () => Promise<void>): Promise<void> {
    this.#stopWaiting();
    if (this.#isReported) return;
    this.#isReported = true;
    try {
      await record();
    } catch (error) {
      this.#deps.log.error({ error: sentenceOf(error) }, 'recording the delivery failed');
    }
    this.#deps.recorded();
  }
}
