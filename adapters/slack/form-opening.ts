import { newRandomId } from '../../src/core/ids.ts';
import { within } from '../../src/core/pause.ts';
import type { FormLookup } from '../../src/core/ports/surface-adapter.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { answerForm, loadingView, messageView, otherForm } from './form.ts';
import { type Click, type Interactions, touchOf } from './interactions.ts';
import { OURS } from './limits.ts';
import { denyForm, fitsReview, reviewForm, tooLongView } from './proposal-form.ts';
import { uploadWhole } from './proposal-upload.ts';
import { SENTENCES } from './replies.ts';

/** Which form: of questions, or of a proposal. */
type FormKind = 'answer' | 'other' | 'review' | 'denynote';

/**
 * Opens a form for whoever clicked. Slack's trigger lives three seconds from the click, so the question is looked up
 * within 300 ms, or a loading view is opened first and filled later.
 */
export async function openForm(shared: Interactions, click: Click, kind: FormKind): Promise<void> {
  const looking = lookUp(shared, click);
  const looked = await within(shared.clock, OURS.lookUpMs, looking);
  if (looked === undefined) return openLate(shared, click, kind, looking);
  if ('refused' in looked) return shared.tell(click.where, looked.refused);
  const { view } = looked.card;
  // To put it into the thread as a file takes longer than a trigger lives.
  const isLate = kind === 'review' && view.kind === 'proposal' && !fitsReview(view);
  if (isLate) return openLate(shared, click, kind, looking);
  await open(shared, click, await formFor(shared, looked, click, kind));
}

async function lookUp(shared: Interactions, click: Click): Promise<FormLookup> {
  const actor = await shared.identify(click.body);
  return shared.host.lookUp(touchOf(click, actor));
}

async function openLate(
  shared: Interactions,
  click: Click,
  kind: FormKind,
  looking: Promise<FormLookup>,
): Promise<void> {
  const externalId = `handraise-${newRandomId()}`;
  const [opened, looked] = await Promise.all([open(shared, click, loadingView(externalId)), settled(looking)]);
  if (!opened) return;
  const view = looked === undefined ? messageView(SENTENCES.failed) : await formFor(shared, looked, click, kind);
  try {
    await shared.web.interactive('views.update', (client) => client.views.update({ external_id: externalId, view }));
  } catch (error) {
    if (error instanceof SurfaceError && error.platformCode === 'not_found') return; // Closed meanwhile by its person.
    throw error;
  }
}

/** Why a look-up failed is logged by the host; here only the person has to be told. */
async function settled(looking: Promise<FormLookup>): Promise<FormLookup | undefined> {
  const [result] = await Promise.allSettled([looking]);
  return result.status === 'fulfilled' ? result.value : undefined;
}

async function formFor(shared: Interactions, looked: FormLookup, click: Click, kind: FormKind) {
  if ('refused' in looked) return messageView(looked.refused);
  const { channel, message } = click.where;
  const place = {
    requestId: click.requestId,
    ...(channel === undefined ? {} : { channel }),
    ...(message === undefined ? {} : { message }),
  };
  const { view } = looked.card;
  if (view.kind === 'proposal') {
    if (kind === 'denynote') return denyForm(view, place);
    if (kind !== 'review') return messageView(SENTENCES.older);
    if (fitsReview(view)) return reviewForm(view, place);
    const file = await uploadWhole(shared, click, view);
    return file === undefined ? tooLongView() : reviewForm(view, place, file);
  }
  if (kind === 'answer') return answerForm(view, place);
  return kind === 'other' ? otherForm(view, place) : messageView(SENTENCES.older);
}

/** False when Slack did not open it (the trigger is too old, a 429, no answer); the person has then been told. */
async function open(
  shared: Interactions,
  { body, where }: Click,
  view: ReturnType<typeof messageView>,
): Promise<boolean> {
  try {
    const opened = await shared.web.interactive('views.open', (client) =>
      client.views.open({ trigger_id: body.trigger_id, view }),
    );
    if (opened.view?.id !== undefined && where.url !== undefined) shared.openers.set(opened.view.id, where.url);
    return true;
  } catch (error) {
    const code = error instanceof SurfaceError ? error.platformCode : String(error);
    shared.log.warn({ code }, 'a form could not be opened');
    await shared.tell(where, SENTENCES.again);
    return false;
  }
}
