import type { Actor } from '../core/actor.ts';
import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { AnsweredByGrant } from '../core/grants/answered-by-grant.ts';
import type { Grant } from '../core/grants/grant.ts';
import type { NewId } from '../core/ids.ts';
import type { Outcome } from '../core/outcomes.ts';
import type { CallFacts, Gate, GateDecision, ToolCall } from '../core/ports/gate.ts';
import type { GrantResult, GrantStore } from '../core/ports/grant-store.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter, PromptResult } from '../core/ports/prompter.ts';
import type { Offer } from '../core/proposals/contract.ts';
import { denial, denialOf, refusedBefore } from './denials.ts';
import type { ClassifyCall, GatedStep } from './gated-step.ts';
import { notCovered, type StepFacts } from './grants/covers.ts';
import { offersFor } from './grants/offers.ts';
import { Refusals } from './grants/refusals.ts';
import type { Vouch } from './grants/vouch.ts';
import { createJudge, isTooLarge, type Judge, takenCall } from './judge.ts';
import { PendingProposals } from './pending.ts';
import { type Passing, Permits } from './permits.ts';
import { proposalOf } from './proposal/build.ts';
import { RecentTurns } from './recent-turns.ts';
import type { GateSettings } from './settings.ts';
import { type GateEvents, ToldCall } from './told.ts';
import { isTrusted } from './trusted-commands.ts';

/** What a gate stands on. It owns none of it. */
export interface GateDependencies {
  readonly prompter: Pick<Prompter, 'propose' | 'nobodyDecides'>;
  readonly grants: GrantStore;
  /** Asked about grants of other processes. */
  readonly vouch: Vouch;
  readonly classify: ClassifyCall;
  readonly settings: GateSettings;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** This process start; unique, never reused. */
  readonly ownerId: string;
  /** Whether a grant for a session is of use to a later process: with a store that outlives this one. */
  readonly outlived: boolean;
  /** The store's: time limits are judged by it. */
  readonly clock: Clock;
  readonly newId: NewId;
  readonly events: GateEvents;
  readonly log: Logger;
}

/**
 * The write gate of one owner. Order: what touches handraise is denied, reads run, what was refused in this turn stays
 * refused, a grant that is good for the step lets it run, then what the team trusts; anything else is put to people.
 * Nothing runs unless it is, right then, what was judged, and a grant was taken for it or a rule says so. Every failure
 * denies, with its own sentence.
 */
export class WriteGate implements Gate {
  readonly #deps: GateDependencies;
  readonly #judge: Judge;
  readonly #permits: Permits;
  readonly #refusals = new Refusals();
  readonly #pending = new PendingProposals();
  readonly #endedTurns = new RecentTurns();

  constructor(deps: GateDependencies) {
    this.#deps = deps;
    this.#judge = createJudge(deps.classify, deps.settings);
    this.#permits = new Permits({ ...deps, judge: this.#judge });
  }

