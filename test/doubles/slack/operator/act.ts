import { asText } from '../../json.ts';
import { currentValue, type FormValue } from '../forms.ts';
import { messageActions, surfaceOf, type Touched, viewActions } from '../payloads/block-actions.ts';
import type { Delivery } from '../socket-mode/delivery.ts';
import type { Interaction, Target, UserRecord } from '../types.ts';
import type { World } from '../world.ts';
import type { Hit } from './find.ts';

/** Sends the block_actions of one touch; the person's screen shows a warning when nobody takes it. */
export function act(
  world: World,
  delivery: Delivery,
  user: UserRecord,
  hit: Hit,
  target: Target,
  value?: FormValue,
): Interaction {
  const { control, element, on } = hit;
  if (control.confirm) {
    if (target.confirm === undefined) {
      throw new Error(`"${control.text}" asks first: "${control.confirm.text}". Say confirm: true or false.`);
    }
    if (!target.confirm) return kept();
  }
  const surface = 'view' in on ? on.view.id : surfaceOf(user.id, on.message);
  const blockId = control.blockId;
  const now = value ?? currentValue(world.forms, surface, blockId, element);
  const touched: Touched = { blockId, element, value: now };
  const payload =
    'view' in on ? viewActions(world, user, on.view, touched) : messageActions(world, user, on.message, touched);
  const actionId = control.actionId;
  return delivery.send({
    envelope: 'interactive',
    payload,
    failed: (reason) => world.warnings.set(surface, { actionId, blockId, reason }),
    succeeded: () => world.warnings.clear(surface, blockId, actionId),
  });
}

/** Something that never left the client. */
export function kept(errors: Readonly<Record<string, string>> = {}): Interaction {
  return { envelopeId: '', type: 'none', payload: {}, settled: Promise.resolve({ kind: 'kept', errors }) };
}

/** The chosen values, by an option's text or value. */
export function choose(hit: Hit, options: string | readonly string[]): FormValue {
  const wanted = typeof options === 'string' ? [options] : options;
  const { control } = hit;
  const single = control.kind === 'static_select' || control.kind === 'radio_buttons' || control.kind === 'overflow';
  if (single && wanted.length !== 1) throw new Error(`A ${control.kind} takes exactly one option`);
  const most = hit.element['max_selected_items'];
  if (typeof most === 'number' && wanted.length > most)
    throw new Error(`"${control.text}" takes at most ${most} options`);
  const values = wanted.map((one) => {
    const fits = control.options.filter((option) => option.text === one || option.value === one);
    const [only] = fits;
    if (only && fits.length === 1) return asText(only.value);
    const offered = control.options.map((option) => JSON.stringify(option.text)).join(', ');
    throw new Error(`${fits.length} options are called ${JSON.stringify(one)}; there are: ${offered}`);
  });
  return { values };
}
