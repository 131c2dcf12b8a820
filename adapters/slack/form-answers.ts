import { isBlank } from '../../src/core/text.ts';
import { complaintAbout, type FormEntry, isEmpty } from '../../src/prompt/form-entries.ts';
import { blockIdOf } from './form.ts';
import type { FormState } from './payload.ts';

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

const MOST_QUESTIONS = 4;
const NOTHING = 'Nothing is filled in. To skip everything, close this form and press Skip on the card.';

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
