import type { Install } from './install.ts';
import type { SlackWeb } from './web-clients.ts';

/** Which of some channels somebody is in. Rejects with a `SurfaceError`, such as for a scope that is missing. */
export type Sight = (person: Person, channels: readonly string[]) => Promise<ReadonlySet<string>>;

interface Person {
  readonly userId: string;
  /** The team they act in; an app of a whole organisation has to name it. */
  readonly teamId?: string;
}

/** Channels of one person that are looked through, a thousand a page: more than Slack people are in. */
const MOST_PAGES = 10;
const A_PAGE = 999;

/**
 * Asked anew every time, so that somebody who left a channel sees no more of it. Membership is what counts: somebody who
 * could join a public channel has not been asked there yet.
 */
export function createSight({ web, install }: { web: SlackWeb; install: Install }): Sight {
  return async ({ userId, teamId }, channels) => {
    const wanted = new Set(channels);
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES && seen.size < wanted.size; page += 1) {
      const told = await web.interactive('users.conversations', (client) =>
        client.users.conversations({
          user: userId,
          types: 'public_channel,private_channel',
          limit: A_PAGE,
          ...(install.teamId === undefined && teamId !== undefined ? { team_id: teamId } : {}),
          ...(cursor === undefined ? {} : { cursor }),
        }),
      );
      for (const { id } of told.channels ?? []) if (id !== undefined && wanted.has(id)) seen.add(id);
      cursor = told.response_metadata?.next_cursor;
      if (cursor === undefined || cursor === '') break;
    }
    return seen;
  };
}
