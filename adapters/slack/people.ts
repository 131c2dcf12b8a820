import type { Actor } from '../../src/core/actor.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { PeopleDirectory } from '../../src/core/ports/people-directory.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { standingOf, UNSEEN } from './identity.ts';
import type { Install } from './install.ts';
import { OURS } from './limits.ts';
import type { SlackWeb } from './web-clients.ts';

type Members = Promise<ReadonlySet<string>>;

/** What Slack says of its people and user groups. The two calls are cheap but counted: see `OURS.groupMs`. */
export function createPeople({ web, install, clock }: PeopleDeps): PeopleDirectory {
  const known = new Map<string, { at: number; members: Members }>();

  const ask = (group: string): Members => {
    const members = membersOf(group, { web, install });
    known.set(group, { at: clock.now(), members });
    members.catch(() => {
      // A failure is nobody's membership, and must not keep the next click from asking.
      if (known.get(group)?.members === members) known.delete(group);
    });
    return members;
  };

  const isIn = async (userId: string, group: string, fresh: boolean): Promise<boolean> => {
    const kept = known.get(group);
    const age = kept === undefined || fresh ? Number.POSITIVE_INFINITY : clock.now() - kept.at;
    if (kept === undefined || age >= OURS.groupMs) return (await ask(group)).has(userId);
    if ((await kept.members).has(userId)) return true;
    if (age < OURS.groupMissMs) return false;
    // Somebody else who is missing may have asked meanwhile.
    const latest = known.get(group);
    return (await (latest === undefined || latest === kept ? ask(group) : latest.members)).has(userId);
  };

  return {
    async groupsOf(userId, groups, fresh = false) {
      const found = await Promise.all(groups.map((group) => isIn(userId, group, fresh)));
      return new Set(groups.filter((_, index) => found[index]));
    },
    async whoIs(actor) {
      return { ...actor, standing: await standingNow(actor.userId, { web, install }) };
    },
  };
}

interface PeopleDeps {
  readonly web: SlackWeb;
  readonly install: Install;
  readonly clock: Clock;
}

async function standingNow(userId: string, { web, install }: Omit<PeopleDeps, 'clock'>): Promise<Actor['standing']> {
  try {
    const { user } = await web.interactive('users.info', (client) => client.users.info({ user: userId }));
    return user === undefined ? 'unverified' : standingOf(user, install);
  } catch (error) {
    if (error instanceof SurfaceError && UNSEEN.has(error.platformCode)) return 'stranger';
    throw error;
  }
}

/** Nobody is in a group that is not there (any more), or that the workspace's plan does not have. */
async function membersOf(group: string, { web, install }: Omit<PeopleDeps, 'clock'>): Members {
  try {
    const told = await web.interactive('usergroups.users.list', (client) =>
      client.usergroups.users.list({
        usergroup: group,
        ...(install.teamId === undefined ? {} : { team_id: install.teamId }),
      }),
    );
    return new Set(told.users ?? []);
  } catch (error) {
    if (error instanceof SurfaceError && NO_GROUP.has(error.platformCode)) return new Set();
    throw error;
  }
}

const NO_GROUP: ReadonlySet<string> = new Set(['no_such_subteam', 'plan_upgrade_required']);
