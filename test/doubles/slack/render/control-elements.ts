import { asList, asObj, asText, codePoints, isObj, type Obj } from '../../json.ts';
import { currentValue, type FormStore } from '../forms.ts';
import type { ControlKind, ScreenConfirm, ScreenControl, ScreenOption } from '../types.ts';
import type { Pen } from './text.ts';

/** Clients cut a button's label near 30 characters and an option's text at 75. */
const BUTTON_SHOWS = 30;

export interface ControlState {
  readonly forms: FormStore;
  /** Whose client shows which message or view. */
  readonly surface: string;
}

export function renderControl(
  element: Obj,
  blockId: string,
  pen: Pen,
  { forms, surface }: ControlState,
  pointer: string,
): ScreenControl {
  const kind = element['type'] as ControlKind;
  const now = currentValue(forms, surface, blockId, element);
  const chosen = 'values' in now ? now.values : [];
  const value = kind === 'plain_text_input' ? ('text' in now ? (now.text ?? '') : '') : element['value'];
  const wording = kind === 'button' ? element['text'] : element['placeholder'];
  const text = isObj(wording) ? pen.text(wording, `${pointer}/text`).plain : '';
  const style = element['style'] === 'primary' || element['style'] === 'danger' ? element['style'] : 'default';
  return {
    kind,
    blockId,
    actionId: asText(element['action_id']),
    text,
    shown: kind === 'button' ? cut(text, BUTTON_SHOWS) : text,
    style,
    ...(typeof element['url'] === 'string' ? { url: element['url'] } : {}),
    ...(typeof value === 'string' ? { value } : {}),
    ...(isObj(element['confirm']) ? { confirm: renderConfirm(element['confirm'], pen, `${pointer}/confirm`) } : {}),
    options: renderOptions(element, chosen, pen, pointer),
    multiline: element['multiline'] === true,
    minLength: numberOr(element['min_length'], 0),
    maxLength: numberOr(element['max_length'], 3000),
  };
}

function renderOptions(element: Obj, chosen: readonly string[], pen: Pen, pointer: string): ScreenOption[] {
  const draw = (value: unknown, at: string, group?: string): ScreenOption => {
    const option = asObj(value);
    return {
      text: pen.text(option['text'], `${at}/text`).plain,
      ...(option['description'] ? { description: pen.text(option['description'], `${at}/description`).plain } : {}),
      value: asText(option['value']),
      selected: chosen.includes(asText(option['value'])),
      ...(group === undefined ? {} : { group }),
    };
  };
  return [
    ...asList(element['options']).map((option, i) => draw(option, `${pointer}/options/${i}`)),
    ...asList(element['option_groups']).flatMap((group, g) => {
      const at = `${pointer}/option_groups/${g}`;
      const label = pen.text(asObj(group)['label'], `${at}/label`).plain;
      return asList(asObj(group)['options']).map((option, i) => draw(option, `${at}/options/${i}`, label));
    }),
  ];
}

function renderConfirm(confirm: Obj, pen: Pen, pointer: string): ScreenConfirm {
  const words = (key: string, otherwise: string) =>
    confirm[key] ? pen.text(confirm[key], `${pointer}/${key}`).plain : otherwise;
  return {
    title: words('title', 'Are you sure?'),
    text: words('text', ''),
    confirm: words('confirm', 'Yes'),
    deny: words('deny', 'No'),
    style: confirm['style'] === 'danger' ? 'danger' : 'primary',
  };
}

function cut(text: string, max: number): string {
  return codePoints(text) <= max ? text : `${[...text].slice(0, max - 1).join('')}…`;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
