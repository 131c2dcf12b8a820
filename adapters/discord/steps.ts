import { type Card, isQuestionsCard, type SurfaceHost } from '../../src/core/ports/surface-adapter.ts';
import type { Question } from '../../src/core/questions/contract.ts';
import type { Answered } from './callback.ts';
import {
  type Draft,
  heldForMs,
  isOld,
  newDraft,
  readDraft,
  type Step,
  sheetOfDraft,
  taken,
  withEntry,
} from './draft.ts';
import { actorOf } from './identity.ts';
import {
  type Click,
  channelOf,
  type Deed,
  editOriginal,
  type Interactions,
  redrawWith,
  touchOf,
} from './interactions.ts';
import { timeOf } from './payload.ts';
import { renderCard } from './render.ts';
import { SENTENCES } from './replies.ts';
import { messageBody } from './web.ts';

/** What a step does to a draft. Each sets something, so that doing it twice changes nothing. */
export type Change =
  | { readonly kind: 'begin' }
  | { readonly kind: 'go' | 'skip'; readonly question: number }
  | { readonly kind: 'pick'; readonly question: number; readonly picks: readonly number[] }
  | { readonly kind: 'other' | 'notes'; readonly question: number; readonly text: string | undefined };

/** A click within the step-by-step card. */
export async function handleStep(shared: Interactions, click: Click, answered: Promise<Answered>): Promise<void> {
  const { action, interaction } = click;
  const change = changeOf(action, interaction.data.values ?? []);
  if (change === undefined) return shared.tell(interaction, answered, SENTENCES.older);
  await changeDraft(shared, click, answered, change);
}

/**
 * Applies one step and redraws the card. Steps of one request are taken in the order they came; where another gateway
 * is at it, too, the store lets one of each two writes through, and the other finds it done.
 */
export async function changeDraft(
  shared: Interactions,
  deed: Deed,
  answered: Promise<Answered>,
  change: Change,
  typed?: string,
): Promise<void> {
  const { host, tell, lanes } = shared;
  const { interaction, requestId } = deed;
  await lanes.run(requestId, async () => {
    const step = stepOf(deed);
    const looked = await host.lookUp(touchOf(shared, deed));
    if ('refused' in looked) return tell(interaction, answered, looked.refused, typed);
    const { card } = looked;
    if (!isQuestionsCard(card)) return tell(interaction, answered, SENTENCES.older, typed);
    const written = await write(host, requestId, card.view.questions, step, change);
    if (typeof written === 'string') return tell(interaction, answered, written, typed);
    await draw(shared, deed, answered, card, written);
  });
}

/** Sends the draft: the only step that decides anything. */
export async function handleSend(shared: Interactions, click: Click, answered: Promise<Answered>): Promise<void> {
  const { host, tell, lanes } = shared;
  const { interaction, requestId } = click;
  await lanes.run(requestId, async () => {
    const step = stepOf(click);
    const { actor } = step;
    const looked = await host.lookUp(touchOf(shared, click));
    if ('refused' in looked) return tell(interaction, answered, looked.refused);
    const { card } = looked;
    if (!isQuestionsCard(card)) return tell(interaction, answered, SENTENCES.older);
    const { questions } = card.view;
    const draft = readDraft(await host.readDraft(requestId)) ?? newDraft(questions, step);
    const held = heldForMs(draft, step);
    if (held > 0) return tell(interaction, answered, heldSentence(draft, held));
    const ready = sheetOfDraft(draft, questions, actor);
    if (ready === undefined) return tell(interaction, answered, SENTENCES.older);
    if ('complaint' in ready) {
      await tell(interaction, answered, SENTENCES.notTaken(ready.complaint));
      const written = await write(host, requestId, questions, step, { kind: 'go', question: ready.at });
      if (typeof written !== 'string') await draw(shared, click, answered, card, written);
      return;
    }
    const decision = { kind: 'answers', sheet: ready.sheet } as const;
    const redraw = redrawWith(shared, interaction, answered);
    const reply = await host.respond({ requestId, decision, actor, interactionId: interaction.id, redraw });
    if (reply !== undefined) await tell(interaction, answered, reply);
  });
}

