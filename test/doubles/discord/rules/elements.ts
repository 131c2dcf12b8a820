import { asList, asObj, type Obj } from '../../json.ts';
import { add, flag, inside, list, numberOf, type Place, text, whole } from './check.ts';

/** Labels, descriptions and custom ids of interactive elements, alike in messages and modals. */
export function button(place: Place, of: Obj): void {
  const style = of['style'];
  whole(place, of, 'style', 1, 6);
  if (style === undefined) add(place, 'BASE_TYPE_REQUIRED', 'This field is required', 'style');
  text(place, of, 'label', { max: 80 });
  text(place, of, 'url', { max: 512 });
  flag(place, of, 'disabled');
  if (style === 5) {
    if (!of['url']) add(place, 'BUTTON_COMPONENT_URL_REQUIRED', 'A url is required', 'url');
    else if (!/^(https?|discord):\/\//.test(String(of['url']))) {
      add(place, 'URL_TYPE_INVALID_SCHEME', "Scheme must be one of ('http', 'https', 'discord').", 'url');
    }
    if (of['custom_id'])
      add(
        place,
        'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
        'A custom id and url cannot both be specified',
        'custom_id',
      );
  } else if (style !== 6) {
    if (!of['custom_id']) add(place, 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', 'A custom id is required', 'custom_id');
    else customId(place, of);
    if (of['url']) add(place, 'BUTTON_COMPONENT_INVALID_STYLE_URL', 'This style takes no url', 'url');
  }
  if (!of['label'] && !of['emoji'] && style !== 6) {
    add(place, 'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED', 'A label or emoji is required', 'label');
  }
}

export function customId(place: Place, of: Obj): void {
  text(place, of, 'custom_id', { min: 1, max: 100, required: true });
}

/** String select (3), and the selects that Discord fills itself (5-8). */
export function select(place: Place, of: Obj): void {
  customId(place, of);
  text(place, of, 'placeholder', { max: 150 });
  whole(place, of, 'min_values', 0, 25);
  whole(place, of, 'max_values', 1, 25);
  flag(place, of, 'disabled');
  if (of['type'] === 3) options(place, of, 1, 25);
  const most = numberOf(of, 'max_values', 1);
  bounds(place, of, of['type'] === 3 ? asList(of['options']).length : 25);
  const chosen = asList(of['options']).filter((one) => asObj(one)['default'] === true).length;
  if (chosen > most)
    add(place, 'SELECT_COMPONENT_TOO_MANY_DEFAULTS', `At most ${most} options may be default`, 'options');
}

export function radioGroup(place: Place, of: Obj): void {
  customId(place, of);
  options(place, of, 2, 10);
  if (asList(of['options']).filter((one) => asObj(one)['default'] === true).length > 1) {
    add(place, 'SELECT_COMPONENT_TOO_MANY_DEFAULTS', 'At most 1 options may be default', 'options');
  }
}

export function checkboxGroup(place: Place, of: Obj): void {
  customId(place, of);
  options(place, of, 1, 10);
  whole(place, of, 'min_values', 0, 10);
  whole(place, of, 'max_values', 1, 10);
  bounds(place, of, asList(of['options']).length);
}

export function textInput(place: Place, of: Obj): void {
  customId(place, of);
  whole(place, of, 'style', 1, 2);
  if (of['style'] === undefined) add(place, 'BASE_TYPE_REQUIRED', 'This field is required', 'style');
  whole(place, of, 'min_length', 0, 4000);
  whole(place, of, 'max_length', 1, 4000);
  const longest = numberOf(of, 'max_length', 4000);
  if (numberOf(of, 'min_length', 0) > longest) {
    add(place, 'TEXT_INPUT_MIN_LENGTH_GREATER_THAN_MAX_LENGTH', 'min_length is above max_length', 'min_length');
  }
  text(place, of, 'value', { max: longest });
  text(place, of, 'placeholder', { max: 100 });
  flag(place, of, 'required');
}

export function fileUpload(place: Place, of: Obj): void {
  customId(place, of);
  whole(place, of, 'min_values', 0, 10);
  whole(place, of, 'max_values', 1, 10);
}

function bounds(place: Place, of: Obj, available: number): void {
  const least = numberOf(of, 'min_values', 1);
  const most = numberOf(of, 'max_values', 1);
  if (least > most) add(place, 'SELECT_COMPONENT_MIN_VALUES_TOO_LARGE', 'min_values is above max_values', 'min_values');
  if (available > 0 && most > available) {
    add(place, 'SELECT_COMPONENT_MAX_VALUES_TOO_LARGE', `max_values is above the ${available} options`, 'max_values');
  }
}

function options(place: Place, of: Obj, min: number, max: number): void {
  const seen = new Set<unknown>();
  for (const [there, option] of list(place, of, 'options', min, max)) {
    text(there, option, 'label', { min: 1, max: 100, required: true });
    text(there, option, 'value', { min: 1, max: 100, required: true });
    text(there, option, 'description', { max: 100 });
    flag(there, option, 'default');
    const value = option['value'];
    if (seen.has(value)) {
      add(
        inside(there, 'value'),
        'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
        'The specified option value is already used',
      );
    }
    seen.add(value);
  }
}
