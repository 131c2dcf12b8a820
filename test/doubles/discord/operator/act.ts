import type { APIMessageComponentInteraction } from 'discord-api-types/v10';
import type { FormValue } from '../forms.ts';
import type { MessageRecord } from '../messages.ts';
import { componentInteraction } from '../payloads/interaction.ts';
import type { Interaction } from '../types.ts';
import type { World } from '../world.ts';
import type { Hit } from './find.ts';

/** Sends the interaction of one touch on a message; the person's screen says so when nobody answers. */
export function act(world: World, userId: string, hit: Hit, message: MessageRecord, value?: FormValue): Interaction {
  const { customId } = hit.control;
  const channel = world.guilds.channel(message.channelId);
  if (!channel) throw new Error(`The channel of "${hit.control.text}" is gone`);
  const data = {
    custom_id: customId,
    component_type: hit.element['type'],
    ...(value && 'values' in value ? { values: [...value.values] } : {}),
  } as APIMessageComponentInteraction['data'];
  return world.interactions.start(
    {
      kind: 3,
      userId,
      channelId: channel.id,
      message,
      customId,
      payload: (id, token) => ({ ...componentInteraction(world, { id, token }, userId, channel, message, data) }),
    },
    {
      failed: (reason) => world.warnings.set(userId, message.id, { customId, reason }),
      succeeded: () => world.warnings.clear(userId, message.id, customId),
    },
  );
}

/** Something that never left the client. */
export function kept(errors: Readonly<Record<string, string>> = {}): Interaction {
  return { id: '', token: '', type: 'none', payload: {}, settled: Promise.resolve({ kind: 'kept', errors }) };
}

/** The chosen values, by an option's text or value. */
export function choose(hit: Hit, options: string | readonly string[]): FormValue {
  const wanted = typeof options === 'string' ? [options] : options;
  const { control } = hit;
  if (wanted.length > control.max) throw new Error(`"${control.text}" takes at most ${control.max} options`);
  if (!('modal' in hit.on) && wanted.length < control.min) {
    throw new Error(`"${control.text}" takes at least ${control.min} options`);
  }
  const values = wanted.map((one) => {
    const fits = control.options.filter((option) => option.text === one || option.value === one);
    const [only] = fits;
    if (only && fits.length === 1) return only.value;
    const offered = control.options.map((option) => JSON.stringify(option.text)).join(', ');
    throw new Error(`${fits.length} options are called ${JSON.stringify(one)}; there are: ${offered}`);
  });
  return { values };
}
