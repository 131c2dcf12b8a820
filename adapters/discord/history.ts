import { type APIMessage, Routes } from 'discord.js';
import { sessionMark } from './render.ts';
import type { DiscordWeb } from './web.ts';

type Found = Pick<APIMessage, 'id' | 'components' | 'author'>;

/** Five hundred messages back: a session's thread and an hour of a busy channel. */
const MOST_PAGES = 5;
const PAGE = 100;

/** Looks for our own messages in what a channel holds. */
export class History {
  readonly #web: DiscordWeb;
  readonly #botId: string;

  constructor(web: DiscordWeb, botId: string) {
    this.#web = web;
    this.#botId = botId;
  }

  page(channel: string, before: string | undefined, limit: number): Promise<Found[]> {
    const query = new URLSearchParams({ limit: String(limit), ...(before === undefined ? {} : { before }) });
    return this.#web.call('get', Routes.channelMessages(channel), 'reading the channel', { query });
  }

  /** The newest that is ours and fits. */
  async find(channel: string, isIt: (message: Found) => boolean): Promise<Found | undefined> {
    let before: string | undefined;
    for (let read = 0; read < MOST_PAGES; read += 1) {
      const messages = await this.page(channel, before, PAGE);
      const found = messages.find((message) => message.author.id === this.#botId && isIt(message));
      if (found !== undefined || messages.length < PAGE) return found;
      before = messages.at(-1)?.id;
    }
    return undefined;
  }

  /** The parent line of a session. */
  session(channel: string, sessionId: string): Promise<Found | undefined> {
    const mark = `session ${sessionMark(sessionId)}`;
    return this.find(channel, ({ components = [] }) => JSON.stringify(components).includes(mark));
  }

  /** Threads of ours on messages of the channel, the newest first, then the channel itself, which may be a thread. */
  async threadsOf(channel: string, guildId: string): Promise<string[]> {
    const { threads } = await this.#web.call<{
      threads: { id: string; parent_id?: string | null; owner_id?: string }[];
    }>('get', Routes.guildActiveThreads(guildId), 'listing threads');
    const ours = threads.filter((thread) => thread.parent_id === channel && thread.owner_id === this.#botId);
    const byAge = ours.map(({ id }) => id).sort((a, b) => (BigInt(a) > BigInt(b) ? -1 : 1));
    return [...byAge, channel];
  }
}
