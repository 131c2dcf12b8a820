import type { UsersInfoResponse } from '@slack/web-api';
import type { Actor, Standing } from '../../src/core/actor.ts';
import type { Clock } from '../../src/core/clock.ts';
import { sentenceOf } from '../../src/core/errors.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { type Install, workspaceIdOf } from './install.ts';
import { OURS } from './limits.ts';
import type { Origin } from './payload.ts';
import type { SlackWeb } from './web-clients.ts';

type SlackUser = NonNullable<UsersInfoResponse['user']>;

/** Tells who acted. Never rejects: somebody who cannot be looked up is `unverified`. */
export type Identify = (origin: Origin) => Promise<Actor>;

/**
 * Identity is the id in Slack's payload; what the account is, Slack is asked at every click (answers are kept for 5 s, which spares the burst of a form).
 * Two clicks of one person at once ask once.
 */
export function createIdentify(deps: { web: SlackWeb; install: Install; clock: Clock; log: Logger }): Identify {
  const { web, install, clock, log } = deps;
  const known = new Map<string, { at: number; user: Promise<SlackUser | undefined> }>();

  const lookUp = (key: string, userId: string): Promise<SlackUser | undefined> => {
    const now = clock.now();
    for (const [other, { at }] of known) if (now - at >= OURS.standingMs) known.delete(other);
    const cached = known.get(key);
    if (cached !== undefined) return cached.user;
    const user = web
      .interactive('users.info', (client) => client.users.info({ user: userId }))
      .then((told) => told.user)
      .catch((error: unknown) => {
        known.delete(key);
        throw error;
      });
    known.set(key, { at: now, user });
    return user;
  };

  return async (origin) => {
    const { user, team } = origin;
    const actor = { platform: 'slack', workspaceId: workspaceIdOf(install), userId: user.id } as const;
    const fallbackName = user.name ?? user.username ?? user.id;
    if (isElsewhere(origin, install)) return { ...actor, name: fallbackName, standing: 'stranger' };
    try {
      const found = await lookUp(`${user.team_id ?? team?.id ?? ''}:${user.id}`, user.id);
      if (found === undefined) return { ...actor, name: fallbackName, standing: 'unverified' };
      return { ...actor, name: displayName(found) ?? fallbackName, standing: standingOf(found, install) };
    } catch (error) {
      // Slack hides people of other workspaces: that they cannot be seen says what they are.
      const unseen = error instanceof SurfaceError && UNSEEN.has(error.platformCode);
      if (!unseen) log.warn({ userId: user.id, reason: sentenceOf(error) }, 'an account could not be looked up');
      return { ...actor, name: fallbackName, standing: unseen ? 'stranger' : 'unverified' };
    }
  };
}

/** Slack's codes for people whom it does not show to us. */
export const UNSEEN: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);

/** What the payload alone says: another team, or on Grid another enterprise, than the one we are installed in. */
function isElsewhere({ user, team, enterprise }: Origin, install: Install): boolean {
  if (install.enterpriseId !== undefined) {
    const theirs = enterprise?.id ?? team?.enterprise_id;
    return theirs != null && theirs !== install.enterpriseId;
  }
  return user.team_id != null && user.team_id !== install.teamId;
}

/** The order matters: a deactivated bot of another team is a stranger first. */
export function standingOf(user: SlackUser, install: Install): Standing {
  if (user.is_stranger === true || !isHome(user, install)) return 'stranger';
  if (user.is_bot === true || user.is_workflow_bot === true || user.id === 'USLACKBOT') return 'bot';
  if (user.id === install.botUserId) return 'bot';
  if (user.deleted === true) return 'deactivated';
  if (user.is_restricted === true || user.is_ultra_restricted === true) return 'guest';
  return 'member';
}

function isHome(user: SlackUser, install: Install): boolean {
  if (install.enterpriseId === undefined) return user.team_id === install.teamId;
  const enterprise = user.enterprise_user?.enterprise_id;
  // Slack omits `enterprise_user` for accounts that belong to one workspace only.
  return enterprise === undefined ? user.team_id === install.teamId : enterprise === install.enterpriseId;
}

function displayName(user: SlackUser): string | undefined {
  return [user.profile?.display_name, user.real_name, user.name].find((name) => name !== undefined && name !== '');
}
