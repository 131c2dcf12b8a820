import { sentenceOf } from '../../src/core/errors.ts';
import { handleClick } from './clicks.ts';
import { readDraft } from './draft.ts';
import { handleCommand } from './inbox.ts';
import { channelOf, type Deed, type Interactions, touchOf } from './interactions.ts';
import { OURS } from './limits.ts';
import { parseToken } from './parse.ts';
import { interaction as interactionSchema, timeOf } from './payload.ts';
import { SENTENCES } from './replies.ts';
import { handleSubmission } from './submissions.ts';

/** Handles one INTERACTION_CREATE to its end. Never rejects. */
export async function handleInteraction(shared: Interactions, payload: unknown): Promise<void> {
  const parsed = interactionSchema.safeParse(payload);
  if (!parsed.success) {
    shared.log.debug({ issues: parsed.error.issues.length }, 'an interaction of a kind that is not known');
    return;
  }
  const interaction = parsed.data;
  if (shared.handled.get(interaction.id) !== undefined) return;
  shared.handled.set(interaction.id, shared.clock.now());
  try {
    if (interaction.type === 2) return await handleCommand(shared, interaction);
    const token = parseToken(interaction.data.custom_id);
    if (token.kind !== 'ours') {
      await shared.callback.say(interaction, SENTENCES[token.kind]);
      return;
    }
    const touch = { requestId: token.requestId, action: token.action };
    const ageMs = shared.web.platformClock.now() - timeOf(interaction.id);
    if (ageMs > OURS.staleMs) {
      shared.log.warn({ interaction: interaction.id, ageMs }, 'an interaction came so late that it changes nothing');
      await redrawOpen(shared, { interaction, ...touch });
    } else if (interaction.type === 3) {
      await handleClick(shared, { interaction, ...touch });
    } else {
      await handleSubmission(shared, { interaction, ...touch });
    }
  } catch (error) {
    // Should it come again, it may be tried again.
    shared.handled.delete(interaction.id);
    shared.log.error({ interaction: interaction.id, reason: sentenceOf(error) }, 'an interaction could not be handled');
  }
}

/** Brings the card of a late click to what it is now, should the person look at something else. */
async function redrawOpen(shared: Interactions, deed: Deed): Promise<void> {
  const { host, messages } = shared;
  const { interaction, requestId } = deed;
  const [channel, message] = [channelOf(interaction), interaction.message?.id];
  if (channel === undefined || message === undefined) return;
  const looked = await host.lookUp(touchOf(shared, deed));
  // What is not open any more is drawn by the gateway that settles it.
  if ('card' in looked)
    await messages.drawAt(channel, message, looked.card, readDraft(await host.readDraft(requestId)));
}
