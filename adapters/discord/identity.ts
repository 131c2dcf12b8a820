import type { Actor, Standing } from '../../src/core/actor.ts';
import type { Interaction } from './payload.ts';

/** GuildMemberFlags.IsGuest: somebody invited to a voice channel only. */
const IS_GUEST = 1 << 4;

/**
 * Who acted, as the interaction says: Discord writes user, guild and roles of that very click into it, so that nothing
 * has to be looked up. Without a guild (a direct message) nobody is a member of anything.
 */
export function actorOf({ member, user, guild_id: guildId }: Told): Actor {
  const person = member?.user ?? user;
  return {
    platform: 'discord',
    workspaceId: guildId ?? '',
    userId: person?.id ?? '',
    name: member?.nick ?? person?.global_name ?? person?.username ?? '',
    standing: standingOf({ member, user, guild_id: guildId }),
    roles: member?.roles ?? [],
  };
}

type Told = Pick<Interaction, 'member' | 'user' | 'guild_id'>;

function standingOf({ member, user, guild_id: guildId }: Told): Standing {
  const person = member?.user ?? user;
  if (person == null) return 'unverified';
  if (person.bot === true || person.system === true) return 'bot';
  if (member == null || guildId == null) return 'stranger';
  const isGuest = member.pending === true || ((member.flags ?? 0) & IS_GUEST) !== 0;
  return isGuest ? 'guest' : 'member';
}
