import { ChannelType, Routes } from 'discord.js';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import type { DiscordWeb } from './web.ts';

export interface KnownChannel {
  readonly type: number;
  readonly guildId: string;
}

/** Kinds of channels that messages with buttons can be posted in. */
const POSTABLE: ReadonlySet<number> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);

/** What is known of the channels that cards go to; neither guild nor kind ever changes. */
export class Channels {
  readonly #web: DiscordWeb;
  readonly #known = new Map<string, KnownChannel>();

  constructor(web: DiscordWeb) {
    this.#web = web;
  }

  /** Whether cards were to go there: it is bound, or was asked about. */
  isKnown(channel: string): boolean {
    return this.#known.has(channel);
  }

  async known(channel: string): Promise<KnownChannel> {
    return this.#known.get(channel) ?? this.fresh(channel);
  }

  /** Asks Discord anew. Throws a permanent `SurfaceError` for a channel no card can go to. */
  async fresh(channel: string): Promise<KnownChannel> {
    const told = await this.#web.call<{ type: number; guild_id?: string }>(
      'get',
      Routes.channel(channel),
      'reading the channel',
    );
    if (told.guild_id === undefined || !POSTABLE.has(told.type)) {
      throw new SurfaceError('This Discord channel takes no messages with buttons', {
        platformCode: 'wrong_kind_of_channel',
        permanent: true,
        hint: 'Use the id of a text channel of a server: not of a forum, a voice channel, a category or a direct message.',
      });
    }
    const known = { type: told.type, guildId: told.guild_id };
    this.#known.set(channel, known);
    return known;
  }
}
