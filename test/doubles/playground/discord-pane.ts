import type { Screen } from '../discord/index.ts';
import type { Person, PlaygroundWorkspace } from './workspace.ts';

/** What the page draws of Discord: the channel, and every thread that was started in it, oldest first. */
export interface DiscordPane {
  readonly channel: Screen;
  readonly threads: readonly Screen[];
}

export function discordPane({ discord, discordChannel }: PlaygroundWorkspace, { discordId }: Person): DiscordPane {
  const channel = discord.screen(discordId, discordChannel.id);
  const threads = channel.messages.flatMap(({ thread }) => (thread ? [discord.screen(discordId, thread.id)] : []));
  return { channel, threads };
}
