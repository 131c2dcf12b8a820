import { type APIOverwrite, ChannelType, Routes } from 'discord.js';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import type { DiscordWeb } from './web.ts';

export interface KnownChannel {
  readonly type: number;
  readonly guildId: string;
}

/** What may change about a channel, as Discord has just told it. */
export interface FreshChannel extends KnownChannel {
  /** Of a thread: the channel it hangs on, and whether a moderator locked it. */
  readonly parentId: string | undefined;
  readonly isLocked: boolean;
  /** A thread has none of its own. */
  readonly overwrites: readonly APIOverwrite[];
}

interface Told {
  readonly type: number;
  readonly guild_id?: string;
  readonly parent_id?: string | null;
  readonly thread_metadata?: { readonly locked?: boolean };
  readonly permission_overwrites?: readonly APIOverwrite[];
}

export function isThread({ type }: Pick<KnownChannel, 'type'>): boolean {
  return THREADS.has(type);
}

const THREADS: ReadonlySet<number> = new Set([
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);

/** Kinds of channels that messages with buttons can be posted in. */
const POSTABLE: ReadonlySet<number> = new Set([ChannelType.GuildText, ChannelType.GuildAnnouncement, ...THREADS]);

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
  async fresh(channel: string): Promise<FreshChannel> {
    const told = await this.#ask(channel);
    if (told.guild_id === undefined || !POSTABLE.has(told.type)) {
      throw new SurfaceError('This Discord channel takes no messages with buttons', {
        platformCode: 'wrong_kind_of_channel',
        permanent: true,
        hint: 'Use the id of a text channel of a server: not of a forum, a voice channel, a category or a direct message.',
      });
    }
    const known = { type: told.type, guildId: told.guild_id };
    this.#known.set(channel, known);
    return {
      ...known,
      parentId: isThread(known) ? (told.parent_id ?? undefined) : undefined,
      isLocked: told.thread_metadata?.locked === true,
      overwrites: told.permission_overwrites ?? [],
    };
  }

  /** Those of any kind of channel: a thread may hang on one that takes no cards itself. */
  async overwritesOf(channel: string): Promise<readonly APIOverwrite[]> {
    return (await this.#ask(channel)).permission_overwrites ?? [];
  }

  #ask(channel: string): Promise<Told> {
    return this.#web.call('get', Routes.channel(channel), 'reading the channel');
  }
}