const MOST_TRIES = 5;

/** The draft as it is afterwards, or the sentence why nothing was changed. */
async function write(
  host: SurfaceHost,
  requestId: string,
  questions: readonly Question[],
  step: Step,
  change: Change,
): Promise<Draft | string> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const stored = await host.readDraft(requestId);
    const draft = readDraft(stored) ?? newDraft(questions, { ...step, interactionId: '' });
    if (isOld(draft, step)) return draft;
    const held = heldForMs(draft, step);
    if (held > 0) return heldSentence(draft, held);
    const next = taken(applied(draft, questions, step, change), step);
    if (await host.writeDraft(requestId, JSON.stringify(next), stored?.revision ?? 0)) return next;
  }
  return SENTENCES.overtaken;
}

function applied(draft: Draft, questions: readonly Question[], step: Step, change: Change): Draft {
  const question = change.kind === 'begin' ? draft.at : change.question;
  const asked = questions[question];
  if (asked === undefined) return draft;
  switch (change.kind) {
    case 'begin':
      return draft;
    case 'go':
      return { ...draft, at: question };
    case 'skip':
      return onward(
        withEntry(draft, question, step, () => ({ picks: [], skipped: true })),
        question,
      );
    case 'pick': {
      const picks = change.picks.filter((pick) => pick < asked.options.length);
      return withEntry(draft, question, step, ({ other, notes }) => ({
        picks,
        skipped: false,
        // One answer only: what was typed before gives way to what is chosen now.
        ...(other === undefined || !asked.multiSelect ? {} : { other }),
        ...(notes === undefined ? {} : { notes }),
      }));
    }
    case 'other':
      return withEntry(draft, question, step, ({ picks, notes }) => ({
        picks: asked.multiSelect || change.text === undefined ? picks : [],
        skipped: false,
        ...(change.text === undefined ? {} : { other: change.text }),
        ...(notes === undefined ? {} : { notes }),
      }));
    case 'notes':
      return withEntry(draft, question, step, ({ picks, other }) => ({
        picks,
        skipped: false,
        ...(other === undefined ? {} : { other }),
        ...(change.text === undefined ? {} : { notes: change.text }),
      }));
  }
}

/** A skipped question needs no second look. */
function onward(draft: Draft, question: number): Draft {
  return { ...draft, at: Math.min(question + 1, draft.entries.length - 1) };
}

/** By whoever answered the click; where nobody could, by the channel's own edit. */
async function draw(
  shared: Interactions,
  { interaction }: Deed,
  answered: Promise<Answered>,
  card: Card,
  draft: Draft,
): Promise<void> {
  const how = await answered;
  if (how === 'others') return;
  if (how === 'ours' && (await editOriginal(shared, interaction, messageBody(renderCard(card, draft))))) return;
  const [channel, message] = [channelOf(interaction), interaction.message?.id];
  if (channel !== undefined && message !== undefined) await shared.messages.drawAt(channel, message, card, draft);
}

function changeOf(action: Deed['action'], values: readonly string[]): Change | undefined {
  if (action.kind === 'steps') return { kind: 'begin' };
  if (action.kind !== 'step') return undefined;
  const { question, what } = action;
  switch (what) {
    case 'go':
    case 'skip':
      return { kind: what, question };
    case 'pick':
      return {
        kind: 'pick',
        question,
        picks: values.flatMap((value) => /^o(\d{1,2})$/.exec(value)?.[1] ?? []).map(Number),
      };
    default:
      return undefined;
  }
}

function stepOf({ interaction }: Deed): Step {
  return { actor: actorOf(interaction), interactionId: interaction.id, at: timeOf(interaction.id) };
}

function heldSentence({ holder }: Draft, heldMs: number): string {
  return SENTENCES.held(holder.name, Math.ceil(heldMs / 1_000));
}
