import { agoInWords } from '../core/duration.ts';
import type { RequestRecord } from '../core/request.ts';
import type { StoreRefusal } from '../core/store-codes.ts';
import { decided, UNKNOWN_CARD } from './decided.ts';
import { WITHHELD_WORDS } from './proposal-words.ts';
import { VOTES_CHANGED } from './vote-words.ts';

/** Why a click on a proposal changed nothing. Plain text: adapters escape it. */
export function proposalRefused(refusal: StoreRefusal, record: RequestRecord, now: number): string {
  const when = record.endedAt === undefined ? '' : ` ${agoInWords(now - record.endedAt)}`;
  switch (refusal) {
    case 'already_resolved':
      return `${decided(record, now)} Your click changed nothing.`;
    case 'resolution_in_progress':
      return `${decided(record, now)} It is on its way to the agent; your click changed nothing.`;
    case 'deadline_passed':
      return `Timed out${when}: nothing was run, and your choice was not used.`;
    case 'stale':
      return staleReason(record, when);
    case 'delivery_failed':
      if (record.outcome?.kind === 'indeterminate' && record.outcome.reason !== undefined) {
        return 'Something was recorded for this step that no gateway of its agent had signed, so nothing was run; your click changed nothing.';
      }
      if (record.outcome?.kind === 'indeterminate' && record.outcome.withheld !== undefined) {
        return `${decided(record, now)} But ${WITHHELD_WORDS[record.outcome.withheld]}, so it was not run; your click changed nothing.`;
      }
      return record.verdict === undefined
        ? `The agent is gone${when === '' ? '' : ` (ended${when})`}: nothing was run, and your choice was not used.`
        : `${decided(record, now)} Whether it reached the agent could not be confirmed; your click changed nothing.`;
    case 'option_not_offered':
      return 'This step cannot be allowed like that; nothing was recorded.';
    case 'votes_changed':
      return VOTES_CHANGED;
    case 'audit_failed':
      return 'Your choice could not be recorded (the audit cannot be written), so nothing was allowed. Please click again.';
    case 'not_shown':
    case 'not_allowed':
    case 'not_found':
      return UNKNOWN_CARD;
  }
}

function staleReason(record: RequestRecord, when: string): string {
  switch (record.outcome?.kind) {
    case 'superseded':
      return `The agent replaced this step by a newer one${when}; your choice was not used.`;
    case 'undeliverable':
      return `This step had been given up as undeliverable${when}; nothing was run, and your choice was not used.`;
    case 'cancelled':
      if (record.outcome.coveredBy !== undefined) {
        return `What was allowed on another card of this session covers this step, too${when === '' ? '' : ` (decided${when})`}; your choice was not used. To stop it, take that permission back.`;
      }
      return `The agent withdrew this step${when}; nothing was run, and your choice was not used.`;
    default:
      return `The agent withdrew this step${when}; nothing was run, and your choice was not used.`;
  }
}
