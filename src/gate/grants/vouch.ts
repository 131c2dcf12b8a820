import type { Grant } from '../../core/grants/grant.ts';
import type { RequestStore } from '../../core/ports/request-store.ts';
import type { VerifyVerdict } from '../../core/ports/verdict-trust.ts';
import { offersOf } from '../../core/proposals/contract.ts';

/** Whether a grant that this process did not store itself is what a person decided. */
export type Vouch = (grant: Grant) => Promise<boolean>;

/**
 * Believes a stored grant for a session only where a gateway signed the very decision: by that person's verdict, on a card
 * that offered what the grant says, for that session, workspace and action. Whoever can write to the store cannot make one.
 * Another process's turn or action is nobody's business here.
 */
export function createVouch(requests: Pick<RequestStore, 'read'>, verify: VerifyVerdict): Vouch {
  return async ({ requestId, scope, covers, endsAt, sessionId, workspace, digest }) => {
    if (scope !== 'session') return false;
    const record = await requests.read(requestId);
    if (record?.kind !== 'proposal' || record.verdict === undefined || record.requestId !== requestId) return false;
    const { verdict, view } = record;
    if (verify({ requestId, kind: 'proposal', view }, verdict) !== undefined) return false;
    const { decision } = verdict;
    const isOfThis = view.session.sessionId === sessionId && view.session.workspace === workspace;
    if (decision.kind !== 'granted' || decision.scope !== scope || !isOfThis) return false;
    if (view.proposal.digest !== digest) return false;
    return offersOf(view.proposal).some(
      (offer) => offer.scope === scope && offer.covers === covers && offer.endsAt === endsAt,
    );
  };
}
