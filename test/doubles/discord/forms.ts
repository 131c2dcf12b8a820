import { asList, asObj, asText, type Obj } from '../json.ts';

/** What a person has filled in: text of an input, or chosen values. */
export type FormValue = { readonly text: string } | { readonly values: readonly string[] };

/** What was filled in, per surface (a person's message or an open modal) and custom id. */
export interface FormStore {
  get(surface: string, customId: string): FormValue | undefined;
  set(surface: string, customId: string, value: FormValue): void;
  /** A message that is edited shows its selects as the app sent them. */
  forget(messageId: string): void;
}

export function createForms(): FormStore {
  const values = new Map<string, FormValue>();
  return {
    get: (surface, customId) => values.get(`${surface}\n${customId}`),
    set: (surface, customId, value) => {
      values.set(`${surface}\n${customId}`, value);
    },
    forget(messageId) {
      for (const key of [...values.keys()]) if (key.startsWith(`${messageId}:`)) values.delete(key);
    },
  };
}

/** Where a person's choices on a message are kept. */
export function surfaceOf(messageId: string, userId: string): string {
  return `${messageId}:${userId}`;
}

/** What stands in an element: filled in, or its defaults. */
export function currentValue(forms: FormStore, surface: string, element: Obj): FormValue {
  const filled = forms.get(surface, asText(element['custom_id']));
  if (filled) return filled;
  switch (element['type']) {
    case 4:
      return { text: asText(element['value']) };
    case 23:
      return { values: element['default'] === true ? ['true'] : [] };
    default:
      return {
        values: asList(element['options'])
          .map(asObj)
          .filter((option) => option['default'] === true)
          .map((option) => asText(option['value'])),
      };
  }
}
