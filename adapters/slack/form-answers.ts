import type { AnswerSheet, QuestionAnswer } from '../../src/core/questions/answers.ts';
import { isOtherLabel, type Question } from '../../src/core/questions/contract.ts';
import { isBlank } from '../../src/core/text.ts';
import { blockIdOf } from './form.ts';
import type { FormState } from './payload.ts';

/** What one question's fields hold. Blank text counts as empty. */
export interface FormEntry {
  /** Indices of ticked options. */
  readonly picks: readonly number[];
  readonly otherTicked: boolean;
  readonly skipTicked: boolean;
  readonly other?: string;
  readonly notes?: string;
  /** Several boxes may be ticked. */
  readonly many: boolean;
}

/** The entries of a form that may be sent, or sentences for its fields by block id. */
export type FormReading =
  | { readonly ok: true; readonly entries: readonly FormEntry[] }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** Judges a submit by itself, so that Slack is answered at once. Which label an index means is found out afterwards. */
export function readForm(state: FormState): FormReading {
  const entries: FormEntry[] = [];
  for (let index = 0; index < MOST_QUESTIONS && hasQuestion(state, index); index += 1) {
    entries.push(entryOf(state, index));
  }
  const errors = Object.fromEntries(
    entries.flatMap((entry, index) => {
      const complaint = complaintAbout(entry);
      return complaint === undefined ? [] : [[blockIdOf(index, complaint.field), complaint.sentence] as const];
    }),
  );
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  if (entries.every(isEmpty) && !entries.some((entry) => entry.skipTicked)) {
    const field = state[blockIdOf(0, 'pick')] === undefined ? 'other' : 'pick';
    return { ok: false, errors: { [blockIdOf(0, field)]: NOTHING } };
  }
  return { ok: true, entries };
}

/** Undefined when the form does not belong to these questions. */
export function sheetOf(entries: readonly FormEntry[], questions: readonly Question[]): AnswerSheet | undefined {
  if (entries.length !== questions.length) return undefined;
  const sheet = entries.map((entry, index) => answerOf(entry, questions[index]));
  return sheet.every((answer) => answer !== undefined) ? sheet : undefined;
}

/** Everything somebody typed into a form, to be handed back when it could not be taken. */
export function typedIn(entries: readonly FormEntry[]): string | undefined {
  const texts = entries.flatMap(({ other, notes }) => [other, notes]).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

const MOST_QUESTIONS = 4;
const NOTHING = 'Nothing is filled in. To skip everything, close this form and press Skip on the card.';

function answerOf(entry: FormEntry, asked: Question | undefined): QuestionAnswer | undefined {
  if (asked === undefined) return undefined;
  if (isEmpty(entry)) return { status: 'skipped' };
  const labels = entry.picks.map((pick) => asked.options[pick]?.label);
  if (labels.some((label) => label === undefined)) return undefined;
  // Whoever types an option's label means that option.
  const typed = asked.options.find((option) => option.label === entry.other)?.label;
  const chosen = new Set([...labels, typed]);
  return {
    status: 'answered',
    labels: asked.options.map((option) => option.label).filter((label) => chosen.has(label)),
    ...(entry.other === undefined || typed !== undefined ? {} : { other: entry.other }),
    ...(entry.notes === undefined ? {} : { notes: entry.notes }),
  };
}

function complaintAbout(entry: FormEntry): { field: 'pick' | 'other' | 'notes'; sentence: string } | undefined {
  const { picks, other, notes, otherTicked, skipTicked, many } = entry;
  if (otherTicked && other === undefined) {
    return { field: 'other', sentence: 'You chose Other: write your answer here, or choose something else.' };
  }
  if (other !== undefined && isOtherLabel(other)) {
    return { field: 'other', sentence: `"${other}" alone answers nothing: use your own words.` };
  }
  if (other !== undefined && !many && (picks.length > 0 || skipTicked)) {
    return {
      field: 'other',
      sentence: 'Only one answer fits: choose Other above to send this text, or remove it.',
    };
  }
  if (notes !== undefined && isEmpty(entry)) {
    return { field: 'notes', sentence: 'A note goes with an answer: choose one, or write this as Other.' };
  }
  return undefined;
}

function isEmpty({ picks, other }: FormEntry): boolean {
  return picks.length === 0 && other === undefined;
}

function hasQuestion(state: FormState, index: number): boolean {
  return state[blockIdOf(index, 'pick')] !== undefined || state[blockIdOf(index, 'other')] !== undefined;
}

function entryOf(state: FormState, index: number): FormEntry {
  const pick = state[blockIdOf(index, 'pick')]?.['pick'];
  const ticked = [pick?.selected_option, ...(pick?.selected_options ?? [])].flatMap((option) => option?.value ?? []);
  const other = textIn(state, index, 'other');
  const notes = textIn(state, index, 'notes');
  return {
    picks: ticked.flatMap((value) => /^o(\d{1,2})$/.exec(value)?.[1] ?? []).map(Number),
    otherTicked: ticked.includes('other'),
    skipTicked: ticked.includes('skip'),
    many: pick?.type === 'checkboxes',
    ...(other === undefined ? {} : { other }),
    ...(notes === undefined ? {} : { notes }),
  };
}

function textIn(state: FormState, index: number, field: 'other' | 'notes'): string | undefined {
  const text = state[blockIdOf(index, field)]?.[field]?.value ?? '';
  return isBlank(text) ? undefined : text.trim();
}
