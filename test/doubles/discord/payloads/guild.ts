import type { APIGuild, GatewayGuildCreateDispatchData } from 'discord-api-types/v10';
import { PERMISSIONS, permissionsIn } from '../permissions.ts';
import type { GuildRecord } from '../types.ts';
import type { World } from '../world.ts';
import { activeThreadsOf, channelsOf, textPayload, threadPayload } from './channels.ts';
import { memberPayload, NONE, rolePayload } from './people.ts';

export function guildPayload(guild: GuildRecord): APIGuild {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    splash: null,
    discovery_splash: null,
    owner_id: guild.ownerId,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    roles: [...guild.roles.values()].map(rolePayload),
    emojis: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: NONE,
    rules_channel_id: null,
    max_members: 500_000,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: LOCALE as APIGuild['preferred_locale'],
    public_updates_channel_id: null,
    max_video_channel_users: 25,
    nsfw_level: 0,
    stickers: [],
    premium_progress_bar_enabled: false,
    hub_type: null,
    safety_alerts_channel_id: null,
    incidents_data: null,
    region: 'deprecated',
    approximate_member_count: guild.members.size,
    approximate_presence_count: 1,
  } satisfies APIGuild;
}

/** The language of every guild here. */
export const LOCALE = 'en-US';

/** Without the privileged members intent the bot is the only member listed; channels it cannot see are listed as well. */
export function guildCreate(world: World, guild: GuildRecord, allMembers: boolean): GatewayGuildCreateDispatchData {
  const members = [...guild.members.values()].filter((one) => allMembers || one.id === world.bot.id);
  const sees = (id: string) =>
    (permissionsIn(guild, guild.channels.get(id), world.bot.id) & PERMISSIONS.view_channel) !== 0n;
  return {
    ...guildPayload(guild),
    joined_at: new Date(guild.joinedAt).toISOString(),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    voice_states: [],
    members: members.map(memberPayload),
    channels: channelsOf(guild).map((one) => textPayload(world, one)),
    threads: activeThreadsOf(guild)
      .filter((one) => sees(one.id))
      .map(threadPayload),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  } satisfies GatewayGuildCreateDispatchData;
}
