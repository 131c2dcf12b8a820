import type { Actor } from '../core/actor.ts';
import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { Grant, GrantEnd, NewGrant } from '../core/grants/grant.ts';
import { WITHHELD, type Withheld } from '../core/outcomes.ts';
import type { Delivery, GateDecision } from '../core/ports/gate.ts';
import type { GrantStore } from '../core/ports/grant-store.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { PromptResult } from '../core/ports/prompter.ts';
import type { Offer } from '../core/proposals/contract.ts';
import { type Denial, denial, denialOf, grantOver } from './denials.ts';
import { notCovered, type StepFacts } from './grants/covers.ts';
import type { Vouch } from './grants/vouch.ts';
import type { Judge, Judged } from './judge.ts';
import type { ToldCall } from './told.ts';

export interface PermitsDeps {
  readonly grants: GrantStore;
  readonly judge: Judge;
  readonly vouch: Vouch;
  readonly ownerId: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One call through the gate, with what it needs on its way. */
export interface Passing {
  readonly judged: Judged;
  readonly covers: StepFacts;
  readonly told: ToldCall;
  readonly salt: string;
  readonly signal: AbortSignal;
}

/** A proposal that a person granted, and what was offered on its card. */
interface Granted {
  readonly requestId: string;
  readonly scope: Grant['scope'];
  readonly offers: readonly Offer[];
  readonly result: PromptResult;
}

type GrantingBy = 'operator' | 'active_scope';

/** Stores what people grant, and lets steps run by it. */
export class Permits {
  readonly #deps: PermitsDeps;
  /** Given here for longer than a call: looked at where there is no time to ask the store. */
  readonly #given = new Map<string, Grant>();

  constructor(deps: PermitsDeps) {
    this.#deps = deps;
  }

