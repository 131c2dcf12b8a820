import { type EndedBy, endedBy, isAnswered, type Outcome, type OutcomeKind } from '../core/outcomes.ts';
import { type EncodedAnswers, encodeAnswers } from '../core/questions/answers.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';

type AnsweredKind = 'answered' | 'partially_answered' | 'skipped';

/** People saw the questions. `answers` is keyed by the whole question text and has no key for a question they skipped. */
export interface Answered extends EncodedAnswers {
  readonly outcome: AnsweredKind;
  readonly by: 'operator';
  /** Links to the audit and the log; absent where there never was a request (scripted). */
  readonly requestId?: string;
}

/** Nobody answered, which is no preference. `declined`: a person leaves it to the asker. */
export interface NotAnswered {
  readonly outcome: Exclude<OutcomeKind, AnsweredKind | 'granted' | 'denied'>;
  readonly by: EndedBy;
  readonly requestId?: string;
  /** Why nothing could be posted. Only with `undeliverable`. */
  readonly reason?: string;
  readonly answers?: undefined;
}

/** How a batch of questions ended, as scripts and programs read it. */
export type Asked = Answered | NotAnswered;

export function askedOf(batch: QuestionBatch, outcome: Outcome, requestId: string | undefined): Asked {
  const id = requestId === undefined ? {} : { requestId };
  if (isAnswered(outcome))
    return { outcome: outcome.kind, by: 'operator', ...id, ...encodeAnswers(batch, outcome.sheet) };
  // The store takes no decision about a step on a question; should one be there all the same, it answers nothing.
  const kind = outcome.kind === 'granted' || outcome.kind === 'denied' ? 'indeterminate' : outcome.kind;
  return {
    outcome: kind,
    by: endedBy(kind),
    ...id,
    ...(outcome.kind === 'undeliverable' ? { reason: outcome.reason } : {}),
  };
}
