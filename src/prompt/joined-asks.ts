import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/canonical-json.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { AskContext, Prompter, PromptResult } from '../core/ports/prompter.ts';
import type { Proposal } from '../core/proposals/contract.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import { CallGroup } from './call-group.ts';

/**
 * Tool calls whose answers can be had again. Retries follow at once, and a call's id never comes back for another call:
 * it takes 256 answered questions in one run to make it forget one. As many as kandev's tombstones.
 */
export const MOST_REMEMBERED = 256;

/**
 * The same prompter for calls that come twice: clients retry calls that timed out or lost their connection, and agents
 * ask the same in parallel. Lives as long as a turn, which is one run until turns are known.
 *
 * A call joins the open request of its content, whatever its tool-use id: one card, one answer, every caller served. A
 * recorded answer is given again to the same tool-use id with the same content, and to no other call. Whatever ended
 * without an answer is asked anew. Questions only: a grant is its own call's, so that proposals pass as they are.
 */
export class JoinedAsks implements Prompter {
  readonly #deps: { readonly inner: Prompter; readonly clock: Clock; readonly log: Logger };
  /** By digest of the content. */
  readonly #open = new Map<string, CallGroup>();
  /** By tool-use id, the one longest known first. */
  readonly #answered = new Map<string, { readonly group: CallGroup; readonly digest: string }>();
  readonly #unfinished = new Set<CallGroup>();

  constructor(deps: { readonly inner: Prompter; readonly clock: Clock; readonly log: Logger }) {
    this.#deps = deps;
  }

  async ask(batch: QuestionBatch, context: AskContext): Promise<PromptResult> {
    const digest = digestOf(batch);
    for (;;) {
      const served = await this.#groupFor(batch, digest, context).attend(context);
      if (served !== 'again') return served;
    }
  }

  propose(proposal: Proposal, context: AskContext): Promise<PromptResult> {
    return this.#deps.inner.propose(proposal, context);
  }

  get nobodyDecides(): Prompter['nobodyDecides'] {
    return this.#deps.inner.nobodyDecides;
  }

  /** Ends what waits for an asker to come back. Every call must have ended before. */
  async stop(): Promise<void> {
    await Promise.all([...this.#unfinished].map((group) => group.stop()));
  }

  #groupFor(batch: QuestionBatch, digest: string, context: AskContext): CallGroup {
    const { pendingId } = context;
    if (pendingId !== undefined) {
      const known = this.#answered.get(pendingId);
      if (known?.digest === digest) {
        this.#deps.log.info({ toolUseId: pendingId }, 'a call that was made again gets the answer that is recorded');
        return known.group;
      }
      this.#answered.delete(pendingId);
      for (const [of, group] of [...this.#open]) if (of !== digest) group.supersede(pendingId);
    }
    const open = this.#open.get(digest);
    if (open === undefined) return this.#begin(batch, digest, context);
    this.#deps.log.info({ toolUseId: pendingId }, 'a call joins the open question of the same content');
    return open;
  }

  #begin(batch: QuestionBatch, digest: string, { pendingId, subAgent }: AskContext): CallGroup {
    const first = {
      ...(pendingId === undefined ? {} : { pendingId }),
      ...(subAgent === undefined ? {} : { subAgent }),
    };
    const group: CallGroup = new CallGroup(batch, first, {
      ...this.#deps,
      closed: (isAnswered) => {
        this.#open.delete(digest);
        if (isAnswered) this.#remember(group, digest);
      },
      over: () => this.#unfinished.delete(group),
    });
    this.#unfinished.add(group);
    this.#open.set(digest, group);
    return group;
  }

  #remember(group: CallGroup, digest: string): void {
    for (const toolUseId of group.toolUseIds) this.#answered.set(toolUseId, { group, digest });
    for (const oldest of this.#answered.keys()) {
      if (this.#answered.size <= MOST_REMEMBERED) break;
      this.#answered.delete(oldest);
    }
  }
}

function digestOf(batch: QuestionBatch): string {
  return createHash('sha256').update(canonicalJson(batch)).digest('base64url');
}
