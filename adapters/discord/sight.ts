import { type APIChannel, type APIOverwrite, type APIRole, ChannelType, PermissionFlagsBits, Routes } from 'discord.js';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { channelOf } from './interactions.ts';
import type { Interaction } from './payload.ts';
import { ofRoles, type Person, withOverwrites } from './permissions.ts';
import type { DiscordWeb } from './web.ts';

/** Which of some channels of a server the person sees who used a command in it. Rejects with a `SurfaceError`. */
export type Sight = (interaction: Interaction, channels: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Asked anew every time: somebody who lost a role sees no more of its channels. The person's own roles are those that
 * Discord wrote into the interaction; what the roles may see is worked out as topics/permissions tells.
 */
export function createSight(web: DiscordWeb): Sight {
  const rolesOf = (guild: string) => web.call<readonly APIRole[]>('get', Routes.guildRoles(guild), 'roles');

  return async (interaction, channels) => {
    const { guild_id: guild, member } = interaction;
    const seen = new Set<string>();
    if (guild == null || member == null) return seen;
    const roles = await rolesOf(guild);
    const person = { guild, roles: new Set(member.roles), userId: member.user.id };
    const base = ofRoles(roles, person);
    const isAdmin = ((base | BigInt(member.permissions ?? 0)) & PermissionFlagsBits.Administrator) !== 0n;
    const look = async (channel: string) => {
      // Where the command was used they are.
      const isSeen = channel === channelOf(interaction) || isAdmin || (await sees(web, channel, base, person));
      if (isSeen) seen.add(channel);
    };
    await Promise.all(channels.map(look));
    return seen;
  };
}

async function sees(web: DiscordWeb, channel: string, base: bigint, person: Person): Promise<boolean> {
  const overwrites = await overwritesOf(web, channel);
  return (
    overwrites !== undefined && (withOverwrites(base, overwrites, person) & PermissionFlagsBits.ViewChannel) !== 0n
  );
}

/** A thread's are its parent's. Undefined where they do not say who sees it: a private thread has its own list. */
async function overwritesOf(web: DiscordWeb, channel: string): Promise<readonly APIOverwrite[] | undefined> {
  const found = await channelNamed(web, channel);
  if (found === undefined || found.type === ChannelType.PrivateThread) return undefined;
  const isThread = found.type === ChannelType.PublicThread || found.type === ChannelType.AnnouncementThread;
  const place = isThread && found.parent_id != null ? await channelNamed(web, found.parent_id) : found;
  return place !== undefined && 'permission_overwrites' in place ? (place.permission_overwrites ?? []) : undefined;
}

/** Undefined for a channel that is gone or kept from the bot: then nobody is shown what is in it. */
async function channelNamed(web: DiscordWeb, channel: string): Promise<APIChannel | undefined> {
  try {
    return await web.call<APIChannel>('get', Routes.channel(channel), 'a channel');
  } catch (error) {
    if (error instanceof SurfaceError && error.permanent) return undefined;
    throw error;
  }
}
