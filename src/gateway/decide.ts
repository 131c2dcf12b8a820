import type { Actor } from '../core/actor.ts';
import { sentenceOf } from '../core/errors.ts';
import { refusalToClaim } from '../core/lifecycle.ts';
import { refusalFor } from '../core/policy.ts';
import type { Claim } from '../core/ports/request-store.ts';
import type { FormLookup, PrivateReply, SurfaceHost, SurfaceResponse } from '../core/ports/surface-adapter.ts';
import type { RequestRecord } from '../core/request.ts';
import { cardOf } from '../prompt/card-view.ts';
import { refusedByPolicy, refusedByStore, STORE_UNREACHABLE, UNKNOWN_CARD } from '../prompt/private-replies.ts';
import type { GatewayDependencies, Redraw } from './dependencies.ts';

/** Judges every click and submit: who, then whether the request still takes it. One claim decides. */
export function createDecider(
  deps: GatewayDependencies & { onClaimed: (requestId: string, redraw: Redraw | undefined) => void },
): SurfaceHost {
  const { store, clock, log, route } = deps;

  /** The sentence for somebody who may not answer this request at all; undefined lets them on. */
  const policyRefusal = (record: RequestRecord, actor: Actor): { text: string; reason: string } | undefined => {
    const rule = route(record.session)?.operators;
    if (rule === undefined) return { text: UNKNOWN_CARD, reason: 'no_binding' };
    const refusal = isElsewhere(record, actor) ? 'stranger' : refusalFor(actor, rule);
    return refusal === undefined ? undefined : { text: refusedByPolicy(refusal, actor.platform), reason: refusal };
  };

  /** A refused click is audited, too; that the row cannot be written must not turn a refusal into silence. */
  const auditRefusal = async (requestId: string, claim: Pick<Claim, 'actor' | 'interactionId'>, reason: string) => {
    try {
      await store.recordRefusedClick(requestId, { claim, reason });
    } catch (error) {
      log.error({ requestId, reason, error: sentenceOf(error) }, 'a refused click could not be audited');
    }
  };

  return {
    async respond(response: SurfaceResponse): Promise<PrivateReply> {
      const { requestId, actor, interactionId, decision } = response;
      const claim = { decision, actor, interactionId };
      try {
        const record = await store.read(requestId);
        if (record === undefined) {
          await auditRefusal(requestId, claim, 'not_found');
          return UNKNOWN_CARD;
        }
        const refused = policyRefusal(record, actor);
        if (refused !== undefined) {
          await auditRefusal(requestId, claim, refused.reason);
          return refused.text;
        }
        const result = await store.claim(requestId, claim);
        if (result.code === 'done') {
          deps.onClaimed(requestId, response.redraw);
          return undefined;
        }
        if (result.code === 'repeated') return undefined;
        await auditRefusal(requestId, claim, result.code);
        return refusedByStore(result.code, result.record ?? record, clock.now());
      } catch (error) {
        log.error({ requestId, error: sentenceOf(error) }, 'a click could not be recorded');
        return STORE_UNREACHABLE;
      }
    },

    readDraft: (requestId) => store.readDraft(requestId),
    writeDraft: (requestId, body, replaces) => store.writeDraft(requestId, body, replaces),

    async lookUp(requestId: string, actor: Actor, interactionId: string): Promise<FormLookup> {
      try {
        const record = await store.read(requestId);
        if (record === undefined) {
          await auditRefusal(requestId, { actor, interactionId }, 'not_found');
          return { refused: UNKNOWN_CARD };
        }
        const refused = policyRefusal(record, actor);
        if (refused !== undefined) {
          await auditRefusal(requestId, { actor, interactionId }, refused.reason);
          return { refused: refused.text };
        }
        // The winning interaction itself, delivered once more: the claim will recognise it, and nobody is told twice.
        const isReplay = record.verdict?.interactionId === interactionId;
        const tooLate = isReplay ? undefined : refusalToClaim(record, clock.now());
        if (tooLate === undefined) return { card: cardOf(record, clock.now()) };
        await auditRefusal(requestId, { actor, interactionId }, tooLate);
        return { refused: refusedByStore(tooLate, record, clock.now()) };
      } catch (error) {
        log.error({ requestId, error: sentenceOf(error) }, 'a form could not be looked up');
        return { refused: STORE_UNREACHABLE };
      }
    },
  };
}

/** Whether the click comes from another workspace than the one the question was put to on that platform. */
function isElsewhere({ cards }: RequestRecord, { platform, workspaceId }: Actor): boolean {
  const places = cards.filter((card) => card.platform === platform);
  return places.length > 0 && !places.some((card) => card.workspaceId === workspaceId);
}
