import { type APIApplicationCommand, ApplicationCommandType, InteractionContextType, Routes } from 'discord.js';
import { sentenceOf } from '../../src/core/errors.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { DiscordWeb } from './web.ts';

/** The one command there is. In servers only: in a direct message nobody is a member of anything. */
export const PENDING = Object.freeze({
  name: 'pending',
  description: 'Lists the questions of coding agents that you may answer',
});

/**
 * Makes `/pending` known wherever the bot is. Other commands of the application are left alone, and nothing is written
 * when Discord has it already. Never rejects: without the command questions can be answered all the same.
 */
export async function registerCommands({ web, log }: { web: DiscordWeb; log: Logger }): Promise<void> {
  try {
    // The application's id is not always the bot's: older ones have two.
    const { id } = await web.call<{ id: string }>('get', Routes.currentApplication(), 'its application');
    const route = Routes.applicationCommands(id);
    const known = await web.call<readonly Partial<APIApplicationCommand>[]>('get', route, 'its commands');
    if (known.some(isPending)) return;
    const body = { ...PENDING, type: ApplicationCommandType.ChatInput, contexts: [InteractionContextType.Guild] };
    await web.call('post', route, 'a command', { body });
    log.info({ command: PENDING.name }, 'a command was made known to Discord');
  } catch (error) {
    log.warn({ command: PENDING.name, reason: sentenceOf(error) }, 'a command could not be made known to Discord');
  }
}

/** Whether Discord knows it as it is meant to be. */
export function isPending({ name, type, description, options, contexts }: Partial<APIApplicationCommand>): boolean {
  return (
    (type ?? ApplicationCommandType.ChatInput) === ApplicationCommandType.ChatInput &&
    name === PENDING.name &&
    description === PENDING.description &&
    (options ?? []).length === 0 &&
    contexts?.length === 1 &&
    contexts[0] === InteractionContextType.Guild
  );
}
