import { asList, asObj, asText, codePoints, type Obj } from '../../json.ts';
import { currentValue, type FormStore } from '../forms.ts';
import type { ControlKind, ScreenControl, ScreenOption } from '../types.ts';

const KINDS: Readonly<Record<number, ControlKind>> = {
  2: 'button',
  3: 'string_select',
  4: 'text_input',
  5: 'user_select',
  6: 'role_select',
  7: 'mentionable_select',
  8: 'channel_select',
  19: 'file_upload',
  21: 'radio_group',
  22: 'checkbox_group',
  23: 'checkbox',
};

const STYLES = ['secondary', 'primary', 'secondary', 'success', 'danger', 'link', 'primary'] as const;

/** Where a phone cuts a button's label. Discord's design guide says 34 to 38. */
const BUTTON_SHOWN = 38;

/** A live element as it is seen, with what was filled in. `surface`: whose message or modal. */
export function drawElement(of: Obj, forms: FormStore, surface: string): ScreenControl {
  const kind = KINDS[Number(of['type'])] ?? 'button';
  const value = currentValue(forms, surface, of);
  const chosen = 'values' in value ? value.values : [];
  const text = asText(kind === 'button' ? of['label'] : of['placeholder']) || (kind === 'button' ? emojiOf(of) : '');
  const number = (key: string, otherwise: number) => (typeof of[key] === 'number' ? of[key] : otherwise);
  const url = asText(of['url']);
  const options = optionsOf(of, chosen);
  return {
    kind,
    customId: asText(of['custom_id']),
    text,
    shown: kind === 'button' ? cut(text) : text,
    style: kind === 'button' ? (STYLES[Number(of['style'])] ?? 'secondary') : 'secondary',
    disabled: of['disabled'] === true,
    ...(url === '' ? {} : { url }),
    ...('text' in value ? { value: value.text } : {}),
    options,
    min: number('min_values', kind === 'checkbox' || kind === 'checkbox_group' ? 0 : 1),
    max: number('max_values', kind === 'checkbox_group' ? Math.max(1, options.length) : 1),
    required: of['required'] !== false && kind !== 'checkbox',
    multiline: of['style'] === 2 && kind === 'text_input',
    minLength: number('min_length', 0),
    maxLength: number('max_length', 4000),
  };
}

function optionsOf(of: Obj, chosen: readonly string[]): readonly ScreenOption[] {
  if (of['type'] === 23) return [{ text: 'checked', value: 'true', selected: chosen.includes('true') }];
  return asList(of['options']).map((one) => {
    const option = asObj(one);
    const value = asText(option['value']);
    const description = asText(option['description']);
    return {
      text: asText(option['label']),
      value,
      ...(description === '' ? {} : { description }),
      selected: chosen.includes(value),
    };
  });
}

function emojiOf(of: Obj): string {
  return asText(asObj(of['emoji'])['name']);
}

function cut(text: string): string {
  return codePoints(text) <= BUTTON_SHOWN ? text : `${[...text].slice(0, BUTTON_SHOWN - 1).join('')}…`;
}
