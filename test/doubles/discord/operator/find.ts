import { asText, isObj, type Obj } from '../../json.ts';
import { drawScreen } from '../draw.ts';
import type { MessageRecord } from '../messages.ts';
import type { ModalRecord } from '../modals.ts';
import { controlsOf, plainOf } from '../render/components.ts';
import { flatten } from '../rules/components.ts';
import type { Screen, ScreenComponent, ScreenControl, ScreenMessage, Target } from '../types.ts';

/** A control on a screen, with the surface it stands on and the element behind it. */
export interface Hit {
  readonly control: ScreenControl;
  readonly element: Obj;
  readonly on: { readonly message: MessageRecord } | { readonly modal: ModalRecord };
}

/** What a screen was drawn from: needed to find the element behind a control. */
export interface Sources {
  readonly message: (id: string) => MessageRecord | undefined;
  readonly modal: ModalRecord | undefined;
}

/** The one control that fits. Throws with a drawing of the screen when none or several do. */
export function find(screen: Screen, target: Target, sources: Sources, kind: (control: ScreenControl) => boolean): Hit {
  const fits = places(screen, target, sources).flatMap(({ components, on }) =>
    controlsOf(components).flatMap((control): Hit[] => {
      if (!kind(control) || !suits(control, labelOf(components, control), target)) return [];
      const stored = 'modal' in on ? on.modal.components : on.message.components;
      const element = flatten(stored).find((one) => asText(one['custom_id']) === control.customId && isObj(one));
      return element ? [{ control, element, on }] : [];
    }),
  );
  const live = fits.filter((one) => !one.control.disabled);
  const [only, ...more] = live;
  if (only && more.length === 0) return only;
  const problem = only
    ? `${live.length} controls fit`
    : fits.length > 0
      ? 'Only disabled controls fit'
      : 'No control fits';
  throw new Error(`${problem} ${describe(target)} on this screen:\n${drawScreen(screen)}`);
}

interface Spot {
  readonly components: readonly ScreenComponent[];
  readonly on: Hit['on'];
}

function places(screen: Screen, target: Target, sources: Sources): Spot[] {
  const [modal] = screen.modals;
  if (modal && sources.modal && target.where !== 'other_device') {
    return modal.busy ? [] : [{ components: modal.components, on: { modal: sources.modal } }];
  }
  return screen.messages
    .filter((message) => isMeant(message, target.message))
    .flatMap((message): Spot[] => {
      const record = sources.message(message.id);
      return record ? [{ components: message.components, on: { message: record } }] : [];
    });
}

/** Whether the message is meant: by its id, or by something in what one reads of it. */
function isMeant(message: ScreenMessage, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined || wanted === message.id) return true;
  const labels = message.controls.map((control) => control.text);
  const plain = [message.text.plain, plainOf(message.components), ...labels].join('\n');
  return typeof wanted === 'string' ? plain.includes(wanted) : wanted.test(plain);
}

function suits(control: ScreenControl, label: string, { customId, label: wanted }: Target): boolean {
  const texts = [control.text, control.shown, label];
  return (
    matches(control.customId, customId) &&
    (wanted === undefined || texts.some((text) => text !== '' && matches(text, wanted)))
  );
}

function labelOf(components: readonly ScreenComponent[], control: ScreenControl): string {
  for (const one of components) if (one.type === 'label' && one.control.customId === control.customId) return one.label;
  return '';
}

function matches(text: string, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? text === wanted : wanted.test(text);
}

function describe(target: Target): string {
  const shown = Object.entries(target).map(
    ([key, value]) => `${key}: ${value instanceof RegExp ? value : JSON.stringify(value)}`,
  );
  return `{ ${shown.join(', ')} }`;
}
