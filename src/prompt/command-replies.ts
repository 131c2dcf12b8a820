import { agoInWords } from '../core/duration.ts';
import type { Refusal } from '../core/policy/people.ts';
import type { RequestRecord } from '../core/request.ts';
import type { ResolveCode } from '../core/resolve-codes.ts';
import { decided } from './decided.ts';
import { VOTERS_UNVERIFIED, VOTES_CHANGED } from './vote-words.ts';

/** What somebody at a command line is told of a `resolve`: what happened, and whether anything came of it. */
export function resolveSentence(
  code: Exclude<ResolveCode, 'refused' | 'invalid_answers'>,
  record: RequestRecord | undefined,
  now: number,
): string {
  const when = record?.endedAt === undefined ? '' : ` ${agoInWords(now - record.endedAt)}`;
  switch (code) {
    case 'resolved':
      return record?.kind === 'proposal' ? 'The agent has the decision.' : 'The agent has the answer.';
    case 'recorded':
      return record?.kind === 'proposal'
        ? 'The decision is recorded; the agent has not confirmed yet that it has it.'
        : 'The answer is recorded; the agent has not confirmed yet that it has it.';
    case 'voted':
      return 'The approval is recorded. It takes more people; nothing is run yet.';
    case 'votes_changed':
      return VOTES_CHANGED;
    case 'session_not_found':
      return 'There is no such session here; nothing was recorded.';
    case 'not_found':
      return 'There is no such request here; nothing was recorded.';
    case 'not_shown':
      return 'This request waits for an earlier question of its session; nothing was recorded. Answer that one first.';
    case 'not_allowed':
      return 'The request takes no answer as it stands; nothing was recorded.';
    case 'stale':
      return `The request was ${staleWord(record)}${when}; nothing was recorded.`;
    case 'deadline_passed':
      return record?.kind === 'proposal'
        ? `The request timed out${when}: nothing was run, and nothing was recorded.`
        : `The request timed out${when}: the agent went on without an answer, and nothing was recorded.`;
    case 'already_resolved':
      return `${decided(record, now)} Nothing was recorded.`;
    case 'resolution_in_progress':
      return `${decided(record, now)} It is on its way to the agent; nothing was recorded.`;
    case 'option_not_offered':
      return 'That choice is not among those this request offers; nothing was recorded.';
    case 'audit_failed':
      return 'The answer could not be recorded (the audit cannot be written), so nothing was sent to the agent. Try again.';
    case 'delivery_failed':
      return record?.verdict === undefined
        ? `The agent is gone${when === '' ? '' : ` (ended${when})`}: nobody waits for this answer any more.`
        : `${decided(record, now)} Whether it reached the agent could not be confirmed.`;
    case 'unavailable':
      return 'handraise cannot reach its store right now. Look with `handraise pending` before you try again.';
  }
}

/** Why somebody at a command line may not answer. `kind`: of the request, where it is known. */
export function commandRefused(reason: Refusal | 'agent_tree', kind: RequestRecord['kind'] = 'questions'): string {
  if (reason === 'agent_tree') {
    return 'This runs beneath an agent, and an agent may not answer its own questions; nothing was recorded.';
  }
  if (reason === 'voted_before') return 'This user has allowed it already; it takes somebody else, too.';
  if (reason === 'voters_unverified') return VOTERS_UNVERIFIED;
  if (reason === 'requester')
    return 'This run is yours, so somebody else has to decide on its steps; nothing was recorded.';
  if (kind === 'proposal') {
    return 'This user may not approve here; nothing was recorded. The binding lists who may (grants.approvers, by localUsers at the command line).';
  }
  return 'This user may not answer here; nothing was recorded. The binding lists who may (questions.operators).';
}

function staleWord(record: RequestRecord | undefined): string {
  switch (record?.outcome?.kind) {
    case 'superseded':
      return 'replaced by a newer one';
    case 'undeliverable':
      return 'given up as undeliverable';
    default:
      return 'withdrawn by the agent';
  }
}
