import type { Actor } from '../actor.ts';
import type { Outcome, Withheld } from '../outcomes.ts';
import type { Proposal } from '../proposals/contract.ts';
import type { QuestionBatch } from '../questions/contract.ts';
import type { SubAgent } from '../sub-agent.ts';

/** What is known about the call that asks. */
export interface AskContext {
  /**
   * Aborted when the asker withdrew or died: the request is then cancelled. With `AskerLost` as its reason the asker may
   * come back, so that a prompter which joins calls waits for it a while.
   */
  readonly signal: AbortSignal;
  /** The agent's own id of the tool call, where it gave one. */
  readonly pendingId?: string;
  /** Who asks, where it is not the agent itself. */
  readonly subAgent?: SubAgent;
  /** Called once the request exists, with its id; again if the call has to be put to people anew. */
  readonly onAccepted?: (requestId: string) => void;
}

/**
 * An outcome and the duty that comes with it: whoever hands it to the agent says whether it arrived. Exactly one of
 * `delivered` and `lost` is called, once; only `delivered` lets a card say "Answered".
 */
export interface PromptResult {
  readonly outcome: Outcome;
  /** Whose decision it is, where it is a person's. */
  readonly decidedBy?: Actor;
  delivered(): Promise<void>;
  /** `why` goes to the log; the record ends as indeterminate. `withheld`: nothing was run, and that is known. */
  lost(why: string, withheld?: Withheld): Promise<void>;
}

/**
 * Puts questions and proposals to people and waits. Chat, headless and scripted prompters implement it; the listener and the `ask`
 * command call it. It always comes back: every wait inside has a deadline and honours `signal`. It throws only
 * `HandraiseError`s (code `store`), which the caller words as an `undeliverable`.
 */
export interface Prompter {
  ask(batch: QuestionBatch, context: AskContext): Promise<PromptResult>;
  /**
   * The same for a step of the gate. Nothing but a `granted` outcome, and a `delivered` that follows, lets it run; two
   * identical proposals are two requests.
   */
  propose(proposal: Proposal, context: AskContext): Promise<PromptResult>;
  /** What every proposal ends as, where it is known beforehand that nobody may decide any. Absent: somebody may. */
  readonly nobodyDecides?: Extract<Outcome, { readonly kind: 'no_channel' }> | undefined;
}
