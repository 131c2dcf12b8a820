import type { Actor } from '../core/actor.ts';
import type { Card, CardPhase, LaterAction } from '../core/ports/surface-adapter.ts';
import type { Proposal } from '../core/proposals/contract.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import type { CardView, ProposalView, QuestionsView, RequestRecord, SessionFacts, Verdict } from '../core/request.ts';
import type { SubAgent } from '../core/sub-agent.ts';

import { PLATFORM_NAMES } from './seen-on.ts';

/** The platform-neutral content of a question card: facts first, then what the agent wrote, secrets masked (`masked.ts`). */
export function questionView(
  requestId: string,
  session: SessionFacts,
  batch: QuestionBatch,
  subAgent?: SubAgent,
): QuestionsView {
  const asker = subAgent === undefined ? {} : { subAgent };
  return { v: 1, requestId, kind: 'questions', session, ...asker, questions: batch.questions };
}

/** The same for a proposal: what the gate found, and what will run. */
export function proposalView(requestId: string, session: SessionFacts, proposal: Proposal): ProposalView {
  return { v: 1, requestId, kind: 'proposal', session, proposal };
}

/** Whether the store has let go of its texts, so that nothing can be drawn of it any more (`store/ended-records.ts`). */
export function isForgotten(view: CardView): boolean {
  return view.kind === 'questions' ? view.questions.length === 0 : view.proposal.offers.length === 0;
}

/** The card of a request as it has to look now. Only an ended record is drawn as ended. */
export function cardOf(record: RequestRecord, now: number, more: CardExtras = {}): Card {
  const state = phaseOf(record, now, more);
  return record.kind === 'questions' ? { view: record.view, state } : { view: record.view, state };
}

/** Everybody whose approval it took, by name; the last of them stands for all. */
function decidersOf({ actor, quorum }: Verdict): Actor {
  if (quorum === undefined) return actor;
  const names = quorum.earlier.map(({ name, platform }) =>
    platform === actor.platform || platform === 'local' ? name : `${name} on ${PLATFORM_NAMES[platform]}`,
  );
  return { ...actor, name: [...names, actor.name].join(' and ') };
}

/** What the record does not know of a proposal's card. */
interface CardExtras {
  readonly approvers?: string;
  readonly progress?: string;
  readonly later?: LaterAction;
}

function phaseOf(record: RequestRecord, now: number, { approvers, progress, later }: CardExtras): CardPhase {
  const { status, outcome, verdict, endedAt = now, deadline = record.queueDeadline } = record;
  if (status === 'ended' && outcome !== undefined) {
    // Who is said to have chosen what was not believed, is not believed either.
    const isBelieved = outcome.kind !== 'indeterminate' || outcome.reason === undefined;
    return {
      phase: 'ended',
      outcome,
      at: endedAt,
      ...(verdict !== undefined && isBelieved ? { actor: decidersOf(verdict) } : {}),
      ...(later === undefined ? {} : { later }),
    };
  }
  if (verdict !== undefined)
    return { phase: 'recorded', decision: verdict.decision, actor: decidersOf(verdict), at: verdict.at };
  return {
    phase: 'open',
    deadline,
    ...(approvers === undefined ? {} : { approvers }),
    ...(progress === undefined ? {} : { progress }),
  };
}