  async check(call: ToolCall, facts: CallFacts, { signal }: { signal: AbortSignal }): Promise<GateDecision> {
    const told = new ToldCall(this.#deps, call, facts);
    try {
      return await this.#check(call, facts, told, signal);
    } catch (thrown) {
      this.#deps.log.error({ tool: call.tool, error: sentenceOf(thrown) }, 'a step could not be gated; it is denied');
      return told.deny(denial('not_recorded'));
    }
  }

  async #check(given: ToolCall, facts: CallFacts, told: ToldCall, signal: AbortSignal): Promise<GateDecision> {
    const { settings, grants, log } = this.#deps;
    let call: ToolCall;
    let first: Awaited<ReturnType<Judge['classified']>>;
    try {
      call = takenCall(given);
      if (isTooLarge(call)) return told.deny(denial('too_large'));
      first = await this.#judge.classified(call, facts);
    } catch (thrown) {
      log.warn({ tool: given.tool, error: sentenceOf(thrown) }, 'a step could not be judged');
      return told.deny(denial('not_understood'));
    }
    const { verdict, step } = first;
    told.about(call, step);
    if (verdict === 'run' || verdict === 'run_untold') return told.plain(call);
    if (verdict !== 'gate') return told.deny(denial(verdict));
    const nobody = this.#nobodyFor(call, facts, step);
    if (nobody !== undefined) return told.deny(denialOf(nobody));

    const salt = await grants.salt(facts.sessionId);
    const judged = await this.#judge.digested(call, facts, step, salt);
    const { digest } = judged.action;
    const passing: Passing = { judged, covers: this.#factsOf(facts, digest), told, salt, signal };
    const known = (await this.#refusedBefore(passing)) ?? (await this.#permits.byActive(passing));
    if (known !== undefined) return known;
    if (isTrusted(judged, settings)) return told.allow(call, 'policy', undefined, { digest });
    return this.#proposed(passing);
  }

  /** What it ends as, at once, where nobody may decide, no rule allows it, and no other process could have a grant. */
  #nobodyFor(call: ToolCall, facts: CallFacts, step: GatedStep): Outcome | undefined {
    const { prompter, outlived, settings } = this.#deps;
    return outlived || isTrusted({ call, facts, step }, settings) ? undefined : prompter.nobodyDecides;
  }

  #factsOf({ cwd, sessionId, turnId }: CallFacts, digest: string): StepFacts {
    const { newId, workspace, ownerId } = this.#deps;
    // Nothing may be granted for a turn that has ended.
    const turn = turnId === undefined || this.#endedTurns.has(turnId) ? {} : { turnId };
    return { callId: newId(), sessionId, workspace, ownerId, ...turn, cwdKnown: cwd !== null, digest };
  }

  async #refusedBefore({ judged, covers, told }: Passing): Promise<GateDecision | undefined> {
    const { turnId } = judged.facts;
    const refusal = this.#refusals.find(turnId, covers.digest);
    if (refusal === undefined) return undefined;
    const { requestId } = refusal;
    const basis = { requestId, digest: covers.digest };
    if (refusal.kind === 'denied') return told.deny(refusedBefore(refusal.note), basis);
    if (requestId === undefined || !(await this.#deps.grants.isLifted(requestId)))
      return told.deny(denial('unanswered_before'), basis);
    this.#refusals.lift(turnId, covers.digest);
    return undefined;
  }

  async #proposed(passing: Passing): Promise<GateDecision> {
    const { settings, clock } = this.#deps;
    const { judged, covers, told } = passing;
    const { call, facts, step, action } = judged;
    const offers = offersFor(step, {
      inTurn: covers.turnId !== undefined,
      cwdKnown: covers.cwdKnown,
      endsAt: clock.now() + settings.sessionGrantMs,
      words: settings.words,
    });
    const proposal = await proposalOf(call, facts, step, { ...action, offers });
    // From here to where it waits nothing may come between: a grant that arrives has to find it, or be found by it.
    const arrived = this.#permits.givenFor(passing);
    if (arrived !== undefined) return this.#permits.serve(arrived, passing, 'active_scope');
    if (this.#pending.ofSession(covers.sessionId) >= settings.mostPending) return told.deny(denial('too_many'));
    const withdrawal = new AbortController();
    const put = await this.#put(proposal, passing, withdrawal);
    if (put === undefined) return told.deny(denial('not_recorded'), { digest: covers.digest });
    return this.#decided(put, passing, offers, withdrawal.signal.reason);
  }

  /** Puts it to people and waits; undefined when it could not even be recorded. */
  async #put(
    proposal: Parameters<Prompter['propose']>[0],
    { judged, covers, signal }: Passing,
    withdrawal: AbortController,
  ): Promise<Put | undefined> {
    const { prompter, log } = this.#deps;
    const { call, step } = judged;
    let requestId: string | undefined;
    const withdraw = () => withdrawal.abort(signal.reason);
    if (signal.aborted) withdraw();
    signal.addEventListener('abort', withdraw);
    this.#pending.add({ step, facts: covers, withdrawal });
    try {
      const result = await prompter.propose(proposal, {
        signal: withdrawal.signal,
        ...(call.toolUseId === undefined ? {} : { pendingId: call.toolUseId }),
        onAccepted(id) {
          requestId = id;
        },
      });
      return { result, requestId };
    } catch (thrown) {
      log.error(
        { requestId, tool: call.tool, error: sentenceOf(thrown) },
        'a step could not be proposed; it is denied',
      );
      return undefined;
    } finally {
      signal.removeEventListener('abort', withdraw);
      this.#pending.remove(covers.callId);
    }
  }

