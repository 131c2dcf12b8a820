import { sentenceOf } from '../../src/core/errors.ts';
import { within } from '../../src/core/pause.ts';
import type { Card } from '../../src/core/ports/surface-adapter.ts';
import type { Question } from '../../src/core/questions/contract.ts';
import type { Decision } from '../../src/core/request.ts';
import { type Draft, readDraft } from './draft.ts';
import { answerForm, type Modal, otherForm, stepForm } from './form.ts';
import { type Click, type Interactions, redrawWith, touchOf } from './interactions.ts';
import { OURS } from './limits.ts';
import { type CardAction, opensModal } from './parse.ts';
import { decidePrivately, openPrivately } from './proposal-private.ts';
import { denyForm, proposalDecisionOf } from './proposal-views.ts';
import { SENTENCES } from './replies.ts';
import { handleSend, handleStep } from './steps.ts';

/** Handles one click or choice. The custom id alone says how Discord is answered first. */
export async function handleClick(shared: Interactions, click: Click): Promise<void> {
  const { action } = click;
  if (opensModal(action)) return openModal(shared, click);
  if (action.kind === 'review' || action.kind === 'confirm') return openPrivately(shared, click);
  if (action.kind === 'confirmed') return decidePrivately(shared, click);
  // At once, before anything is looked up: the person has three seconds from the click, not from now.
  const answered = shared.callback.defer(click.interaction);
  const tell = (sentence: string) => shared.tell(click.interaction, answered, sentence);
  try {
    if (action.kind === 'steps' || action.kind === 'step') return await handleStep(shared, click, answered);
    if (action.kind === 'revoke' || action.kind === 'askagain') {
      const reply = await shared.host.later(touchOf(shared, click), action.kind);
      return reply === undefined ? undefined : await tell(reply);
    }
    if (action.kind === 'send') return await handleSend(shared, click, answered);
    await decide(shared, click, tell, redrawWith(shared, click.interaction, answered));
  } catch (error) {
    await tell(SENTENCES.failed);
    throw error;
  } finally {
    await answered;
  }
}

async function decide(
  shared: Interactions,
  click: Click,
  tell: (sentence: string) => Promise<void>,
  redraw: ReturnType<typeof redrawWith>,
): Promise<void> {
  const { host } = shared;
  const { interaction, requestId, action } = click;
  const touch = touchOf(shared, click);
  const looked = await host.lookUp(touch);
  if ('refused' in looked) return tell(looked.refused);
  const { view } = looked.card;
  const decision =
    view.kind === 'questions'
      ? decisionOf(action, interaction.data.values ?? [], view.questions)
      : proposalDecisionOf(action, view);
  if (decision === undefined) return tell(SENTENCES.older);
  const reply = await host.respond({ requestId, decision, actor: touch.actor, interactionId: interaction.id, redraw });
  if (reply !== undefined) await tell(reply);
}

/** The labels come from the request itself, never from what the card said. */
function decisionOf(
  action: CardAction,
  values: readonly string[],
  questions: readonly Question[],
): Decision | undefined {
  switch (action.kind) {
    case 'decline':
      return { kind: 'declined' };
    case 'skip':
      return { kind: 'answers', sheet: questions.map(() => ({ status: 'skipped' })) };
    case 'option':
      return choiceOf(action.index, questions);
    case 'pick':
      return choiceOf(Number(/^o(\d{1,2})$/.exec(values[0] ?? '')?.[1] ?? -1), questions);
    default:
      return undefined;
  }
}

function choiceOf(index: number, questions: readonly Question[]): Decision | undefined {
  const label = questions.length === 1 ? questions[0]?.options[index]?.label : undefined;
  return label === undefined ? undefined : { kind: 'answers', sheet: [{ status: 'answered', labels: [label] }] };
}

/** A modal can only be the first response, so that its content has to be there in time. */
async function openModal(shared: Interactions, click: Click): Promise<void> {
  const { clock, callback } = shared;
  const { interaction } = click;
  const content = await within(clock, OURS.lookUpMs, contentOf(shared, click));
  if (content === undefined) {
    await callback.say(interaction, SENTENCES.again);
    return;
  }
  const { looked, draft } = content;
  const modal = 'refused' in looked ? undefined : modalFor(click.action, looked.card, draft);
  if ('refused' in looked) await callback.say(interaction, looked.refused);
  else if (modal === undefined) await callback.say(interaction, SENTENCES.older);
  else await callback.modal(interaction, modal);
}

async function contentOf(shared: Interactions, click: Click) {
  const { host, log } = shared;
  const { requestId, action } = click;
  try {
    const [looked, stored] = await Promise.all([
      host.lookUp(touchOf(shared, click)),
      action.kind === 'step' ? host.readDraft(requestId) : undefined,
    ]);
    return { looked, draft: readDraft(stored) };
  } catch (error) {
    log.error({ requestId, reason: sentenceOf(error) }, 'the content of a form could not be read');
    return undefined;
  }
}

function modalFor(action: CardAction, { view }: Card, draft: Draft | undefined): Modal | undefined {
  if (view.kind === 'proposal') return action.kind === 'denynote' ? denyForm(view) : undefined;
  switch (action.kind) {
    case 'answer':
    case 'note':
      return answerForm(view);
    case 'other':
      return otherForm(view);
    case 'step':
      return action.what === 'other' || action.what === 'note'
        ? stepForm(view, action.question, action.what, draft?.entries[action.question] ?? null)
        : undefined;
    default:
      return undefined;
  }
}
