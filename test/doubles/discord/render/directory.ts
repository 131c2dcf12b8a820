import { nameOf } from '../payloads/people.ts';
import type { GuildRecord } from '../types.ts';
import type { World } from '../world.ts';
import type { Directory } from './inline.ts';

/** Names as they are seen in a guild. */
export function createDirectory(world: World, guild: GuildRecord | undefined): Directory {
  return {
    user(id) {
      const user = world.guilds.users.get(id);
      return user && nameOf(user, guild);
    },
    role: (id) => guild?.roles.get(id)?.name,
    channel: (id) => world.guilds.channel(id)?.name,
    now: () => world.clock.now(),
  };
}
