import type { Card, CardPhase } from '../core/ports/surface-adapter.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import type { CardView, RequestRecord, SessionFacts } from '../core/request.ts';

/** The platform-neutral content of a question card: facts first, then what the agent wrote, to the letter. */
export function questionView(requestId: string, session: SessionFacts, batch: QuestionBatch): CardView {
  return { v: 1, requestId, kind: 'questions', session, questions: batch.questions };
}

/** The card of a request as it has to look now. Only an ended record is drawn as ended. */
export function cardOf(record: RequestRecord, now: number): Card {
  return { view: record.view, state: phaseOf(record, now) };
}

function phaseOf(record: RequestRecord, now: number): CardPhase {
  const { status, outcome, verdict, endedAt = now, deadline = record.queueDeadline } = record;
  if (status === 'ended' && outcome !== undefined) {
    // Who is said to have chosen what was not believed, is not believed either.
    const isBelieved = outcome.kind !== 'indeterminate' || outcome.reason === undefined;
    return {
      phase: 'ended',
      outcome,
      at: endedAt,
      ...(verdict !== undefined && isBelieved ? { actor: verdict.actor } : {}),
    };
  }
  if (verdict !== undefined)
    return { phase: 'recorded', decision: verdict.decision, actor: verdict.actor, at: verdict.at };
  return { phase: 'open', deadline };
}
