import type { GatedStep } from './gated-step.ts';
import type { StepFacts } from './grants/covers.ts';

/** A proposal that waits for a person. */
export interface Waiting {
  readonly step: GatedStep;
  readonly facts: StepFacts;
  /** Aborted when it is withdrawn, with `AnsweredByGrant` as its reason where it is allowed by that. */
  readonly withdrawal: AbortController;
}

/** The proposals of one gate that wait for people. */
export class PendingProposals {
  readonly #waiting = new Map<string, Waiting>();

  ofSession(sessionId: string): number {
    return [...this.#waiting.values()].filter(({ facts }) => facts.sessionId === sessionId).length;
  }

  add(waiting: Waiting): void {
    this.#waiting.set(waiting.facts.callId, waiting);
  }

  remove(callId: string): void {
    this.#waiting.delete(callId);
  }

  withdraw(isMeant: (waiting: Waiting) => boolean, reason?: Error): void {
    for (const waiting of [...this.#waiting.values()]) {
      if (isMeant(waiting)) waiting.withdrawal.abort(reason);
    }
  }
}
