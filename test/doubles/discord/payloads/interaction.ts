import type {
  APIChatInputApplicationCommandInteraction,
  APIMessageComponentInteraction,
  APIModalSubmissionComponent,
  APIModalSubmitInteraction,
} from 'discord-api-types/v10';
import type { CommandRecord } from '../commands.ts';
import type { MessageRecord } from '../messages.ts';
import { DEFAULTS, permissionsIn } from '../permissions.ts';
import type { ChannelRecord } from '../types.ts';
import type { World } from '../world.ts';
import { channelPayload } from './channels.ts';
import { LOCALE } from './guild.ts';
import { messagePayload } from './message.ts';
import { interactionMember, userPayload } from './people.ts';

/** The interaction's own ids, made when it is sent. */
export interface Ids {
  readonly id: string;
  readonly token: string;
}

type Locale = APIMessageComponentInteraction['locale'];

/** What every interaction carries. In a guild `member` with its roles of this very moment, else `user`. */
function common(world: World, ids: Ids, userId: string, channel: ChannelRecord) {
  const guild = world.guilds.guildOf(channel);
  const user = world.guilds.users.get(userId);
  if (!user) throw new Error(`The Discord double has no user ${userId}`);
  const member = guild?.members.get(userId);
  const locale = user.locale as Locale;
  const who =
    guild && member
      ? {
          guild_id: guild.id,
          guild: { id: guild.id, locale: LOCALE as Locale, features: [] },
          guild_locale: LOCALE as Locale,
          member: interactionMember(member, permissionsIn(guild, channel, userId)),
          context: 0,
        }
      : { user: userPayload(user), context: 1 };
  return {
    ...ids,
    ...who,
    application_id: world.applicationId,
    channel_id: channel.id,
    channel: channelPayload(world, channel),
    app_permissions: String(guild ? permissionsIn(guild, channel, world.bot.id) : DEFAULTS),
    locale,
    entitlements: [],
    authorizing_integration_owners: { 0: guild?.id ?? '0' },
    attachment_size_limit: 10_485_760,
    version: 1 as const,
  };
}

export function componentInteraction(
  world: World,
  ids: Ids,
  userId: string,
  channel: ChannelRecord,
  message: MessageRecord,
  data: APIMessageComponentInteraction['data'],
): APIMessageComponentInteraction {
  return {
    ...common(world, ids, userId, channel),
    type: 3,
    data,
    message: messagePayload(world, message),
  } satisfies APIMessageComponentInteraction;
}

export function modalInteraction(
  world: World,
  ids: Ids,
  userId: string,
  channel: ChannelRecord,
  message: MessageRecord | undefined,
  data: { readonly custom_id: string; readonly components: APIModalSubmissionComponent[] },
): APIModalSubmitInteraction {
  return {
    ...common(world, ids, userId, channel),
    type: 5,
    data: { ...data },
    ...(message ? { message: messagePayload(world, message) } : {}),
  } satisfies APIModalSubmitInteraction;
}

export function commandInteraction(
  world: World,
  ids: Ids,
  userId: string,
  channel: ChannelRecord,
  command: CommandRecord,
): APIChatInputApplicationCommandInteraction {
  return {
    ...common(world, ids, userId, channel),
    type: 2,
    data: {
      id: command.id,
      name: command.name,
      type: 1,
      ...(command.guildId === null ? {} : { guild_id: command.guildId }),
    },
  } satisfies APIChatInputApplicationCommandInteraction;
}
