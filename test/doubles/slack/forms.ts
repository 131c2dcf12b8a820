import { asList, asText, isObj, type Obj } from '../json.ts';
import { optionsOf } from './block-kit/options.ts';

/** What a person has chosen or typed and not sent, per client surface (a message or a view). */
export interface FormStore {
  get(surface: string, blockId: string, actionId: string): FormValue | undefined;
  set(surface: string, blockId: string, actionId: string, value: FormValue): void;
  /** Counts what was set on a surface. */
  version(surface: string): number;
}

export type FormValue = { readonly text: string | null } | { readonly values: readonly string[] };

export function createForms(): FormStore {
  const values = new Map<string, FormValue>();
  const versions = new Map<string, number>();
  const version = (surface: string) => versions.get(surface) ?? 0;
  const key = (...parts: string[]) => JSON.stringify(parts);
  return {
    version,
    get: (surface, blockId, actionId) => values.get(key(surface, blockId, actionId)),
    set(surface, blockId, actionId, value) {
      values.set(key(surface, blockId, actionId), value);
      versions.set(surface, version(surface) + 1);
    },
  };
}

/** The interactive elements of a block as Slack stores it. */
export function elementsOf(block: Obj): readonly Obj[] {
  const all = [...asList(block['elements']), block['accessory'], block['element']].filter(isObj);
  return block['type'] === 'rich_text' ? [] : all.filter((one) => asText(one['action_id']) !== '');
}

/** The value of an element now: what the person did, else what it was opened with. */
export function currentValue(forms: FormStore, surface: string, blockId: string, element: Obj): FormValue {
  const set = forms.get(surface, blockId, asText(element['action_id']));
  if (set) return set;
  if (element['type'] === 'plain_text_input') return { text: asText(element['initial_value']) || null };
  const initial = [element['initial_option'], ...asList(element['initial_options'])].filter(isObj);
  return { values: initial.map((option) => asText(option['value'])) };
}

/** `state.values` of a payload. */
export function stateValues(forms: FormStore, surface: string, blocks: readonly Obj[]): Record<string, Obj> {
  const state: Record<string, Record<string, Obj>> = {};
  for (const block of blocks) {
    const blockId = asText(block['block_id']);
    for (const element of elementsOf(block)) {
      const value = stateOf(element, currentValue(forms, surface, blockId, element));
      if (value) state[blockId] = { ...state[blockId], [asText(element['action_id'])]: value };
    }
  }
  return state;
}

/** Undefined for buttons and menus that keep nothing. */
export function stateOf(element: Obj, value: FormValue): Obj | undefined {
  const type = asText(element['type']);
  if ('text' in value) return type === 'plain_text_input' ? { type, value: value.text } : undefined;
  const chosen = optionsOf(element).filter((option) => value.values.includes(asText(option['value'])));
  if (type === 'static_select' || type === 'radio_buttons') return { type, selected_option: chosen[0] ?? null };
  if (type === 'multi_static_select' || type === 'checkboxes') return { type, selected_options: chosen };
  return undefined;
}
