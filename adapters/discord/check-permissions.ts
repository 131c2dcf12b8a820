import {
  type APIChannel,
  type APIGuildMember,
  type APIOverwrite,
  type APIRole,
  ChannelType,
  PermissionFlagsBits,
  Routes,
} from 'discord.js';
import type { Clock } from '../../src/core/clock.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { lackingOf, ofRoles, withOverwrites } from './permissions.ts';
import type { DiscordWeb } from './web.ts';

/**
 * Throws a permanent `SurfaceError` that names what the bot is not allowed to do in a channel it can read, or that a
 * moderator locked the thread. Roles and the bot's own are asked anew: whoever repairs it wants to see that.
 */
export async function checkPermissions(web: DiscordWeb, clock: Clock, botId: string, channel: string): Promise<void> {
  const { guild, isThread, isLocked, overwrites } = await placeOf(web, channel);
  const [roles, member] = await Promise.all([
    web.call<readonly APIRole[]>('get', Routes.guildRoles(guild), WHAT),
    web.call<BotMember>('get', Routes.guildMember(guild, botId), WHAT),
  ]);
  const bot = { guild, roles: new Set(member.roles), userId: botId };
  const has = withOverwrites(ofRoles(roles, bot), overwrites, bot);
  const until = member.communication_disabled_until;
  const inTimeOut = until != null && Date.parse(until) > clock.now();
  const lacking = lackingOf(has, { isThread, inTimeOut });
  if (lacking.length > 0 && inTimeOut) {
    throw refused('The Discord bot is in a time-out and may not write', 'in_time_out', 'End the time-out of the bot.');
  }
  if (lacking.length > 0) {
    const where = isThread ? ' of the channel that the thread is in' : '';
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

interface ChannelRules {
  readonly guild: string;
  readonly isThread: boolean;
  readonly isLocked: boolean;
  /** A thread has none of its own. */
  readonly overwrites: readonly APIOverwrite[];
}

async function placeOf(web: DiscordWeb, channel: string): Promise<ChannelRules> {
  const found = await web.call<APIChannel>('get', Routes.channel(channel), WHAT);
  const guild = 'guild_id' in found ? found.guild_id : undefined;
  if (guild === undefined) {
    throw refused('This Discord channel is in no server', 'wrong_kind_of_channel', 'Use a text channel of a server.');
  }
  const isThread = THREADS.has(found.type);
  const isLocked = 'thread_metadata' in found && found.thread_metadata?.locked === true;
  const parent =
    isThread && 'parent_id' in found && found.parent_id != null
      ? await web.call<APIChannel>('get', Routes.channel(found.parent_id), WHAT)
      : found;
  const overwrites = ('permission_overwrites' in parent ? parent.permission_overwrites : undefined) ?? [];
  return { guild, isThread, isLocked, overwrites };
}

function refused(sentence: string, platformCode: string, hint: string): SurfaceError {
  return new SurfaceError(sentence, { platformCode, permanent: true, hint });
}

const THREADS: ReadonlySet<number> = new Set([
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);
