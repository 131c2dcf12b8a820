import { agoInWords } from '../core/duration.ts';
import type { Decision, RequestRecord } from '../core/request.ts';

/** What was decided, by whom and when. */
export function decided(record: RequestRecord | undefined, now: number): string {
  const verdict = record?.verdict;
  if (verdict === undefined) return 'Already decided.';
  return `Already ${deedOf(verdict.decision, record)} by ${verdict.actor.name} ${agoInWords(now - verdict.at)}.`;
}

function deedOf(decision: Decision, record: RequestRecord | undefined): string {
  switch (decision.kind) {
    case 'granted':
      return 'allowed';
    case 'denied':
      return 'denied';
    case 'declined':
      return 'left to the agent';
    case 'answers':
      return isSkip(record) ? 'skipped' : 'answered';
  }
}

/** An old record has lost its sheet; then its outcome tells. */
function isSkip(record: RequestRecord | undefined): boolean {
  const decision = record?.verdict?.decision;
  const sheet = decision?.kind === 'answers' ? decision.sheet : [];
  return (
    record?.outcome?.kind === 'skipped' || (sheet.length > 0 && sheet.every((answer) => answer.status !== 'answered'))
  );
}

/** For a card that no record belongs to: an older version, another installation, a run long gone. */
export const UNKNOWN_CARD =
  'This card is from an older version or from a run that is over; it cannot be answered any more, and nothing was recorded.';
