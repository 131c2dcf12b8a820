import { asText, type Obj } from '../../json.ts';
import { drawScreen } from '../draw.ts';
import { elementsOf } from '../forms.ts';
import type { MessageRecord } from '../messages.ts';
import { controlsOf, plainOf } from '../render/blocks.ts';
import type { Screen, ScreenBlock, ScreenControl, ScreenMessage, Target } from '../types.ts';
import type { ViewRecord } from '../views.ts';

/** A control on a screen, with the surface it stands on and the element behind it. */
export interface Hit {
  readonly control: ScreenControl;
  readonly element: Obj;
  /** In an input block: it only fills in, unless the block dispatches. */
  readonly fillsIn: boolean;
  readonly on: { readonly message: MessageRecord } | { readonly view: ViewRecord };
}

/** What a screen was drawn from: needed to find the element behind a control. */
export interface Sources {
  readonly message: (ts: string) => MessageRecord | undefined;
  readonly view: (viewId: string) => ViewRecord | undefined;
}

/** The one control that fits, or an error that lists the screen. */
export function find(
  screen: Screen,
  target: Target,
  sources: Sources,
  whatKind: (control: ScreenControl) => boolean,
): Hit {
  const fits = places(screen, target).flatMap((place) => {
    const on =
      place.ts === undefined ? { view: sources.view(place.viewId ?? '') } : { message: sources.message(place.ts) };
    const blocks = 'view' in on ? (on.view?.body['blocks'] as Obj[] | undefined) : on.message?.blocks;
    return controlsOf(place.blocks)
      .filter((control) => whatKind(control) && suits(control, labelOf(place.blocks, control), target))
      .flatMap((control): Hit[] => {
        const block = blocks?.find((one) => asText(one['block_id']) === control.blockId);
        const element = block && elementsOf(block).find((one) => one['action_id'] === control.actionId);
        if (!element) return [];
        const fillsIn = block['type'] === 'input' && block['dispatch_action'] !== true;
        if ('view' in on) return on.view ? [{ control, element, fillsIn, on: { view: on.view } }] : [];
        return on.message ? [{ control, element, fillsIn, on: { message: on.message } }] : [];
      });
  });
  const [only, ...more] = fits;
  if (only && more.length === 0) return only;
  const problem = only ? `${fits.length} controls fit` : 'No control fits';
  throw new Error(`${problem} ${describe(target)} on this screen:\n${drawScreen(screen)}`);
}

interface Place {
  readonly ts?: string;
  readonly viewId?: string;
  readonly blocks: readonly ScreenBlock[];
}

function places(screen: Screen, target: Target): Place[] {
  if (target.where === 'home') return screen.home ? [{ viewId: screen.home.viewId, blocks: screen.home.blocks }] : [];
  const modal = screen.modals.at(-1);
  if (modal && target.where !== 'other_device')
    return modal.busy ? [] : [{ viewId: modal.viewId, blocks: modal.blocks }];
  const all = new Map<string, ScreenMessage>();
  for (const message of screen.messages) for (const one of [message, ...message.replies]) all.set(one.ts, one);
  return [...all.values()].filter((message) => mentions(message, target.message));
}

/** Whether the message is meant: by its ts, or by something in what one reads of it. */
function mentions(message: ScreenMessage, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined || wanted === message.ts) return true;
  const labels = message.controls.map((control) => control.text);
  const plain = [message.notification, message.text.plain, plainOf(message.blocks), ...labels].join('\n');
  return typeof wanted === 'string' ? plain.includes(wanted) : wanted.test(plain);
}

function suits(control: ScreenControl, label: string, { block, action, label: wanted }: Target): boolean {
  const texts = [control.text, control.shown, label];
  return (
    matches(control.blockId, block) &&
    matches(control.actionId, action) &&
    (wanted === undefined || texts.some((text) => text !== '' && matches(text, wanted)))
  );
}

function labelOf(blocks: readonly ScreenBlock[], control: ScreenControl): string {
  const block = blocks.find((one) => one.blockId === control.blockId);
  return block?.type === 'input' ? block.label.plain : '';
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
