import { InteractionResponseType, Routes } from 'discord.js';
import type { Clock } from '../../src/core/clock.ts';
import { sentenceOf } from '../../src/core/errors.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { CODES, hasCode } from './errors.ts';
import type { Modal } from './form.ts';
import type { Interaction } from './payload.ts';
import { noticeOf } from './replies.ts';
import { type DiscordWeb, FLAGS } from './web.ts';

/**
 * How the first response to an interaction went. `ours`: Discord took it, and we talk to the person. `others`: another
 * gateway was faster, and talks. `gone`: Discord knows it no more. `unknown`: no answer; it may have arrived.
 */
export type Answered = 'ours' | 'others' | 'gone' | 'unknown';

/** The four ways in which we answer an interaction first. None rejects. */
export interface Callback {
  /** Nothing changes yet; the card may be redrawn later. */
  defer(interaction: Interaction): Promise<Answered>;
  /** Something is coming, for the person alone; it may be edited in for a quarter of an hour. */
  think(interaction: Interaction): Promise<Answered>;
  modal(interaction: Interaction, modal: Modal): Promise<Answered>;
  /** A private sentence. */
  say(interaction: Interaction, sentence: string): Promise<Answered>;
}

/**
 * Answers within Discord's three seconds. Every gateway that saw the interaction sends the same first response; Discord
 * takes one. The decision does not depend on any of this.
 */
export function createCallback(deps: {
  web: DiscordWeb;
  clock: Clock;
  log: Logger;
  /** When the interaction came in, by `clock`. */
  arrivalOf: (interaction: Interaction) => number | undefined;
  onAcknowledged?: (afterMs: number) => void;
}): Callback {
  const { web, clock, log, arrivalOf } = deps;
  const respond = async (interaction: Interaction, body: { type: InteractionResponseType; data?: unknown }) => {
    const cameAt = arrivalOf(interaction) ?? clock.now();
    try {
      await web.call('post', Routes.interactionCallback(interaction.id, interaction.token), 'a response', {
        body,
        query: new URLSearchParams({ with_response: 'false' }),
        auth: false,
      });
      deps.onAcknowledged?.(Math.max(0, clock.now() - cameAt));
      return 'ours';
    } catch (error) {
      if (hasCode(error, CODES.alreadyAcknowledged)) return 'others';
      log.warn({ interaction: interaction.id, reason: sentenceOf(error) }, 'an interaction could not be answered');
      return hasCode(error, CODES.unknownInteraction, CODES.unknownWebhook, CODES.invalidWebhookToken)
        ? 'gone'
        : 'unknown';
    }
  };
  return {
    defer: (interaction) => respond(interaction, { type: InteractionResponseType.DeferredMessageUpdate }),
    think: (interaction) =>
      respond(interaction, {
        type: InteractionResponseType.DeferredChannelMessageWithSource,
        data: { flags: FLAGS.ephemeral },
      }),
    modal: (interaction, data) => respond(interaction, { type: InteractionResponseType.Modal, data }),
    say: (interaction, sentence) =>
      respond(interaction, {
        type: InteractionResponseType.ChannelMessageWithSource,
        data: noticeOf(sentence),
      }),
  };
}
