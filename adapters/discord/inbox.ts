import { Routes } from 'discord.js';
import { sentenceOf } from '../../src/core/errors.ts';
import { PENDING } from './commands.ts';
import { actorOf } from './identity.ts';
import { renderInbox } from './inbox-view.ts';
import type { Interactions } from './interactions.ts';
import { OURS } from './limits.ts';
import type { CommandUse } from './payload.ts';
import { SENTENCES } from './replies.ts';
import { messageBody } from './web.ts';

/**
 * Answers `/pending` in private. Discord is answered first, before anything is looked up; where another gateway was
 * faster, that one lists. Never rejects.
 */
export async function handleCommand(shared: Interactions, interaction: CommandUse): Promise<void> {
  const { callback, host, web, sight, log } = shared;
  if (interaction.data.name !== PENDING.name) {
    await callback.say(interaction, SENTENCES.unknownCommand);
    return;
  }
  const answered = await callback.think(interaction);
  if (answered === 'others' || answered === 'gone') return;
  const inbox = await host.inbox({
    actor: actorOf(interaction),
    most: OURS.inboxEntries,
    seen: (channels) => sight(interaction, channels),
  });
  const { application_id: application, token } = interaction;
  try {
    await web.call('patch', Routes.webhookMessage(application, token, '@original'), 'a list', {
      body: messageBody(renderInbox(inbox)),
      auth: false,
    });
  } catch (error) {
    log.warn({ interaction: interaction.id, reason: sentenceOf(error) }, 'what is open could not be shown to somebody');
  }
}
