import { type RequestData, Routes } from 'discord.js';
import type { Clock } from '../../src/core/clock.ts';
import { sentenceOf } from '../../src/core/errors.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { SurfaceHost, SurfaceResponse, Touch } from '../../src/core/ports/surface-adapter.ts';
import type { Recent } from '../../src/core/recent.ts';
import type { Answered, Callback } from './callback.ts';
import { CODES, hasCode } from './errors.ts';
import { actorOf } from './identity.ts';
import type { Lanes } from './lanes.ts';
import type { Messages } from './messages.ts';
import type { CardAction } from './parse.ts';
import type { ComponentClick, Interaction, ModalSubmit } from './payload.ts';
import { renderCard } from './render.ts';
import type { Tell } from './replies.ts';
import type { Sight } from './sight.ts';
import { type DiscordWeb, messageBody } from './web.ts';

/** What clicks, submits and steps share. */
export interface Interactions {
  readonly host: SurfaceHost;
  readonly web: DiscordWeb;
  readonly messages: Messages;
  readonly callback: Callback;
  readonly tell: Tell;
  readonly sight: Sight;
  readonly lanes: Lanes;
  /** When each interaction handled here came in: a RESUME may bring one again, and it is to be answered once. */
  readonly handled: Recent<number>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One interaction with one card of ours. */
export interface Deed<I extends Interaction = Interaction> {
  readonly interaction: I;
  readonly requestId: string;
  readonly action: CardAction;
}

export type Click = Deed<ComponentClick>;
export type Submission = Deed<ModalSubmit>;

/** The click's own way to redraw its card, below the channel's rate limits; tried only where we answered it. */
export function redrawWith(
  shared: Interactions,
  interaction: Interaction,
  answered: Promise<Answered>,
): NonNullable<SurfaceResponse['redraw']> {
  return async (ref, card) => {
    if (interaction.message?.id !== ref.message || (await answered) !== 'ours') return false;
    const drawn = await editOriginal(shared, interaction, {
      ...messageBody(renderCard(card)),
      ...(card.state.phase === 'open' ? {} : { attachments: [] }),
    });
    return drawn && (await shared.messages.repoint(ref, card));
  };
}

/** Edits the message an interaction came from by the interaction's own token. False when it cannot be used (any more). */
export async function editOriginal(
  shared: Interactions,
  interaction: Interaction,
  body: unknown,
  files: Pick<RequestData, 'files'> = {},
): Promise<boolean> {
  const { application_id: application, token } = interaction;
  try {
    await shared.web.call('patch', Routes.webhookMessage(application, token, '@original'), 'a redraw', {
      body,
      ...files,
      auth: false,
    });
    return true;
  } catch (error) {
    const isOver = hasCode(error, CODES.unknownWebhook, CODES.invalidWebhookToken, CODES.unknownMessage);
    shared.log.debug(
      { interaction: interaction.id, isOver, reason: sentenceOf(error) },
      'a card was not redrawn by its click',
    );
    return false;
  }
}

export function channelOf({ channel_id: id, channel }: Interaction): string | undefined {
  return id ?? channel?.id;
}

/** What the gateway is told of it: who, and which card, should no record know that it hangs there. */
export function touchOf({ messages }: Interactions, { interaction, requestId }: Deed): Touch {
  const [thread, message, guild] = [channelOf(interaction), interaction.message?.id, interaction.guild_id];
  const touch = { requestId, actor: actorOf(interaction), interactionId: interaction.id };
  if (thread === undefined || message === undefined || guild == null) return touch;
  const channel = messages.placeOf(thread, interaction.channel?.parent_id ?? undefined);
  return { ...touch, card: { platform: 'discord', workspaceId: guild, channel, message, thread } };
}
