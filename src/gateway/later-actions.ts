import type { Actor } from '../core/actor.ts';
import type { Clock } from '../core/clock.ts';
import { isActive } from '../core/grants/grant.ts';
import type { GrantStore } from '../core/ports/grant-store.ts';
import type { LaterActions } from '../core/ports/later-actions.ts';
import type { LaterAction } from '../core/ports/surface-adapter.ts';
import type { RequestRecord } from '../core/request.ts';
import { ASKED_AGAIN, type RevokeCode, revokeSentence } from '../prompt/grant-words.ts';

/** The agent name of proposals that no gate is behind (`handraise propose`): nobody would propose them again. */
const OF_A_SCRIPT = 'script';

export interface LaterDeps {
  readonly grants: GrantStore;
  /** The store's. */
  readonly clock: Clock;
  readonly redraw: (requestId: string) => void;
}

/** Takes a grant back for somebody who may, and has its card drawn anew. Throws when the store cannot be reached. */
export async function revokeGrant(
  requestId: string,
  actor: Actor,
  { grants, redraw }: Pick<LaterDeps, 'grants' | 'redraw'>,
): Promise<RevokeCode> {
  const { code } = await grants.revoke(requestId, actor);
  redraw(requestId);
  switch (code) {
    case 'done':
    case 'repeated':
      return 'revoked';
    case 'audit_failed':
      return 'audit_failed';
    case 'not_found':
      return 'not_found';
    case 'already_resolved':
    case 'not_allowed':
      return 'over';
  }
}

/** Revoke on a grant that is good, Ask again on a step that nobody answered in time. */
export function createLaterActions(deps: LaterDeps): LaterActions {
  const { grants, clock, redraw } = deps;

  const offered = async ({ requestId, outcome, session }: RequestRecord): Promise<LaterAction | undefined> => {
    if (session.agent === OF_A_SCRIPT) return undefined;
    if (outcome?.kind === 'granted' && outcome.scope !== 'action') {
      const grant = await grants.read(requestId);
      return grant !== undefined && isActive(grant, clock.now()) ? 'revoke' : undefined;
    }
    if (outcome?.kind !== 'timed_out') return undefined;
    return (await grants.isLifted(requestId)) ? undefined : 'askagain';
  };

  return {
    offered,
    async act(record, action, actor) {
      const { requestId } = record;
      if (action === 'revoke') return revokeSentence(await revokeGrant(requestId, actor, deps));
      if ((await offered(record)) === 'askagain') await grants.liftRefusal(requestId, actor);
      redraw(requestId);
      return ASKED_AGAIN;
    },
  };
}
