import type { Clock } from '../core/clock.ts';
import { AskerLost, sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { AskContext, Prompter, PromptResult } from '../core/ports/prompter.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import { COME_BACK_MS, SharedResult } from './shared-result.ts';

export interface CallGroupDeps {
  readonly inner: Prompter;
  readonly clock: Clock;
  readonly log: Logger;
  /** No call may join any more: it has ended (`isAnswered`: with an answer to give again), or is being withdrawn. */
  closed(isAnswered: boolean): void;
  /** Nothing of it is left to do. */
  over(): void;
}

/** What a call gets. `again`: the request ended for the sake of another call, so that this one has to be asked anew. */
export type Served = PromptResult | 'again';

interface WaitingCall extends AskContext {
  resolve(served: Served): void;
  reject(error: unknown): void;
}

/**
 * One request and every call it serves. It is withdrawn when the last of them withdraws; a last one that was cut off
 * may come back for a while. Asks at once; each call attends by itself.
 */
export class CallGroup {
  readonly #deps: CallGroupDeps;
  /** The one in the record, by which the store supersedes. */
  readonly #pendingId: string | undefined;
  readonly #toolUseIds = new Set<string>();
  readonly #waiting = new Set<WaitingCall>();
  readonly #withdrawal = new AbortController();
  #requestId: string | undefined;
  #result: SharedResult | undefined;
  #stopLingering: (() => void) | undefined;
  readonly #over: Promise<void>;
  #end: () => void = () => undefined;

  constructor(batch: QuestionBatch, first: Pick<AskContext, 'pendingId' | 'subAgent'>, deps: CallGroupDeps) {
    this.#deps = deps;
    this.#pendingId = first.pendingId;
    this.#over = new Promise((resolve) => {
      this.#end = resolve;
    });
    const asked = deps.inner.ask(batch, {
      signal: this.#withdrawal.signal,
      ...first,
      onAccepted: (requestId) => this.#onAccepted(requestId),
    });
    asked.then(
      (result) => this.#onEnded(result),
      (error: unknown) => this.#onFailed(error),
    );
  }

  /** The tool calls it serves or served: the same call again has a right to its answer. */
  get toolUseIds(): ReadonlySet<string> {
    return this.#toolUseIds;
  }

  /** Serves one more call: with the answer if there is one, else when there is. */
  attend(context: AskContext): Promise<Served> {
    this.#lingerNoMore();
    if (context.pendingId !== undefined) this.#toolUseIds.add(context.pendingId);
    if (this.#requestId !== undefined) context.onAccepted?.(this.#requestId);
    if (this.#result !== undefined) return Promise.resolve(this.#result.handOver());
    return new Promise((resolve, reject) => {
      const call: WaitingCall = { ...context, resolve, reject };
      this.#waiting.add(call);
      context.signal.addEventListener('abort', () => this.#leave(call), { once: true });
      if (context.signal.aborted) this.#leave(call);
    });
  }

  /** The agent asks something else by this id now. The store ends the request recorded with it; others leave here. */
  supersede(toolUseId: string): void {
    this.#toolUseIds.delete(toolUseId);
    if (toolUseId === this.#pendingId) return;
    for (const call of [...this.#waiting].filter(({ pendingId }) => pendingId === toolUseId)) {
      this.#waiting.delete(call);
      call.resolve(withoutDuty('superseded'));
      if (this.#waiting.size === 0) this.#withdraw();
    }
  }

  /** Waits for nobody to come back any more. Resolves once that is recorded. Every call must have ended before. */
  async stop(): Promise<void> {
    if (this.#stopLingering !== undefined) {
      this.#withdraw();
      await this.#over;
    }
    await this.#result?.stop();
  }

  #onAccepted(requestId: string): void {
    this.#requestId = requestId;
    for (const call of this.#waiting) call.onAccepted?.(requestId);
  }

  #leave(call: WaitingCall): void {
    if (!this.#waiting.has(call)) return;
    const isLast = this.#waiting.size === 1;
    if (isLast && !(call.signal.reason instanceof AskerLost)) {
      // It goes on waiting: until its withdrawal is recorded.
      this.#withdraw();
      return;
    }
    this.#waiting.delete(call);
    call.resolve(withoutDuty('cancelled'));
    if (isLast) this.#stopLingering = this.#deps.clock.after(COME_BACK_MS, () => this.#withdraw());
  }

  #withdraw(): void {
    this.#lingerNoMore();
    if (this.#withdrawal.signal.aborted) return;
    this.#deps.closed(false);
    this.#withdrawal.abort();
  }

  #onEnded(result: PromptResult): void {
    const { clock, log } = this.#deps;
    const isWithdrawn = this.#withdrawal.signal.aborted;
    const shared = new SharedResult(result, {
      clock,
      log,
      // Only the same tool call has a right to an answer that is recorded, so without an id nobody can come for it.
      mayReturn: this.#toolUseIds.size > 0 && !isWithdrawn,
      recorded: () => this.#finish(),
    });
    this.#result = shared;
    this.#lingerNoMore();
    if (!isWithdrawn) this.#deps.closed(shared.isVerdict);
    for (const call of this.#waiting) {
      const isForAnother = result.outcome.kind === 'superseded' && call.pendingId !== this.#pendingId;
      call.resolve(isForAnother ? 'again' : shared.handOver());
    }
    this.#waiting.clear();
    void shared.missed('its asker did not come back');
  }

  #onFailed(error: unknown): void {
    if (!this.#withdrawal.signal.aborted) this.#deps.closed(false);
    if (this.#waiting.size === 0) this.#deps.log.error({ error: sentenceOf(error) }, 'asking failed');
    for (const call of this.#waiting) call.reject(error);
    this.#waiting.clear();
    this.#finish();
  }

  #lingerNoMore(): void {
    this.#stopLingering?.();
    this.#stopLingering = undefined;
  }

  #finish(): void {
    this.#deps.over();
    this.#end();
  }
}

/** For a call that leaves others behind, or its place: there is nothing to record of it. */
function withoutDuty(kind: 'cancelled' | 'superseded'): PromptResult {
  return { outcome: { kind }, delivered: async () => undefined, lost: async () => undefined };
}
