import type { Clock } from '../core/clock.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { AnsweredByGrant } from '../core/grants/answered-by-grant.ts';
import type { NewId } from '../core/ids.ts';
import { outcomeOfVerdict } from '../core/lifecycle.ts';
import { endedBy, type Outcome, type Withheld } from '../core/outcomes.ts';
import { isOffered } from '../core/picks.ts';
import { classOf, type GrantTerms } from '../core/policy/approval.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { AskContext, Prompter, PromptResult } from '../core/ports/prompter.ts';
import type { RequestStore, StoreResult, Unsubscribe } from '../core/ports/request-store.ts';
import type { DecidedOn, VerifyVerdict } from '../core/ports/verdict-trust.ts';
import type { Proposal } from '../core/proposals/contract.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import { createRedactor, type Redactor } from '../core/redact/redactor.ts';
import type { NewProposal, NewQuestions, NewRequest, RequestRecord, SessionFacts } from '../core/request.ts';
import type { VerdictFault } from '../core/verdict-signature.ts';
import { Bell } from './bell.ts';
import { proposalView, questionView } from './card-view.ts';
import { type Verdictless, whatIsDue } from './due.ts';
import { LastWord } from './last-word.ts';
import { maskedBatch, maskedProposal, maskedSession, relabelled } from './masked.ts';

/** What a chat prompter stands on. It owns none of it but its own subscription. */
export interface ChatPrompterDependencies {
  readonly store: RequestStore;
  /** This process start; unique, never reused. */
  readonly ownerId: string;
  readonly session: SessionFacts;
  /** Masks what is put to people and to the store. Default: one that knows no values and no commands. */
  readonly redactor?: Redactor;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  /** Judges every recorded verdict before it is delivered (architecture.md invariant 5). */
  readonly verify: VerifyVerdict;
  /** Milliseconds a question stays open. */
  readonly waitMs: number;
  /** How proposals are put to people. Absent: nobody may approve any. */
  readonly grants?: GrantTerms;
  /** On how many surfaces the binding posts: a request is undeliverable at once when each has refused for good. */
  readonly surfaces: number;
}

const NO_CHANNEL = { kind: 'no_channel' } as const;

/** The slow poll that makes a lost wake-up harmless (architecture.md invariant 1). */
const POLL_MS = 2_000;

/**
 * The owner's side of a chat question: opens the request, waits for its record to be decided, and ends it itself when
 * time is up, the asker withdrew, or nothing could be posted. It believes the record only, never the wake-up.
 */
export class ChatPrompter implements Prompter {
  readonly #deps: ChatPrompterDependencies;
  readonly #redactor: Redactor;
  readonly #session: SessionFacts;
  readonly #lastWord: LastWord;
  readonly #waiting = new Map<string, () => void>();
  #unsubscribe: Unsubscribe = () => undefined;

  private constructor(deps: ChatPrompterDependencies) {
    this.#deps = deps;
    this.#redactor = deps.redactor ?? createRedactor();
    this.#session = maskedSession(deps.session, this.#redactor);
    this.#lastWord = new LastWord(deps);
  }

