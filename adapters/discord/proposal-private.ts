import { sentenceOf } from '../../src/core/errors.ts';
import type { FormLookup } from '../../src/core/ports/surface-adapter.ts';
import type { ProposalView } from '../../src/core/request.ts';
import { actorOf } from './identity.ts';
import { type Click, editOriginal, type Interactions, touchOf } from './interactions.ts';
import { confirmView, proposalDecisionOf, reviewView } from './proposal-views.ts';
import type { Payload } from './render.ts';
import { noticeOf, SENTENCES } from './replies.ts';
import { attachmentsOf, filesOf, messageBody } from './web.ts';

/** Shows a proposal, or the second step of what cannot be taken back, to whoever clicked and to nobody else. */
export async function openPrivately(shared: Interactions, click: Click): Promise<void> {
  const { interaction } = click;
  const answered = await shared.callback.think(interaction);
  if (answered === 'others' || answered === 'gone') return;
  const looked = await lookUp(shared, click);
  if ('refused' in looked) return say(shared, click, looked.refused);
  const { view } = looked.card;
  const payload = view.kind === 'proposal' ? viewOf(click, view) : undefined;
  if (payload === undefined) return say(shared, click, SENTENCES.older);
  const body = { ...messageBody(payload), ...attachmentsOf(payload) };
  await editOriginal(shared, interaction, body, filesOf(payload));
}

/**
 * The button in such a private message. It is nobody's card, so that the gateway is not told where it was pressed; what
 * came of it takes the buttons' place.
 */
export async function decidePrivately(shared: Interactions, click: Click): Promise<void> {
  const { host, callback } = shared;
  const { interaction, requestId, action } = click;
  const answered = callback.defer(interaction);
  const actor = actorOf(interaction);
  const looked = await lookUp(shared, click);
  if ('refused' in looked) return say(shared, click, looked.refused, await answered);
  const { view } = looked.card;
  const decision = view.kind === 'proposal' ? proposalDecisionOf(action, view) : undefined;
  if (decision === undefined) return say(shared, click, SENTENCES.older, await answered);
  const reply = await host.respond({ requestId, decision, actor, interactionId: interaction.id });
  await say(shared, click, reply ?? SENTENCES.recorded, await answered);
}

function viewOf({ action }: Click, view: ProposalView): Payload | undefined {
  if (action.kind === 'review') return reviewView(view);
  return action.kind === 'confirm' ? confirmView(view, action.scope) : undefined;
}

/** Without the card for a private message, which no record is to know. */
async function lookUp(shared: Interactions, click: Click): Promise<FormLookup> {
  const { host, log } = shared;
  const touch = touchOf(shared, click);
  const { requestId, actor, interactionId } = touch;
  try {
    return await host.lookUp(click.action.kind === 'confirmed' ? { requestId, actor, interactionId } : touch);
  } catch (error) {
    log.error({ requestId, reason: sentenceOf(error) }, 'a proposal could not be looked up');
    return { refused: SENTENCES.failed };
  }
}

/** Where another gateway answered Discord, that one talks. */
async function say(
  shared: Interactions,
  { interaction }: Click,
  sentence: string,
  answered: 'ours' | 'others' | 'gone' | 'unknown' = 'ours',
): Promise<void> {
  if (answered === 'others' || answered === 'gone') return;
  await editOriginal(shared, interaction, { ...noticeOf(sentence), attachments: [] });
}
