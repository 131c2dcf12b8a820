import { sentenceOf } from '../../src/core/errors.ts';
import { renderInbox } from './inbox-view.ts';
import type { Interactions } from './interactions.ts';
import { OURS } from './limits.ts';
import { homeOpened, type Origin } from './payload.ts';

/** Handles an acknowledged `app_home_opened` to its end. Never rejects. */
export async function handleHomeOpened(shared: Interactions, payload: unknown): Promise<void> {
  const parsed = homeOpened.safeParse(payload);
  if (!parsed.success) {
    shared.log.warn({ issues: parsed.error.issues.length }, 'an opened Home tab could not be read');
    return;
  }
  const { event, event_id: eventId, team_id: teamId, enterprise_id: enterpriseId } = parsed.data;
  // Slack tells of the Messages tab by the same event, and sends an event again when our word for it got lost.
  if (event.tab !== 'home' || shared.handled.get(eventId) !== undefined) return;
  shared.handled.set(eventId, true);
  await publishInbox(shared, {
    user: { id: event.user },
    team: teamId == null ? null : { id: teamId },
    enterprise: enterpriseId == null ? null : { id: enterpriseId },
  });
}

/** Shows somebody in their Home tab what is open for them. Never rejects. */
export async function publishInbox(shared: Interactions, origin: Origin): Promise<void> {
  const { host, web, clock, log, identify, sight, webUrl } = shared;
  const userId = origin.user.id;
  const teamId = origin.user.team_id ?? origin.team?.id;
  try {
    const actor = await identify(origin);
    const person = { userId, ...(teamId == null ? {} : { teamId }) };
    const inbox = await host.inbox({ actor, most: OURS.inboxEntries, seen: (channels) => sight(person, channels) });
    const view = renderInbox(inbox, webUrl, clock.now());
    await web.interactive('views.publish', (client) => client.views.publish({ user_id: userId, view }));
  } catch (error) {
    // Nothing is lost: the tab shows when it was drawn, and the person can open it again.
    log.warn({ user: userId, reason: sentenceOf(error) }, 'a Home tab could not be shown');
  }
}
