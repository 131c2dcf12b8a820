import { sheetOf, typedIn } from '../../src/prompt/form-entries.ts';
import { FORM_CALLBACK } from './form.ts';
import { readForm } from './form-answers.ts';
import { placeIn } from './form-place.ts';
import type { Interactions } from './interactions.ts';
import { viewSubmission } from './payload.ts';
import { handleProposalSubmission, isOfProposal } from './proposal-submissions.ts';
import { SENTENCES } from './replies.ts';
import { type AckView, settleSubmission } from './submitted.ts';

/** Judges a submitted form by itself, answers Slack, then decides. Never rejects. */
export async function handleSubmission(shared: Interactions, payload: unknown, ack: AckView): Promise<void> {
  const parsed = viewSubmission.safeParse(payload);
  if (!parsed.success) {
    shared.log.warn({ readable: false }, 'a form that is not ours was submitted');
    return ack();
  }
  if (isOfProposal(parsed.data)) return handleProposalSubmission(shared, parsed.data, ack);
  const { view } = parsed.data;
  if (view.callback_id !== FORM_CALLBACK) {
    shared.log.warn({ readable: true }, 'a form that is not ours was submitted');
    return ack();
  }
  const reading = readForm(view.state.values);
  if (!reading.ok) return ack({ response_action: 'errors', errors: { ...reading.errors } });
  const place = placeIn(view.private_metadata);
  if (place === undefined) {
    const [block = ''] = Object.keys(view.state.values);
    return ack({ response_action: 'errors', errors: { [block]: SENTENCES.olderForm } });
  }
  await ack();
  await settleSubmission(shared, parsed.data, place, typedIn(reading.entries), (asked) => {
    const sheet = asked.kind === 'questions' ? sheetOf(reading.entries, asked.questions) : undefined;
    return sheet === undefined ? undefined : { kind: 'answers', sheet };
  });
}
