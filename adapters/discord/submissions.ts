import type { PrivateReply } from '../../src/core/ports/surface-adapter.ts';
import { isOtherLabel } from '../../src/core/questions/contract.ts';
import { sheetOf, typedIn } from '../../src/prompt/form-entries.ts';
import { noteIn, readForm, textIn } from './form-answers.ts';
import { type Interactions, redrawWith, type Submission, touchOf } from './interactions.ts';
import type { ModalSubmit } from './payload.ts';
import { SENTENCES } from './replies.ts';
import { changeDraft } from './steps.ts';

/** Handles one submitted modal. It has closed by then: what was wrong is told in private, with what was typed. */
export async function handleSubmission(shared: Interactions, submission: Submission): Promise<void> {
  const { interaction, action } = submission;
  const answered = shared.callback.defer(interaction);
  const typed = everythingTyped(interaction);
  const tell = (sentence: string) => shared.tell(interaction, answered, sentence, typed);
  try {
    if (action.kind === 'step' && (action.what === 'other' || action.what === 'note')) {
      const field = action.what === 'other' ? 'other' : 'notes';
      const text = textIn(interaction, action.question, field);
      const { question } = action;
      if (field === 'other' && text !== undefined && isOtherLabel(text)) {
        return await tell(SENTENCES.notTaken(`"${text}" alone answers nothing: use your own words.`));
      }
      await changeDraft(shared, submission, answered, { kind: field, question, text }, typed);
    } else if (action.kind === 'answer' || action.kind === 'other') {
      const refusal = await decide(shared, submission, redrawWith(shared, interaction, answered));
      if (refusal !== undefined) await tell(refusal);
    } else if (action.kind === 'denynote') {
      const refusal = await deny(shared, submission, redrawWith(shared, interaction, answered));
      if (refusal !== undefined) await tell(refusal);
    } else {
      await tell(SENTENCES.older);
    }
  } catch (error) {
    await tell(SENTENCES.failed);
    throw error;
  } finally {
    await answered;
  }
}

async function decide(
  shared: Interactions,
  submission: Submission,
  redraw: ReturnType<typeof redrawWith>,
): Promise<PrivateReply> {
  const { host } = shared;
  const { interaction, requestId } = submission;
  const reading = readForm(interaction);
  if (!reading.ok) return SENTENCES.notTaken(reading.sentence);
  const touch = touchOf(shared, submission);
  const looked = await host.lookUp(touch);
  if ('refused' in looked) return looked.refused;
  const { view } = looked.card;
  const sheet = view.kind === 'questions' ? sheetOf(reading.entries, view.questions) : undefined;
  if (sheet === undefined) return SENTENCES.older;
  const decision = { kind: 'answers', sheet } as const;
  return host.respond({ requestId, decision, actor: touch.actor, interactionId: interaction.id, redraw });
}

async function deny(
  shared: Interactions,
  submission: Submission,
  redraw: ReturnType<typeof redrawWith>,
): Promise<PrivateReply> {
  const { host } = shared;
  const { interaction, requestId } = submission;
  const note = noteIn(interaction);
  if (note === undefined) return SENTENCES.notTaken('Write what the agent should know, or press Deny.');
  const touch = touchOf(shared, submission);
  const looked = await host.lookUp(touch);
  if ('refused' in looked) return looked.refused;
  if (looked.card.view.kind !== 'proposal') return SENTENCES.older;
  const decision = { kind: 'denied', note } as const;
  return host.respond({ requestId, decision, actor: touch.actor, interactionId: interaction.id, redraw });
}

function everythingTyped(interaction: ModalSubmit): string | undefined {
  return typedIn(readForm(interaction).entries) ?? stepText(interaction) ?? noteIn(interaction);
}

/** A step's one box is not that of question 1, which the form's reading begins with. */
function stepText(interaction: ModalSubmit): string | undefined {
  for (const question of [0, 1, 2, 3]) {
    const text = textIn(interaction, question, 'other') ?? textIn(interaction, question, 'notes');
    if (text !== undefined) return text;
  }
  return undefined;
}