  async #decided(
    { result, requestId }: Put,
    passing: Passing,
    offers: readonly Offer[],
    withdrawn: unknown,
  ): Promise<GateDecision> {
    const { judged, covers, told } = passing;
    const { outcome, decidedBy: actor } = result;
    if (outcome.kind === 'granted') {
      const id = requestId ?? this.#deps.newId();
      const granted = { requestId: id, scope: outcome.scope, offers, result };
      const { decision, grant } = await this.#permits.byOperator(granted, passing);
      if (grant !== undefined) this.#answerOthers(grant);
      return decision;
    }
    // Withdrawn for that, and nobody had decided on it meanwhile.
    if (outcome.kind === 'cancelled' && withdrawn instanceof AnsweredByGrant) {
      return this.#permits.serve(withdrawn.grant, passing, 'active_scope', { delivery: result });
    }
    if (outcome.kind === 'denied' || outcome.kind === 'timed_out') {
      const note = outcome.kind === 'denied' && outcome.note !== undefined ? { note: outcome.note } : {};
      const known = { kind: outcome.kind, ...(requestId === undefined ? {} : { requestId }), ...note };
      this.#refusals.remember(judged.facts.turnId, covers.digest, known);
    }
    return told.deny(denialOf(outcome), { requestId, digest: covers.digest, actor, delivery: result });
  }

  #answerOthers(grant: Grant): void {
    const now = this.#deps.clock.now();
    this.#pending.withdraw(
      ({ step, facts }) => notCovered(grant, step, facts, now) === undefined,
      new AnsweredByGrant(grant),
    );
  }

  async turnEnded(turnId: string): Promise<void> {
    this.#endedTurns.add(turnId);
    this.#refusals.turnEnded(turnId);
    this.#pending.withdraw(({ facts }) => facts.turnId === turnId);
    const isOfTurn = (grant: Grant) => grant.scope === 'turn' && grant.turnId === turnId && this.#isOwn(grant);
    await this.#permits.endAll('turn_ended', isOfTurn);
  }

  async sessionEnded(sessionId: string): Promise<void> {
    this.#refusals.clear();
    this.#pending.withdraw(({ facts }) => facts.sessionId === sessionId);
    await this.#permits.endAll('session_ended', (grant) => grant.sessionId === sessionId);
  }

  async grants(): Promise<readonly Grant[]> {
    return (await this.#deps.grants.listActive()).filter((grant) => this.#isOwn(grant));
  }

  async revoke(requestId: string, by: Actor): Promise<GrantResult> {
    this.#permits.forget(requestId);
    return this.#deps.grants.revoke(requestId, by);
  }

  async stop(): Promise<void> {
    const { outlived } = this.#deps;
    this.#refusals.clear();
    this.#pending.withdraw(() => true);
    const isOver = (grant: Grant) => this.#isOwn(grant) && (grant.scope !== 'session' || !outlived);
    await this.#permits.endAll('owner_stopped', isOver);
  }

  #isOwn({ ownerId }: Grant): boolean {
    return ownerId === this.#deps.ownerId;
  }
}

interface Put {
  readonly result: PromptResult;
  readonly requestId: string | undefined;
}
