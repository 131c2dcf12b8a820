import { Routes } from 'discord.js';
import type { PeopleDirectory } from '../../src/core/ports/people-directory.ts';
import { CODES, hasCode } from './errors.ts';
import { actorOf } from './identity.ts';
import type { Interaction } from './payload.ts';
import type { DiscordWeb } from './web.ts';

/** What Discord says of somebody who is not clicking right now: a click brings its own roles. */
export function createPeople(web: DiscordWeb): PeopleDirectory {
  return {
    async groupsOf() {
      return new Set();
    },
    async whoIs(actor) {
      try {
        const route = Routes.guildMember(actor.workspaceId, actor.userId);
        const member = await web.call<NonNullable<Interaction['member']>>('get', route, 'a member');
        const { standing, roles = [] } = actorOf({ guild_id: actor.workspaceId, member });
        return { ...actor, standing, roles };
      } catch (error) {
        if (hasCode(error, CODES.unknownMember, CODES.unknownUser))
          return { ...actor, standing: 'stranger', roles: [] };
        throw error;
      }
    },
  };
}
