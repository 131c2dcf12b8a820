import type { Outcome } from '../core/outcomes.ts';
import type { Proposal } from '../core/proposals/contract.ts';
import type { RequestRecord, Verdict } from '../core/request.ts';

/** The longest wait (24 h) plus 7 days: how long a late click is still told what happened (architecture.md 6). */
export const KEEP_ENDED_MS = (24 + 7 * 24) * 3_600_000;

/** Characters of question text that are kept for redrawing cards: the newest ended requests up to 8 Mi in all. */
export const MOST_TEXT = 8 * 1_048_576;

/** Ended requests without any card: nobody can click on them, so only the newest are kept. */
export const MOST_WITHOUT_CARD = 1_000;

/**
 * Ended requests as replay barriers. Memory is bounded in three ways: all go after `KEEP_ENDED_MS`; beyond `MOST_TEXT`
 * the oldest lose their texts and keep who decided what and when (about 1 kB, and their number is bounded by what a
 * platform lets one post); beyond `MOST_WITHOUT_CARD` the oldest that never had a card go altogether. Nothing with a
 * card goes early. Works on calls, without a timer.
 */
export class EndedRecords {
  /** In the order in which they ended. */
  readonly #records = new Map<string, RequestRecord>();
  /** Text sizes of those that still have their texts, oldest first. */
  readonly #withText = new Map<string, number>();
  readonly #withoutCard = new Set<string>();
  #text = 0;

  get size(): number {
    return this.#records.size;
  }

  get(requestId: string): RequestRecord | undefined {
    return this.#records.get(requestId);
  }

  /** Takes a record that has just ended, or a later version of one that has. */
  set(record: RequestRecord): void {
    const { requestId } = record;
    const isNew = !this.#records.has(requestId);
    this.#records.set(requestId, record);
    if (record.cards.length > 0) this.#withoutCard.delete(requestId);
    if (!isNew) return;
    if (record.cards.length === 0) this.#withoutCard.add(requestId);
    const size = JSON.stringify([
      record.view,
      record.kind === 'questions' && record.batch,
      record.verdict,
      record.outcome,
    ]).length;
    this.#withText.set(requestId, size);
    this.#text += size;
    this.#shorten();
  }

  /** Lets go of what is old enough by the clock. */
  forgetBefore(now: number): void {
    for (const [requestId, record] of this.#records) {
      if ((record.endedAt ?? now) + KEEP_ENDED_MS > now) return;
      this.#delete(requestId);
    }
  }

  #shorten(): void {
    for (const requestId of this.#withoutCard) {
      if (this.#withoutCard.size <= MOST_WITHOUT_CARD) break;
      this.#delete(requestId);
    }
    for (const requestId of this.#withText.keys()) {
      // The newest keeps its texts whatever its size: its cards are about to be settled.
      if (this.#text <= MOST_TEXT || this.#withText.size === 1) break;
      const record = this.#records.get(requestId);
      this.#dropText(requestId);
      if (record !== undefined) this.#records.set(requestId, withoutTexts(record));
    }
  }

  #delete(requestId: string): void {
    this.#records.delete(requestId);
    this.#withoutCard.delete(requestId);
    this.#dropText(requestId);
  }

  #dropText(requestId: string): void {
    this.#text -= this.#withText.get(requestId) ?? 0;
    this.#withText.delete(requestId);
  }
}

/** The record without what was asked and answered: enough for a late click, and for `retire`, not for drawing its card. */
function withoutTexts(record: RequestRecord): RequestRecord {
  const bare =
    record.kind === 'questions'
      ? { ...record, batch: { questions: [] }, view: { ...record.view, questions: [] } }
      : { ...record, view: { ...record.view, proposal: bareProposal(record.view.proposal) } };
  return {
    ...bare,
    ...(record.verdict === undefined ? {} : { verdict: bareVerdict(record.verdict) }),
    ...(record.outcome === undefined ? {} : { outcome: bareOutcome(record.outcome) }),
  };
}

/** Still says what kind of step it was. Without offers nothing can be granted any more, and nothing is to be drawn. */
function bareProposal(proposal: Proposal): Proposal {
  const { tool, effect, tags, digest } = proposal;
  const full = { kind: 'input', text: '' } as const;
  return { tool, effect, tags, digest, full, reason: '', programs: [], targets: [], hosts: [], cwd: null, offers: [] };
}

function bareVerdict(verdict: Verdict): Verdict {
  const { decision } = verdict;
  if (decision.kind === 'answers') return { ...verdict, decision: { kind: 'answers', sheet: [] } };
  return decision.kind === 'denied' ? { ...verdict, decision: { kind: 'denied' } } : verdict;
}

function bareOutcome(outcome: Outcome): Outcome {
  if (outcome.kind === 'denied') return { kind: 'denied' };
  return 'sheet' in outcome ? { ...outcome, sheet: [] } : outcome;
}
