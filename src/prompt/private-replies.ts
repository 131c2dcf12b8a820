import type { Actor } from '../core/actor.ts';
import { agoInWords } from '../core/duration.ts';
import type { Refusal } from '../core/policy/people.ts';
import type { RequestRecord } from '../core/request.ts';
import type { StoreRefusal } from '../core/store-codes.ts';
import { decided, UNKNOWN_CARD } from './decided.ts';
import { proposalRefused } from './proposal-replies.ts';
import { VOTERS_UNVERIFIED, VOTES_CHANGED } from './vote-words.ts';

/**
 * What only the clicker sees. Plain text: adapters escape it. Each says what happened and whether anything came of the
 * click; none reveals more than the card does.
 */
export function refusedByPolicy(refusal: Refusal, platform: Actor['platform']): string {
  switch (refusal) {
    case 'not_listed':
      return 'You are not among the people who may answer this; nothing was recorded. Ask whoever set up handraise to add you.';
    case 'voted_before':
      return 'You have allowed this already. It takes somebody else, too.';
    case 'voters_unverified':
      return VOTERS_UNVERIFIED;
    case 'requester':
      return 'This run is yours, so somebody else has to decide on its steps; nothing was recorded.';
    case 'guest':
      return 'Guests may not answer an agent here; nothing was recorded.';
    case 'stranger':
      return STRANGER[platform];
    case 'bot':
      return 'A bot may not answer an agent; nothing was recorded.';
    case 'deactivated':
      return 'This account is deactivated, so it may not answer; nothing was recorded.';
    case 'unverified':
      return `handraise could not check with ${NAMES[platform]} who you are, so nothing was recorded. Please click again.`;
  }
}

const NAMES: Readonly<Record<Actor['platform'], string>> = {
  slack: 'Slack',
  discord: 'Discord',
  local: 'this machine',
};
const STRANGER: Readonly<Record<Actor['platform'], string>> = {
  slack: 'Only members of this workspace may answer an agent, not people of a shared channel; nothing was recorded.',
  discord: 'Only members of the server the question was put to may answer an agent; nothing was recorded.',
  local: 'Only users of this machine may answer an agent from it; nothing was recorded.',
};

/** Why a choice changed nothing. `record` is what the store told of the winner. */
export function refusedByStore(refusal: StoreRefusal, record: RequestRecord | undefined, now: number): string {
  if (record?.kind === 'proposal') return proposalRefused(refusal, record, now);
  const when = record?.endedAt === undefined ? '' : ` ${agoInWords(now - record.endedAt)}`;
  switch (refusal) {
    case 'already_resolved':
      return `${decided(record, now)} Your click changed nothing.`;
    case 'resolution_in_progress':
      return `${decided(record, now)} It is on its way to the agent; your click changed nothing.`;
    case 'deadline_passed':
      return `Timed out${when}: the agent went on without an answer, and your choice was not used.`;
    case 'stale':
      return staleReason(record, when);
    case 'delivery_failed':
      if (record?.outcome?.kind === 'indeterminate' && record.outcome.reason !== undefined) {
        return 'Something was recorded for this question that no gateway of its agent had signed, so the agent went on without an answer; your click changed nothing.';
      }
      return record?.verdict === undefined
        ? `The agent is gone${when === '' ? '' : ` (ended${when})`}: nobody waits for this answer any more, and your choice was not used.`
        : `${decided(record, now)} Whether it reached the agent could not be confirmed; your click changed nothing.`;
    case 'option_not_offered':
      return 'That choice is not on this card; nothing was recorded.';
    case 'votes_changed':
      return VOTES_CHANGED;
    case 'audit_failed':
      return 'Your choice could not be recorded (the audit file cannot be written), so nothing was sent to the agent. Please click again.';
    case 'not_shown':
    case 'not_allowed':
    case 'not_found':
      return UNKNOWN_CARD;
  }
}

/** When the store cannot be reached at all. */
export const STORE_UNREACHABLE =
  'handraise cannot record anything right now, so nothing was sent to the agent. Please click again.';

function staleReason(record: RequestRecord | undefined, when: string): string {
  switch (record?.outcome?.kind) {
    case 'superseded':
      return `The agent replaced this question by a newer one${when}; your choice was not used.`;
    case 'undeliverable':
      return `This question had been given up as undeliverable${when}; the agent went on, and your choice was not used.`;
    default:
      return `The agent withdrew this question${when}; your choice was not used.`;
  }
}
