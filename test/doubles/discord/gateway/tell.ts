import type { GuildChange } from '../guilds.ts';
import type { MessageRecord } from '../messages.ts';
import { textPayload, threadPayload } from '../payloads/channels.ts';
import { guildCreate } from '../payloads/guild.ts';
import { messagePayload } from '../payloads/message.ts';
import { memberPayload, rolePayload } from '../payloads/people.ts';
import { PERMISSIONS, permissionsIn } from '../permissions.ts';
import type { ChannelRecord } from '../types.ts';
import type { World } from '../world.ts';
import { INTENTS } from './intents.ts';

/** Tells sessions that a guild changed. */
export function tellGuild(world: World, change: GuildChange): void {
  const { hub } = world;
  const to = (event: string, data: unknown, intent: number = INTENTS.guilds) =>
    hub.broadcast({ event, intent, data: () => data });
  if ('channel' in change) {
    const { channel } = change;
    const guild = world.guilds.guildOf(channel);
    if (!guild?.members.has(world.bot.id)) return;
    if (change.kind === 'thread' && !sees(world, channel)) return;
    to(
      `${change.kind.toUpperCase()}_${change.how}`,
      change.kind === 'thread'
        ? { ...threadPayload(channel), ...(change.how === 'CREATE' ? { newly_created: true } : {}) }
        : textPayload(world, channel),
    );
    return;
  }
  const { guild } = change;
  if (change.kind === 'guild_gone') {
    to('GUILD_DELETE', guild.unavailable ? { id: guild.id, unavailable: true } : { id: guild.id });
    return;
  }
  if (!guild.members.has(world.bot.id) || !world.guilds.guilds.has(guild.id)) return;
  if (change.kind === 'guild') {
    hub.broadcast({
      event: 'GUILD_CREATE',
      intent: INTENTS.guilds,
      data: ({ intents }) => guildCreate(world, guild, (intents & INTENTS.members) !== 0),
    });
  } else if (change.kind === 'role') {
    const role = guild.roles.get(change.roleId);
    if (role) to('GUILD_ROLE_CREATE', { guild_id: guild.id, role: rolePayload(role) });
  } else {
    // Without the privileged intent nobody is told of people; the bot's own roles are always told.
    const intent = change.member.id === world.bot.id ? INTENTS.guilds : INTENTS.members;
    to('GUILD_MEMBER_UPDATE', { guild_id: guild.id, ...memberPayload(change.member) }, intent);
  }
}

/** Tells sessions of a message that is not ephemeral. */
export function tellMessage(world: World, how: 'CREATE' | 'UPDATE' | 'DELETE', message: MessageRecord): void {
  const channel = world.guilds.channel(message.channelId);
  if (!channel || !sees(world, channel)) return;
  const guild = world.guilds.guildOf(channel);
  const place = guild ? { guild_id: guild.id } : {};
  const author = guild?.members.get(message.authorId);
  world.hub.broadcast({
    event: `MESSAGE_${how}`,
    intent: guild ? INTENTS.guildMessages : INTENTS.directMessages,
    data: ({ intents }) =>
      how === 'DELETE'
        ? { id: message.id, channel_id: message.channelId, ...place }
        : {
            ...messagePayload(world, message, {
              blank: guild !== undefined && (intents & INTENTS.messageContent) === 0,
            }),
            ...place,
            ...(author ? { member: memberPayload(author) } : {}),
          },
  });
}

/** Whether the bot sees a channel. */
export function sees(world: World, channel: ChannelRecord, userId = world.bot.id): boolean {
  if (channel.type === 1) return userId === world.bot.id || channel.recipientId === userId;
  const guild = world.guilds.guildOf(channel);
  return guild !== undefined && (permissionsIn(guild, channel, userId) & PERMISSIONS.view_channel) !== 0n;
}