  /** Whether a grant of this process is good for the step, without a wait. */
  givenFor({ judged, covers }: Passing): Grant | undefined {
    const now = this.#deps.clock.now();
    return [...this.#given.values()].find((grant) => notCovered(grant, judged.step, covers, now) === undefined);
  }

  /** By any grant of the session that is good for the step; undefined when there is none. */
  async byActive(passing: Passing): Promise<GateDecision | undefined> {
    const { grants, clock } = this.#deps;
    const { covers, judged } = passing;
    for (const stored of await grants.listActive(covers.sessionId)) {
      const grant = await this.#believed(stored);
      if (grant === undefined) continue;
      if (grant.workspace !== covers.workspace) await grants.end(grant.requestId, 'workspace_changed');
      if (notCovered(grant, judged.step, covers, clock.now()) !== undefined) continue;
      const decision = await this.serve(grant, passing, 'active_scope');
      // One that has just ended may not be the only one.
      if (decision.behavior === 'allow' || decision.kind !== 'grant_over') return decision;
    }
    return undefined;
  }

  /** The last look: is it still what was judged, and is the grant still there? */
  async serve(
    { requestId, scope }: Grant,
    { judged, covers, told, salt }: Passing,
    by: GrantingBy,
    from: { readonly actor?: Actor | undefined; readonly delivery?: Delivery } = {},
  ): Promise<GateDecision> {
    const { grants, judge } = this.#deps;
    const { call, step } = judged;
    const { digest, callId } = covers;
    const basis = { requestId, digest, actor: from.actor };
    const refused = async (why: Denial) => {
      // The person's decision is not carried out: their card must not say that it was.
      await from.delivery?.lost(why.kind, withheldBy(why));
      return told.deny(why, basis);
    };
    if (!(await judge.isSame(judged, salt))) {
      if (by === 'operator') await grants.end(requestId, 'drifted');
      return refused(denial('drifted'));
    }
    const used = await grants.use(requestId, { callId, tool: call.tool, effect: step.effect, digest });
    if (used.code === 'done' || used.code === 'repeated') {
      return told.allow(call, by, scope, { ...basis, delivery: from.delivery });
    }
    if (used.code === 'audit_failed') return refused(denial('not_recorded'));
    this.#given.delete(requestId);
    return refused(grantOver(used.grant?.ended?.why));
  }

  /** What a person granted on the step's own card. `grant`: where it is good for others, too. */
  async byOperator(
    { requestId, scope, offers, result }: Granted,
    passing: Passing,
  ): Promise<{ readonly decision: GateDecision; readonly grant?: Grant }> {
    const { told, covers } = passing;
    const { decidedBy: actor } = result;
    const delivery: Delivery = {
      delivered: () => result.delivered(),
      lost: async (why, withheld) => {
        this.#given.delete(requestId);
        await result.lost(why, withheld);
        await this.#end(requestId, 'not_delivered');
      },
    };
    const refused = async (why: Denial) => {
      await delivery.lost(why.kind, withheldBy(why));
      return { decision: told.deny(why, { requestId, digest: covers.digest, actor }) };
    };
    const offer = offers.find((one) => one.scope === scope);
    if (offer === undefined) return refused(denialOf({ kind: 'indeterminate' }));
    try {
      const stored = await this.#deps.grants.grant(this.#grantOf(requestId, offer, actor, covers));
      if (stored.code === 'already_resolved') return await refused(grantOver('revoked'));
      if (stored.code !== 'done' && stored.code !== 'repeated') return await refused(denial('not_recorded'));
      const decision = await this.serve(stored.grant, passing, 'operator', { actor, delivery });
      if (decision.behavior === 'deny' || scope === 'action') return { decision };
      this.#given.set(requestId, stored.grant);
      return { decision, grant: stored.grant };
    } catch (thrown) {
      this.#deps.log.error({ requestId, error: sentenceOf(thrown) }, 'a grant could not be recorded or used');
      return refused(denial('not_recorded'));
    }
  }

  /** Ends what is meant, as far as the store can be reached. */
  async endAll(
    why: 'turn_ended' | 'session_ended' | 'owner_stopped',
    isMeant: (grant: Grant) => boolean,
  ): Promise<void> {
    for (const grant of [...this.#given.values()]) if (isMeant(grant)) this.#given.delete(grant.requestId);
    try {
      for (const { requestId } of (await this.#deps.grants.listActive()).filter(isMeant))
        await this.#end(requestId, why);
    } catch (thrown) {
      // They are good for nothing all the same: another turn, another process; a session's has its time limit.
      this.#deps.log.error({ why, error: sentenceOf(thrown) }, 'grants could not be looked for to end them');
    }
  }

  /** Before the store knows: nothing more is served from memory. */
  forget(requestId: string): void {
    this.#given.delete(requestId);
  }

  /**
   * What was given here, as it was given: the store only says that it is not over. Anything else needs a gateway's
   * signature.
   */
  async #believed(stored: Grant): Promise<Grant | undefined> {
    const own = this.#given.get(stored.requestId);
    if (own !== undefined) return own;
    if (await this.#deps.vouch(stored)) return stored;
    const { requestId, scope, ownerId } = stored;
    if (scope === 'session') this.#deps.log.warn({ requestId, ownerId }, 'a stored grant is not what a gateway signed');
    return undefined;
  }

  #grantOf(requestId: string, offer: Offer, actor: Actor | undefined, facts: StepFacts): NewGrant {
    const { sessionId, workspace, turnId, callId, digest } = facts;
    return {
      requestId,
      scope: offer.scope,
      covers: offer.covers,
      ...(offer.endsAt === undefined ? {} : { endsAt: offer.endsAt }),
      sessionId,
      workspace,
      ownerId: this.#deps.ownerId,
      ...(turnId === undefined ? {} : { turnId }),
      callId,
      digest,
      ...(actor === undefined ? {} : { by: actor }),
    };
  }

  async #end(requestId: string, why: Exclude<GrantEnd, 'used' | 'revoked'>): Promise<void> {
    try {
      await this.#deps.grants.end(requestId, why);
    } catch (thrown) {
      this.#deps.log.error({ requestId, why, error: sentenceOf(thrown) }, 'a grant could not be ended in the store');
    }
  }
}

/** What the card of the permission says then. */
function withheldBy({ kind }: Denial): Withheld | undefined {
  return WITHHELD.find((known) => known === kind);
}
