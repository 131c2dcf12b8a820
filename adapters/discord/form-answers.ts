import { isBlank } from '../../src/core/text.ts';
import { complaintAbout, type FormEntry, isEmpty } from '../../src/prompt/form-entries.ts';
import { type FieldName, fieldIdOf } from './form.ts';
import type { ModalSubmit } from './payload.ts';
import { NOTE_FIELD } from './proposal-views.ts';

/** The entries of a form that may be sent, or a sentence for its person: a modal cannot be kept open. */
export type FormReading =
  | { readonly ok: true; readonly entries: readonly FormEntry[] }
  | { readonly ok: false; readonly sentence: string; readonly entries: readonly FormEntry[] };

/** Judges a submitted form by itself. Which label an index means is found out afterwards. */
export function readForm(submit: ModalSubmit): FormReading {
  const fields = fieldsIn(submit);
  const entries: FormEntry[] = [];
  for (let index = 0; index < MOST_QUESTIONS && hasQuestion(fields, index); index += 1) {
    entries.push(entryOf(fields, index));
  }
  const complaint = entries.map(complaintAbout).find((one) => one !== undefined);
  if (complaint !== undefined) return { ok: false, sentence: complaint.sentence, entries };
  if (entries.every(isEmpty) && !entries.some((entry) => entry.skipTicked)) {
    return { ok: false, sentence: 'Nothing was filled in. To skip, press Skip on the card.', entries };
  }
  return { ok: true, entries };
}

/** What one text box holds; undefined when it is empty. */
export function textIn(submit: ModalSubmit, question: number, field: 'other' | 'notes'): string | undefined {
  return textOf(fieldsIn(submit), question, field);
}

/** The note of a refusal; undefined when it is blank. */
export function noteIn(submit: ModalSubmit): string | undefined {
  const text = fieldsIn(submit).get(NOTE_FIELD)?.values[0] ?? '';
  return isBlank(text) ? undefined : text.trim();
}

const MOST_QUESTIONS = 4;

interface Field {
  readonly many: boolean;
  readonly values: readonly string[];
}
type Fields = ReadonlyMap<string, Field>;

/** Type 22: a checkbox group. */
const CHECKBOX_GROUP = 22;

function fieldsIn({ data }: ModalSubmit): Fields {
  return new Map(
    data.components.flatMap(({ component }): [string, Field][] => {
      if (component == null) return [];
      const values = component.values ?? (component.value == null ? [] : [component.value]);
      return [[component.custom_id, { many: component.type === CHECKBOX_GROUP, values }]];
    }),
  );
}

function hasQuestion(fields: Fields, index: number): boolean {
  return fields.has(fieldIdOf(index, 'pick')) || fields.has(fieldIdOf(index, 'other'));
}

function entryOf(fields: Fields, index: number): FormEntry {
  const pick = fields.get(fieldIdOf(index, 'pick'));
  const ticked = pick?.values ?? [];
  const other = textOf(fields, index, 'other');
  const notes = textOf(fields, index, 'notes');
  return {
    picks: ticked.flatMap((value) => /^o(\d{1,2})$/.exec(value)?.[1] ?? []).map(Number),
    otherTicked: ticked.includes('other'),
    skipTicked: ticked.includes('skip'),
    many: pick?.many ?? false,
    ...(other === undefined ? {} : { other }),
    ...(notes === undefined ? {} : { notes }),
  };
}

function textOf(fields: Fields, index: number, field: FieldName): string | undefined {
  const text = fields.get(fieldIdOf(index, field))?.values[0] ?? '';
  return isBlank(text) ? undefined : text.trim();
}
