import type { Obj } from '../../json.ts';
import { messageActions } from '../payloads/block-actions.ts';
import { mayBeMessage } from '../socket-mode/ack-rules.ts';
import type { Delivery } from '../socket-mode/delivery.ts';
import { deliverEvent } from '../socket-mode/events-api.ts';
import type { Deliver, DeliverOptions, ForgedAction, UserRecord } from '../types.ts';
import type { World } from '../world.ts';

/** Injection past every check of what is on a screen. */
export function createDeliver(world: World, delivery: Delivery): Deliver {
  const envelopes = new Map<string, 'events_api' | 'interactive' | 'slash_commands'>();
  const send: Deliver['envelope'] = (envelope, payload, options) => {
    const sent = delivery.send(
      { envelope, payload, acked: envelope === 'slash_commands' ? mayBeMessage : undefined },
      options,
    );
    envelopes.set(sent.envelopeId, envelope);
    return sent;
  };
  return {
    envelope: send,
    event: (event, options) => deliverEvent(world, delivery, event, options),
    again(interaction, options: DeliverOptions = {}) {
      const kind = envelopes.get(interaction.envelopeId) ?? kindOf(interaction.type);
      return send(kind, interaction.payload, { envelopeId: interaction.envelopeId, ...options });
    },
    action: (action) => send('interactive', forged(world, action)),
  };
}

function kindOf(type: string): 'events_api' | 'interactive' {
  return type === 'event_callback' ? 'events_api' : 'interactive';
}

function forged(world: World, action: ForgedAction): Obj {
  const { channel, ts, actionId, blockId = 'forged', value } = action;
  const known = world.messages.find(channel, ts);
  const user = world.workspace.users.get(action.user) ?? nobody(action.user, world.workspace.teamId);
  const message = known ?? {
    channel,
    ts,
    user: world.workspace.botUserId,
    at: 0,
    broadcast: false,
    text: '',
    blocks: [],
    files: [],
    parseNames: false,
    autoLink: false,
    tombstone: false,
    version: 0,
  };
  const element = {
    type: 'button',
    action_id: actionId,
    text: { type: 'plain_text', text: 'Forged', emoji: true },
    ...(value === undefined ? {} : { value }),
  };
  const payload = messageActions(world, user, message, { blockId, element, value: { text: null } });
  return { ...payload, ...action.override };
}

function nobody(id: string, team_id: string): UserRecord {
  return {
    id,
    team_id,
    name: id.toLowerCase(),
    real_name: id,
    deleted: false,
    is_bot: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_stranger: false,
  };
}
