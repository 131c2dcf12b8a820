import type { Actor } from '../core/actor.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { refusalToClaim } from '../core/lifecycle.ts';
import { type Inbox, type InboxRequest, SurfaceError, type SurfaceHost } from '../core/ports/surface-adapter.ts';
import type { CardRef, RequestRecord } from '../core/request.ts';
import { INBOX_FORBIDDEN, INBOX_UNREACHABLE, inboxRefused } from '../prompt/inbox-words.ts';
import { createAuthority } from './authority.ts';
import type { GatewayDependencies } from './dependencies.ts';

/**
 * What is open for somebody: requests that this gateway's policy lets them answer, and whose card they can see. Judged
 * as a click on that card would be, so that the list shows nobody more than the cards do.
 */
export function createInbox({
  store,
  adapters,
  clock,
  log,
  route,
}: Pick<GatewayDependencies, 'store' | 'adapters' | 'clock' | 'log' | 'route'>): SurfaceHost['inbox'] {
  const authority = createAuthority({ adapters, route, log });
  const mayAnswer = async (record: RequestRecord, actor: Actor): Promise<boolean> => {
    if (refusalToClaim(record, clock.now()) !== undefined || cardsFor(record, actor).length === 0) return false;
    return (await authority.refusalOf(record, actor, 'look')) === undefined;
  };

  const list = async ({ actor, seen, most }: InboxRequest): Promise<Inbox> => {
    const unfinished = await store.listUnfinished();
    const may = await Promise.all(unfinished.map((record) => mayAnswer(record, actor)));
    const theirs = unfinished.filter((_, index) => may[index]);
    const channels = new Set(theirs.flatMap((record) => cardsFor(record, actor)).map(({ channel }) => channel));
    const visible = channels.size === 0 ? channels : await seen([...channels]);
    const entries = theirs.flatMap((record) => {
      const card = cardsFor(record, actor).find(({ channel }) => visible.has(channel));
      return card === undefined ? [] : [{ view: record.view, deadline: record.deadline ?? record.queueDeadline, card }];
    });
    return { entries: entries.slice(0, most), more: Math.max(0, entries.length - most) };
  };

  return async (request) => {
    const { platform, standing } = request.actor;
    if (standing !== 'member') return { refused: inboxRefused(standing, platform) };
    try {
      return await list(request);
    } catch (error) {
      const hint = error instanceof HandraiseError ? error.hint : undefined;
      log.error({ platform, reason: sentenceOf(error), hint }, 'what is open could not be listed for somebody');
      return { refused: error instanceof SurfaceError && error.permanent ? INBOX_FORBIDDEN : INBOX_UNREACHABLE };
    }
  };
}

/** The request's cards in the person's own workspace. One without is not for people there. */
function cardsFor({ cards }: RequestRecord, { platform, workspaceId }: Actor): readonly CardRef[] {
  return cards.filter((card) => card.platform === platform && card.workspaceId === workspaceId);
}
