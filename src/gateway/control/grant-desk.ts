import { sentenceOf } from '../../core/errors.ts';
import type { Grant } from '../../core/grants/grant.ts';
import type { NewId } from '../../core/ids.ts';
import type { GrantStore } from '../../core/ports/grant-store.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { RequestStore } from '../../core/ports/request-store.ts';
import { type ListedGrant, MOST_LISTED, type Revocation, type RevokeFrame } from '../../core/wire/control.ts';
import { commandRefused } from '../../prompt/command-replies.ts';
import { revokeSentence } from '../../prompt/grant-words.ts';
import type { Decider } from '../decide.ts';
import { revokeGrant } from '../later-actions.ts';
import type { Peer } from './peer.ts';

export interface GrantKeeping {
  readonly kept: GrantStore;
  readonly redraw: (requestId: string) => void;
}

export interface GrantDesk {
  list(): Promise<readonly ListedGrant[]>;
  /** By the same people as a click on the card's button. Never throws. */
  revoke(frame: RevokeFrame, peer: Peer): Promise<Revocation>;
}

interface GrantDeskDeps extends GrantKeeping {
  readonly store: RequestStore;
  readonly decider: Pick<Decider, 'refusalOf' | 'auditRefusal'>;
  readonly newId: NewId;
  readonly log: Logger;
}

/** What users of this machine see of the permissions that are good, and how they take one back. */
export function createGrantDesk({ kept, redraw, store, decider, newId, log }: GrantDeskDeps): GrantDesk {
  return {
    async list() {
      return (await kept.listActive()).slice(0, MOST_LISTED).map(listed);
    },
    async revoke({ requestId }, { actor, inside }) {
      const claim = { actor, interactionId: `cli-${newId()}` };
      try {
        if (inside !== undefined) {
          log.warn({ requestId, inside }, 'a process of an agent tried to take a permission back');
          await decider.auditRefusal(requestId, claim, 'agent_tree');
          return { code: 'refused', sentence: commandRefused('agent_tree') };
        }
        const record = await store.read(requestId);
        if (record?.kind !== 'proposal') return said('not_found');
        const refused = await decider.refusalOf(record, actor);
        if (refused !== undefined) {
          const isPolicy = refused.code === 'refused';
          await decider.auditRefusal(requestId, claim, isPolicy ? refused.refusal : refused.code);
          return isPolicy
            ? { code: 'refused', sentence: commandRefused(refused.refusal, 'proposal') }
            : said('not_found');
        }
        return said(await revokeGrant(requestId, actor, { grants: kept, redraw }));
      } catch (error) {
        log.error({ requestId, error: sentenceOf(error) }, 'a permission could not be taken back');
        return said('unavailable');
      }
    },
  };
}

function said(code: Exclude<Revocation['code'], 'refused'>): Revocation {
  return { code, sentence: revokeSentence(code) };
}

function listed({ requestId, scope, covers, sessionId, workspace, grantedAt, by, endsAt, uses }: Grant): ListedGrant {
  return {
    requestId,
    scope,
    covers,
    sessionId,
    workspace,
    grantedAt: new Date(grantedAt).toISOString(),
    ...(by === undefined ? {} : { by: by.name }),
    ...(endsAt === undefined ? {} : { endsAt: new Date(endsAt).toISOString() }),
    uses,
  };
}