  /** Resolves once wake-ups are certain to arrive, so that no answer can be missed. */
  static async start(deps: ChatPrompterDependencies): Promise<ChatPrompter> {
    const prompter = new ChatPrompter(deps);
    prompter.#unsubscribe = await deps.store.watchOwner(deps.ownerId, (requestId) =>
      prompter.#waiting.get(requestId)?.(),
    );
    return prompter;
  }

  /** Ends the subscription. Open calls must have been aborted before. */
  stop(): void {
    this.#lastWord.stop();
    this.#unsubscribe();
  }

  /** Only masked texts leave this process; the agent gets its own labels back. */
  async ask(batch: QuestionBatch, context: AskContext): Promise<PromptResult> {
    const { waitMs } = this.#deps;
    const masked = maskedBatch(batch, this.#redactor.card());
    const result = await this.#put(context, waitMs, (common) => ({
      ...common,
      kind: 'questions',
      batch: masked,
      view: questionView(common.requestId, this.#session, masked, context.subAgent),
    }));
    const { outcome } = result;
    return 'sheet' in outcome
      ? { ...result, outcome: { ...outcome, sheet: relabelled(outcome.sheet, masked, batch) } }
      : result;
  }

  get nobodyDecides(): Prompter['nobodyDecides'] {
    const { grants } = this.#deps;
    if (grants === undefined) return NO_CHANNEL;
    const { write, external } = grants.nobody ?? {};
    return write === undefined || external === undefined ? undefined : { ...NO_CHANNEL, cure: write };
  }

  async propose(proposal: Proposal, context: AskContext): Promise<PromptResult> {
    const { grants } = this.#deps;
    if (grants === undefined) return ended(NO_CHANNEL);
    const nobody = grants.nobody?.[classOf(proposal.effect)];
    if (nobody !== undefined) return ended({ ...NO_CHANNEL, cure: nobody });
    const masked = maskedProposal(proposal, this.#redactor.card());
    return this.#put(context, grants.waitMs, (common) => ({
      ...common,
      kind: 'proposal',
      view: proposalView(common.requestId, this.#session, masked),
    }));
  }

  async #put(
    context: AskContext,
    waitMs: number,
    requestWith: (common: Omit<NewQuestions, 'kind' | 'batch' | 'view'>) => NewQuestions | NewProposal,
  ): Promise<PromptResult> {
    const { ownerId, newId } = this.#deps;
    const requestId = newId();
    const bell = new Bell();
    this.#waiting.set(requestId, () => bell.ring());
    const onAbort = () => bell.ring();
    context.signal.addEventListener('abort', onAbort);
    try {
      const request = requestWith({
        requestId,
        ...(context.pendingId === undefined ? {} : { pendingId: context.pendingId }),
        ownerId,
        session: this.#session,
        waitMs,
      });
      const opened = await this.#open(request);
      if (opened.code !== 'done') return this.#unrecorded(requestId, opened.code);
      context.onAccepted?.(requestId);
      const decided = await this.#untilDecided(opened.record, bell, context.signal);
      return 'ended' in decided
        ? ended(decided.ended)
        : await this.#deliverable(decided.claimed, request, context.signal);
    } finally {
      context.signal.removeEventListener('abort', onAbort);
      this.#waiting.delete(requestId);
    }
  }

  /** A call that failed may have opened the request all the same: then nobody waits for it, and its card has to say so. */
  async #open(request: NewRequest): Promise<StoreResult> {
    try {
      return await this.#deps.store.open(request);
    } catch (error) {
      await this.#lastWord.close(request.requestId, { kind: 'undeliverable', reason: sentenceOf(error) });
      throw error;
    }
  }

  /** Reads the record again and again (woken, or polled) until it is decided, ending it where that is our turn. */
  async #untilDecided(opened: RequestRecord, bell: Bell, signal: AbortSignal): Promise<Decided> {
    const { clock, surfaces } = this.#deps;
    for (let record = opened; ; ) {
      if (record.status === 'claimed') return { claimed: record };
      if (record.status === 'ended') return { ended: record.outcome ?? { kind: 'indeterminate' } };
      const coveredBy = signal.reason instanceof AnsweredByGrant ? signal.reason.grant.requestId : undefined;
      const facts = { now: clock.now(), withdrawn: signal.aborted, coveredBy, surfaces };
      const due = whatIsDue(record as Verdictless, facts);
      if (due.outcome === undefined) {
        await bell.rung(clock, Math.min(POLL_MS, due.inMs));
        record = await this.#latest(record);
        continue;
      }
      const closed = await this.#lastWord.close(record.requestId, due.outcome);
      if (closed === undefined || closed.code === 'done') return { ended: due.outcome };
      // A verdict got there first, or it has ended.
      record = closed.record ?? (await this.#latest(record));
    }
  }

  /** The record as it is now; while the store cannot be read, as it was: an outage does not end the wait. */
  async #latest(known: RequestRecord): Promise<RequestRecord> {
    const { store, log } = this.#deps;
    const { requestId } = known;
    try {
      const record = await store.read(requestId);
      if (record !== undefined) return record;
    } catch (error) {
      log.warn({ requestId, error: sentenceOf(error) }, 'the store cannot be read; waiting on');
      return known;
    }
    throw new HandraiseError(`The store lost request ${requestId}.`, { code: 'store' });
  }

  /**
   * A verdict is checked against what we asked ourselves before it counts; anything else ends as indeterminate. What is
   * not a gateway's decision ends the request, too: it stands where a person's click would have to go.
   */
  async #deliverable(record: RequestRecord, asked: DecidedOn, signal: AbortSignal): Promise<PromptResult> {
    const { log } = this.#deps;
    const { requestId } = record;
    const lost = async (why: string, withheld?: Withheld) => {
      log.warn({ requestId, why }, 'an answer was recorded but did not reach the agent');
      await this.#lastWord.close(requestId, { kind: 'indeterminate', ...(withheld === undefined ? {} : { withheld }) });
    };
    const reason = this.#faultOf(record.verdict, asked);
    if (reason !== undefined) {
      const { keyId } = record.verdict?.signature ?? {};
      log.error(
        { requestId, reason, keyId },
        'a recorded answer was refused: it is not a decision of a trusted gateway',
      );
      await this.#lastWord.close(requestId, { kind: 'indeterminate', reason });
      return ended({ kind: 'indeterminate', reason });
    }
    if (signal.aborted) {
      await lost('the asker was gone');
      return ended({ kind: 'indeterminate' });
    }
    return {
      outcome: outcomeOfVerdict(record),
      ...(record.verdict === undefined ? {} : { decidedBy: record.verdict.actor }),
      lost,
      delivered: async () => {
        const confirmed = await this.#lastWord.confirm(requestId);
        if (confirmed !== undefined && confirmed.code !== 'done')
          log.error({ requestId, code: confirmed.code }, 'a delivery could not be confirmed');
      },
    };
  }

  #faultOf(verdict: RequestRecord['verdict'], asked: DecidedOn): VerdictFault | undefined {
    if (verdict === undefined) return 'unreadable';
    return this.#deps.verify(asked, verdict) ?? (isOffered(asked, verdict.decision) ? undefined : 'not_offered');
  }

  #unrecorded(requestId: string, code: string): PromptResult {
    this.#deps.log.error({ requestId, code }, 'a request could not be opened');
    return ended({ kind: 'undeliverable', reason: 'it could not be recorded' });
  }
}

/** How the wait for a decision ended: without one, or with one that now has to be delivered. */
type Decided = { readonly ended: Outcome } | { readonly claimed: RequestRecord };

/** A decision that somebody else calls delivered is none of ours, whatever the record says. */
function ended(outcome: Outcome): PromptResult {
  const nothingToConfirm = async () => undefined;
  return {
    outcome: endedBy(outcome.kind) === 'operator' ? { kind: 'indeterminate' } : outcome,
    delivered: nothingToConfirm,
    lost: nothingToConfirm,
  };
}
