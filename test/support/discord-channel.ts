import { expect } from 'vitest';
import { type DiscordDouble, drawScreen, type ScreenMessage, startDiscordDouble } from '../doubles/discord/index.ts';

/** A card on Discord, and the thread it stands in. */
export interface PlacedCard {
  readonly thread: string;
  readonly message: ScreenMessage;
}

/** A Discord on loopback with one person in one channel, to be bound by whatever is tested. */
export interface DiscordChannel extends AsyncDisposable {
  readonly discord: DiscordDouble;
  readonly ana: string;
  readonly channel: string;
  /** What a process needs in its environment to ask here. */
  readonly env: Readonly<Record<string, string>>;
  /** Waits until Ana sees a card, in whatever thread, that contains the text and satisfies `fits`. */
  card(text: string, fits?: (card: ScreenMessage) => boolean): Promise<PlacedCard>;
  /** Ana presses a button of the card that contains the text, once it is there; resolves when Discord got its response. */
  press(text: string, label: string): Promise<void>;
  /** Ana chooses in the select of that card. */
  choose(text: string, label: string): Promise<void>;
}

const WITHIN_MS = 30_000;

export async function openDiscordChannel(): Promise<DiscordChannel> {
  const discord = await startDiscordDouble();
  const ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  const channel = discord.guild.addChannel({ name: 'agents' }).id;

  const threads = () =>
    discord.screen(ana, channel).messages.flatMap(({ thread }) => (thread === undefined ? [] : [thread.id]));
  /** A card has a line in the channel and stands in a thread; only the latter is looked at. */
  const find = (text: string, fits: (card: ScreenMessage) => boolean): PlacedCard | undefined =>
    threads()
      .flatMap((thread) => discord.screen(ana, thread).messages.map((message) => ({ thread, message })))
      .find(({ message }) => !message.ephemeral && message.notification.includes(text) && fits(message));
  const card: DiscordChannel['card'] = (text, fits = () => true) =>
    discord
      .until(ana, channel, () => find(text, fits), WITHIN_MS)
      .catch(() => {
        const seen = threads().map((thread) => drawScreen(discord.screen(ana, thread)));
        throw new Error(`No such card with "${text}" within ${WITHIN_MS} ms:\n${seen.join('\n')}`);
      });

  return {
    discord,
    ana,
    channel,
    env: { DISCORD_BOT_TOKEN: discord.botToken, DISCORD_API_URL: discord.apiUrl },
    card,
    async press(text, label) {
      const { thread, message } = await card(text, ({ controls }) => controls.some((one) => one.text === label));
      const { kind } = await discord.user(ana).click({ channel: thread, message: message.id, label }).settled;
      expect(kind).toBe('acked');
    },
    async choose(text, label) {
      const selectOf = ({ controls }: ScreenMessage) => controls.find(({ kind }) => kind === 'string_select');
      const { thread, message } = await card(
        text,
        (one) => selectOf(one)?.options.some((option) => option.text === label) === true,
      );
      const target = { channel: thread, message: message.id, customId: selectOf(message)?.customId ?? '' };
      expect((await discord.user(ana).select(target, label)?.settled)?.kind).toBe('acked');
    },
    async [Symbol.asyncDispose]() {
      const violations = discord.violations.map(({ rule, message }) => ({ rule, message }));
      await discord.close();
      expect(violations).toEqual([]);
    },
  };
}
