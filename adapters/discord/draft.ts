import * as z from 'zod';
import type { Actor } from '../../src/core/actor.ts';
import type { StoredDraft } from '../../src/core/ports/request-store.ts';
import type { AnswerSheet } from '../../src/core/questions/answers.ts';
import type { Question } from '../../src/core/questions/contract.ts';
import { complaintAbout, type FormEntry, isEmpty, sheetOf } from '../../src/prompt/form-entries.ts';
import { OURS } from './limits.ts';

const author = z.object({ userId: z.string(), name: z.string() });
const entry = z.object({
  picks: z.array(z.int().min(0)),
  other: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  skipped: z.boolean(),
  /** Who gave this answer; several people may have worked on one draft, one after the other. */
  by: author,
});
const draftBody = z.object({
  /** Whose turn it is. */
  holder: author,
  /** When it was last worked on, by Discord's clock: the time in the interaction's id. */
  touchedAt: z.int(),
  /** The newest interaction it holds. An older one is a replay, and would undo what came after it. */
  last: z.string(),
  /** The question on the card. */
  at: z.int().min(0),
  entries: z.array(entry.nullable()),
});

export type DraftEntry = z.output<typeof entry>;
/** Answers to a batch that one person at a time fills in on the card; only Send makes them count. */
export type Draft = z.output<typeof draftBody>;

/** Somebody's step: what they did, when by Discord's clock, and in which interaction. */
export interface Step {
  readonly actor: Actor;
  readonly interactionId: string;
  readonly at: number;
}

/** Undefined for none, and for one that is not understood (of another version): answering begins anew then. */
export function readDraft(stored: StoredDraft | undefined): Draft | undefined {
  if (stored === undefined) return undefined;
  try {
    return draftBody.parse(JSON.parse(stored.body));
  } catch {
    // Whatever it was, nobody sent it; the person sees an empty draft and fills it in again.
    return undefined;
  }
}

export function newDraft(questions: readonly Question[], step: Step): Draft {
  return taken({ touchedAt: 0, last: '', at: 0, entries: questions.map(() => null), holder: authorOf(step) }, step);
}

/** Milliseconds until somebody else may take it over; 0 when this person may go on now. */
export function heldForMs(draft: Draft, { actor, at }: Step): number {
  return draft.holder.userId === actor.userId ? 0 : Math.max(0, draft.touchedAt + OURS.idleMs - at);
}

/** Whether the draft holds this step already, or something later. */
export function isOld({ last }: Draft, { interactionId }: Step): boolean {
  return last !== '' && BigInt(interactionId) <= BigInt(last);
}

/** The draft is this person's from now on. */
export function taken(draft: Draft, step: Step): Draft {
  return { ...draft, holder: authorOf(step), touchedAt: step.at, last: step.interactionId };
}

export function withEntry(
  draft: Draft,
  question: number,
  step: Step,
  change: (entry: Omit<DraftEntry, 'by'>) => Omit<DraftEntry, 'by'>,
): Draft {
  const before = draft.entries[question] ?? { picks: [], skipped: false };
  const next = { ...change(before), by: authorOf(step) };
  return { ...draft, entries: draft.entries.map((known, index) => (index === question ? next : known)) };
}

/** How many questions have an answer or are skipped on purpose. */
export function doneCount({ entries }: Draft): number {
  return entries.filter((one) => one !== null && (one.skipped || one.picks.length > 0 || one.other !== undefined))
    .length;
}

/** What can be sent, or at which question something is wrong. */
export function sheetOfDraft(
  { entries }: Draft,
  questions: readonly Question[],
  sender: Actor,
): { readonly sheet: AnswerSheet } | { readonly complaint: string; readonly at: number } | undefined {
  const read = questions.map((asked, index) => formEntryOf(entries[index] ?? null, asked));
  for (const [at, one] of read.entries()) {
    const complaint = complaintAbout(one);
    if (complaint !== undefined) return { complaint: complaint.sentence, at };
  }
  if (read.every(isEmpty) && !read.some((one) => one.skipTicked)) {
    return { complaint: 'Nothing is filled in yet. To skip everything, press Skip all.', at: 0 };
  }
  const sheet = sheetOf(read, questions);
  return sheet === undefined ? undefined : { sheet: withAuthors(sheet, entries, sender) };
}

function withAuthors(sheet: AnswerSheet, entries: Draft['entries'], sender: Actor): AnswerSheet {
  return sheet.map((answer, index) => {
    const by = entries[index]?.by;
    return answer.status !== 'answered' || by === undefined || by.userId === sender.userId ? answer : { ...answer, by };
  });
}

function formEntryOf(read: DraftEntry | null, asked: Question): FormEntry {
  const { picks, skipped, other, notes } = read ?? { picks: [], skipped: false };
  return {
    picks,
    otherTicked: false,
    skipTicked: skipped,
    many: asked.multiSelect,
    ...(other === undefined ? {} : { other }),
    ...(notes === undefined ? {} : { notes }),
  };
}

function authorOf({ actor }: Step): z.output<typeof author> {
  return { userId: actor.userId, name: actor.name };
}
