import type { Actor } from '../core/actor.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { approversFor, classOf, refusalAsRequester, refusalToApprove } from '../core/policy/approval.ts';
import { groupsToAsk, type OperatorRule, type Person, type Refusal, refusalFor } from '../core/policy/people.ts';
import type { RequestRecord } from '../core/request.ts';
import { type GatewayDependencies, NOBODY, type Route } from './dependencies.ts';

/** Whom this gateway's configuration lets decide what. What the platform has to be asked for it, it is asked now. */
export interface Authority {
  /**
   * Why somebody may not answer this request; undefined lets them. Never rejects: who cannot be checked, may not. `look`
   * is for showing them something, and may go by who was in a group a moment ago; `decide` is what counts; `again` is for
   * somebody who decided earlier, and asks about their account and roles, too, which a click would bring along.
   */
  refusalOf(record: RequestRecord, actor: Actor, to: Purpose): Promise<Refusal | 'no_binding' | undefined>;
}

export type Purpose = 'look' | 'decide' | 'again';

export function createAuthority({
  adapters,
  route,
  log,
}: Pick<GatewayDependencies, 'adapters' | 'route' | 'log'>): Authority {
  return {
    async refusalOf(record, actor, to) {
      const bound = route(record.session);
      if (bound === undefined) return 'no_binding';
      if (isElsewhere(record, actor)) return 'stranger';
      const adapter = adapters.find(({ platform }) => platform === actor.platform);
      try {
        const known = to === 'again' && adapter !== undefined ? await adapter.whoIs(actor) : actor;
        const rule = ruleFor(record, bound);
        const asked = groupsToAsk(known, rule);
        const groups = asked.length === 0 ? undefined : await adapter?.groupsOf(known.userId, asked, to !== 'look');
        return refusalOn(record, groups === undefined ? known : { ...known, groups }, rule, bound);
      } catch (error) {
        const hint = error instanceof HandraiseError ? error.hint : undefined;
        log.error(
          { userId: actor.userId, reason: sentenceOf(error), hint },
          'whether somebody may decide is not known',
        );
        return 'unverified';
      }
    },
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
