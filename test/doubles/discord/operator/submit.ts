import type { APIModalSubmissionComponent } from 'discord-api-types/v10';
import { asList, asObj, asText, codePoints, isObj, type Obj } from '../../json.ts';
import { currentValue } from '../forms.ts';
import type { ModalRecord } from '../modals.ts';
import { modalInteraction } from '../payloads/interaction.ts';
import { drawElement } from '../render/controls.ts';
import type { Interaction } from '../types.ts';
import type { World } from '../world.ts';
import { kept } from './act.ts';

/** Sends the open modal, unless the client itself finds something missing. Any answer of the app closes it. */
export function submitModal(world: World, modal: ModalRecord): Interaction {
  const missing = complaints(world, modal);
  modal.errors = missing;
  delete modal.trouble;
  modal.busy = Object.keys(missing).length === 0;
  world.modals.changed(modal);
  if (!modal.busy) return kept(missing);
  const channel = world.guilds.channel(modal.channelId);
  if (!channel) throw new Error(`The channel of the modal "${modal.title}" is gone`);
  const message = modal.message && world.messages.find(modal.message.channelId, modal.message.id);
  const data = { custom_id: modal.customId, components: submission(world, modal) };
  return world.interactions.start(
    {
      kind: 5,
      userId: modal.userId,
      channelId: channel.id,
      customId: modal.customId,
      ...(message ? { message } : {}),
      payload: (id, token) => ({ ...modalInteraction(world, { id, token }, modal.userId, channel, message, data) }),
    },
    {
      succeeded: () => world.modals.close(modal),
      failed(reason) {
        modal.busy = false;
        modal.trouble = reason;
        world.modals.changed(modal);
      },
    },
  );
}

/** Each top-level component with what was filled in, in Discord's shape. */
function submission(world: World, modal: ModalRecord): APIModalSubmissionComponent[] {
  return modal.components.map((one, index) => {
    const id = index + 1;
    if (one['type'] === 18) return { type: 18, id, component: filled(world, modal, asObj(one['component'])) };
    if (one['type'] === 1) {
      return { type: 1, id, components: asList(one['components']).map((each) => filled(world, modal, asObj(each))) };
    }
    return { type: 10, id };
  }) as APIModalSubmissionComponent[];
}

function filled(world: World, modal: ModalRecord, element: Obj): Obj {
  const value = currentValue(world.forms, modal.key, element);
  const common = { type: element['type'], id: 0, custom_id: asText(element['custom_id']) };
  if ('text' in value) return { ...common, value: value.text };
  switch (element['type']) {
    case 23:
      return { ...common, value: value.values.includes('true') };
    case 21:
      return { ...common, value: value.values[0] ?? null };
    default:
      return { ...common, values: [...value.values] };
  }
}

/** What a client refuses to send, by custom id. */
function complaints(world: World, modal: ModalRecord): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const element of inputsOf(modal)) {
    const control = drawElement(element, world.forms, modal.key);
    const value = currentValue(world.forms, modal.key, element);
    const length = 'text' in value ? codePoints(value.text) : value.values.length;
    const least = 'text' in value ? control.minLength : control.min;
    if (length === 0) {
      if (control.required) errors[control.customId] = 'This field is required.';
    } else if (length < least) errors[control.customId] = `At least ${least}.`;
  }
  return errors;
}

function inputsOf(modal: ModalRecord): readonly Obj[] {
  return modal.components.flatMap((one) =>
    one['type'] === 18 ? [asObj(one['component'])] : asList(one['components']).filter(isObj),
  );
}
