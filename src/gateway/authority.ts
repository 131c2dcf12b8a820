import type { Actor } from '../core/actor.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { approversFor, classOf, refusalAsRequester, refusalToApprove } from '../core/policy/approval.ts';
import { groupsToAsk, type OperatorRule, type Person, type Refusal, refusalFor } from '../core/policy/people.ts';
import type { RequestRecord } from '../core/request.ts';
import { type GatewayDependencies, NOBODY, type Route } from './dependencies.ts';

/** Whom this gateway's configuration lets decide what. What the platform has to be asked for it, it is asked now. */
export interface Authority {
  /** Why somebody may not answer this request; undefined lets them. Never rejects: who cannot be checked, may not. */
  refusalOf(record: RequestRecord, actor: Actor): Promise<Refusal | 'no_binding' | undefined>;
  /** The same of somebody who decided earlier: their account, roles and groups may have changed since. */
  refusalNow(record: RequestRecord, actor: Actor): Promise<Refusal | 'no_binding' | undefined>;
}

export function createAuthority({
  adapters,
  route,
  log,
}: Pick<GatewayDependencies, 'adapters' | 'route' | 'log'>): Authority {
  const judge = async (record: RequestRecord, actor: Actor, fresh: boolean) => {
    const bound = route(record.session);
    if (bound === undefined) return 'no_binding';
    if (isElsewhere(record, actor)) return 'stranger';
    const adapter = adapters.find(({ platform }) => platform === actor.platform);
    try {
      const known = fresh && adapter !== undefined ? await adapter.whoIs(actor) : actor;
      const rule = ruleFor(record, bound);
      const asked = groupsToAsk(known, rule);
      const groups = asked.length === 0 ? undefined : await adapter?.groupsOf(known.userId, asked, fresh);
      return refusalOn(record, groups === undefined ? known : { ...known, groups }, rule, bound);
    } catch (error) {
      const hint = error instanceof HandraiseError ? error.hint : undefined;
      log.error({ userId: actor.userId, reason: sentenceOf(error), hint }, 'whether somebody may decide is not known');
      return 'unverified';
    }
  };
  return {
    refusalOf: (record, actor) => judge(record, actor, false),
    refusalNow: (record, actor) => judge(record, actor, true),
  };
}

function ruleFor(record: RequestRecord, { operators, approvers = NOBODY }: Route): OperatorRule {
  return record.kind === 'proposal' ? approversFor(approvers, classOf(record.view.proposal.effect)) : operators;
}

function refusalOn({ kind, session }: RequestRecord, person: Person, rule: OperatorRule, route: Route) {
  if (kind === 'questions') return refusalFor(person, rule);
  return refusalToApprove(person, rule) ?? refusalAsRequester(person, route, session.requester, route.people);
}

/** Whether the click comes from another workspace than the one the question was put to on that platform. */
function isElsewhere({ cards }: RequestRecord, { platform, workspaceId }: Actor): boolean {
  const places = cards.filter((card) => card.platform === platform);
  return places.length > 0 && !places.some((card) => card.workspaceId === workspaceId);
}
