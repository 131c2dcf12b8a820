import { type APIGuildMember, type APIRole, PermissionFlagsBits, Routes } from 'discord.js';
import type { Clock } from '../../src/core/clock.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { type Channels, type FreshChannel, isThread } from './channels.ts';
import { lackingOf, ofRoles, withOverwrites } from './permissions.ts';
import type { DiscordWeb } from './web.ts';

/**
 * Throws a permanent `SurfaceError` that names what the bot is not allowed to do in a channel it can read, or that a
 * moderator locked the thread. Roles and the bot's own are asked anew: whoever repairs it wants to see that.
 */
export async function checkPermissions(
  { web, channels, clock, botId }: { web: DiscordWeb; channels: Channels; clock: Clock; botId: string },
  channel: FreshChannel,
): Promise<void> {
  const { guildId: guild, parentId, isLocked } = channel;
  // A thread goes by the rules of the channel it hangs on.
  const [overwrites, roles, member] = await Promise.all([
    parentId === undefined ? channel.overwrites : channels.overwritesOf(parentId),
    web.call<readonly APIRole[]>('get', Routes.guildRoles(guild), WHAT),
    web.call<BotMember>('get', Routes.guildMember(guild, botId), WHAT),
  ]);
  const bot = { guild, roles: new Set(member.roles), userId: botId };
  const has = withOverwrites(ofRoles(roles, bot), overwrites, bot);
  const until = member.communication_disabled_until;
  const inTimeOut = until != null && Date.parse(until) > clock.now();
  const inThread = isThread(channel);
  const lacking = lackingOf(has, { isThread: inThread, inTimeOut });
  if (lacking.length > 0 && inTimeOut) {
    throw refused('The Discord bot is in a time-out and may not write', 'in_time_out', 'End the time-out of the bot.');
  }
  if (lacking.length > 0) {
    const where = inThread ? ' of the channel that the thread is in' : '';
    throw refused(
      `The Discord bot lacks in this channel: ${lacking.join(', ')}`,
      '50013',
      `Give it to the bot or its role: "Edit Channel", "Permissions"${where}.`,
    );
  }
  if (isLocked && (has & PermissionFlagsBits.ManageThreads) === 0n) {
    throw refused('This Discord thread is locked', 'locked_thread', 'Unlock the thread, or bind another channel.');
  }
}

const WHAT = 'what the bot may do';

type BotMember = Pick<APIGuildMember, 'roles' | 'communication_disabled_until'>;

function refused(sentence: string, platformCode: string, hint: string): SurfaceError {
  return new SurfaceError(sentence, { platformCode, permanent: true, hint });
}
