import { createHash } from 'node:crypto';
import { type FormEntry, sheetOf, typedIn } from '../../src/prompt/form-entries.ts';
import { redrawWith } from './clicks.ts';
import { FORM_CALLBACK } from './form.ts';
import { readForm } from './form-answers.ts';
import { type FormPlace, placeIn } from './form-place.ts';
import { handleOnce, type Interactions } from './interactions.ts';
import { type ViewSubmission, viewSubmission } from './payload.ts';
import { SENTENCES } from './replies.ts';

/** Answers a `view_submission`: nothing closes the modal, errors keep it open. */
export type AckView = (response?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>;

/** Judges a submitted form by itself, answers Slack, then decides. Never rejects. */
export async function handleSubmission(shared: Interactions, payload: unknown, ack: AckView): Promise<void> {
  const parsed = viewSubmission.safeParse(payload);
  if (!parsed.success || parsed.data.view.callback_id !== FORM_CALLBACK) {
    shared.log.warn({ readable: parsed.success }, 'a form that is not ours was submitted');
    return ack();
  }
  const { view } = parsed.data;
  const reading = readForm(view.state.values);
  if (!reading.ok) return ack({ response_action: 'errors', errors: { ...reading.errors } });
  const place = placeIn(view.private_metadata);
  if (place === undefined) {
    const [block = ''] = Object.keys(view.state.values);
    return ack({ response_action: 'errors', errors: { [block]: SENTENCES.olderForm } });
  }
  await ack();
  await decide(shared, parsed.data, place, reading.entries);
}

async function decide(
  shared: Interactions,
  body: ViewSubmission,
  place: FormPlace,
  entries: readonly FormEntry[],
): Promise<void> {
  const { host, tell } = shared;
  const { requestId, channel, message } = place;
  const url = shared.openers.get(body.view.id);
  const where = {
    user: body.user.id,
    ...(channel === undefined ? {} : { channel }),
    ...(message === undefined ? {} : { message }),
    ...(url === undefined ? {} : { url }),
  };
  const interactionId = interactionIdOf(body);
  const typed = typedIn(entries);
  await handleOnce(shared, interactionId, where, typed, async () => {
    const actor = await shared.identify(body);
    const looked = await host.lookUp({ requestId, actor, interactionId });
    if ('refused' in looked) return tell(where, looked.refused, typed);
    const { view } = looked.card;
    const sheet = view.kind === 'questions' ? sheetOf(entries, view.questions) : undefined;
    if (sheet === undefined) return tell(where, SENTENCES.older, typed);
    const redraw = redrawWith(shared, where);
    const decision = { kind: 'answers', sheet } as const;
    const reply = await host.respond({ requestId, decision, actor, interactionId, ...(redraw && { redraw }) });
    if (reply !== undefined) await tell(where, reply, typed);
  });
}

/**
 * The same for every delivery of one submit. What was filled in is part of it: when an ack is lost, the person may change
 * the form and send it again, and that is another answer.
 */
function interactionIdOf({ user, view }: ViewSubmission): string {
  const content = createHash('sha256').update(JSON.stringify(view.state.values)).digest('base64url').slice(0, 16);
  return ['form', user.id, view.id, content].join(':');
}
