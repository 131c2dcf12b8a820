import * as z from 'zod';
import { sentenceOf } from '../core/errors.ts';
import type { OutcomeKind } from '../core/outcomes.ts';
import type { Refusal } from '../core/policy/people.ts';
import type { AuditRow } from '../core/ports/audit-sink.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { RequestStore } from '../core/ports/request-store.ts';
import { STORE_CODES } from '../core/store-codes.ts';
import type { GatewayMeter, RefusedBecause } from './gateway-meter.ts';
import { keepLatest } from './latest.ts';

/** Every way a request can end: the values of a label. */
export const OUTCOMES = keysOf<OutcomeKind>({
  answered: true,
  partially_answered: true,
  skipped: true,
  declined: true,
  granted: true,
  denied: true,
  timed_out: true,
  cancelled: true,
  superseded: true,
  owner_lost: true,
  no_channel: true,
  undeliverable: true,
  indeterminate: true,
});

const POLICY = keysOf<Refusal | 'no_binding' | 'agent_tree'>({
  guest: true,
  stranger: true,
  bot: true,
  deactivated: true,
  unverified: true,
  not_listed: true,
  requester: true,
  voted_before: true,
  voters_unverified: true,
  no_binding: true,
  /** An agent that tried to answer itself. */
  agent_tree: true,
});

/** Every reason a click is counted under: the values of a label. */
export const REASONS: readonly RefusedBecause[] = [...POLICY, ...refusals(), 'other'];

const COUNTED = [
  'asked',
  'card_posted',
  'card_failed',
  'card_settled',
  'click_refused',
  'claimed',
  'delivered',
  'ended',
] as const satisfies readonly AuditRow['event'][];

/** What is counted of a row. Owners write rows, too, so that nothing in one can be taken for granted. */
const countedRow = z.object({
  at: z.number(),
  event: z.enum(COUNTED),
  requestId: z.string(),
  outcome: z.enum(OUTCOMES).optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
});
type CountedRow = z.output<typeof countedRow>;

/**
 * Counts rows of the audit, each given once over all gateways (`AuditSealerOptions.onSealed`). A delivery may be sealed
 * by another gateway than its claim was: the time of the claim is then read from the record.
 */
export function createRowCounter(
  meter: GatewayMeter,
  store: Pick<RequestStore, 'read'>,
  log: Logger,
): (rows: readonly string[]) => Promise<void> {
  /** Request → when a decision was recorded, while it is on its way. */
  const claims = new Map<string, number>();

  const delivered = async ({ requestId, at }: CountedRow) => {
    try {
      const claimedAt = claims.get(requestId) ?? (await store.read(requestId))?.verdict?.at;
      if (claimedAt !== undefined && claimedAt <= at) meter.delivered(at - claimedAt);
    } catch (error) {
      log.warn({ requestId, error: sentenceOf(error) }, 'a delivery is missing in the metrics');
    }
  };

  const steps: Readonly<Record<Exclude<CountedRow['event'], 'delivered'>, (row: CountedRow) => void>> = {
    asked: meter.asked,
    card_posted: meter.cardPosted,
    card_failed: meter.postFailed,
    card_settled: meter.cardSettled,
    click_refused: (row) => meter.clickRefused(reasonOf(row)),
    claimed({ requestId, at }) {
      claims.set(requestId, at);
      keepLatest(claims);
      meter.claimed();
    },
    ended({ requestId, outcome }) {
      claims.delete(requestId);
      if (outcome !== undefined) meter.ended(outcome);
    },
  };

  return async (texts) => {
    const deliveries: Promise<void>[] = [];
    for (const row of texts.flatMap((text) => rowIn(text) ?? [])) {
      if (row.event === 'delivered') deliveries.push(delivered(row));
      else steps[row.event](row);
    }
    await Promise.all(deliveries);
  };
}

function reasonOf({ reason }: CountedRow): RefusedBecause {
  return REASONS.find((known) => known === reason) ?? 'other';
}

/** Undefined for what is no row. */
function rowIn(text: string): CountedRow | undefined {
  try {
    return countedRow.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: somebody else's words, which the seal keeps as they are.
    return undefined;
  }
}

function refusals() {
  return keysOf(STORE_CODES).filter((code) => code !== 'done' && code !== 'repeated');
}

function keysOf<K extends string>(all: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(all) as K[];
}
