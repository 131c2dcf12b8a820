import { Routes } from 'discord.js';
import type { Clock } from '../../src/core/clock.ts';
import { sentenceOf } from '../../src/core/errors.ts';
import { pause } from '../../src/core/pause.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import type { Answered } from './callback.ts';
import { container, text } from './components.ts';
import { quoted, shown } from './fit.ts';
import type { Interaction } from './payload.ts';
import { type DiscordWeb, FLAGS, messageBody } from './web.ts';

/** Tells one person in private; `typed` is text of theirs that would be lost otherwise. Never rejects. */
export type Tell = (
  interaction: Interaction,
  answered: Promise<Answered>,
  sentence: string,
  typed?: string,
) => Promise<void>;

/** The body of a private message. */
export function noticeOf(sentence: string, typed?: string) {
  // Sentences hold people's names, which are theirs to choose.
  const told = text(shown(sentence, 1_500));
  const kept = typed === undefined ? [] : [text(`What you wrote, to use again\\:\n${quoted(typed, 2_000)}`)];
  return messageBody({ components: [container([told, ...kept])] }, FLAGS.ephemeral);
}

/**
 * A private follow-up to an interaction that was acknowledged here. Where another gateway answered, that one talks; where
 * Discord knows the interaction no more, nobody can be told anything in private.
 */
export function createTell(deps: { web: DiscordWeb; clock: Clock; log: Logger }): Tell {
  const { web, clock, log } = deps;
  return async (interaction, answered, sentence, typed) => {
    const how = await answered;
    if (how === 'others') return;
    const { application_id: application, token } = interaction;
    const body = noticeOf(sentence, typed);
    try {
      if (how === 'gone') throw new Error('Discord does not know the interaction any more');
      await patiently(clock, () =>
        web.call('post', Routes.webhook(application, token), 'a private notice', { body, auth: false }),
      );
    } catch (error) {
      log.warn({ interaction: interaction.id, reason: sentenceOf(error) }, 'somebody could not be told in private');
    }
  };
}

/**
 * Many may be too late at once, and take turns: a notice that has to wait for its own is sent then, since nothing else
 * will send it. After this long nobody looks for it any more.
 */
const TELL_WITHIN_MS = 30_000;

async function patiently(clock: Clock, send: () => Promise<unknown>): Promise<void> {
  const until = clock.now() + TELL_WITHIN_MS;
  for (;;) {
    try {
      await send();
      return;
    } catch (error) {
      const waitMs = error instanceof SurfaceError ? error.retryAfterMs : undefined;
      if (waitMs === undefined || clock.now() + waitMs > until) throw error;
      await pause(clock, waitMs);
    }
  }
}

/** What the adapter itself has to tell people. The rest is worded by the gateway. */
export const SENTENCES = Object.freeze({
  older: 'This card is from an older version of handraise, so its buttons do nothing any more; nothing was recorded.',
  foreign: 'This button does not belong to a question of handraise, so nothing was recorded.',
  again: 'The form could not be opened in time, and nothing was recorded. Please click again.',
  recorded: 'Your decision is recorded. The card says when the agent has it.',
  failed: 'Something went wrong on our side. Look at the card: if it still has its buttons, please click again.',
  unknownCommand: 'This command is from another version of handraise. Try again in a minute.',
  notTaken: (complaint: string) => `Nothing was recorded. ${complaint}`,
  held: (name: string, seconds: number) =>
    `${name} is answering this just now; nothing was changed. You can go on with it when nothing happens for ${seconds} s.`,
  overtaken: 'Somebody else was faster; look at the card, and press again what you wanted.',
});
