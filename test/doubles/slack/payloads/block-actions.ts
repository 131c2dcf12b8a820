import type { BlockAction } from '@slack/bolt';
import { asText, type Obj } from '../../json.ts';
import { type FormValue, stateOf, stateValues } from '../forms.ts';
import type { MessageRecord } from '../messages.ts';
import type { UserRecord } from '../types.ts';
import type { ViewRecord } from '../views.ts';
import { type ApiMessage, apiMessage } from '../web-api/api-message.ts';
import type { World } from '../world.ts';
import { actor } from './actor.ts';
import { viewPayload } from './view.ts';

/** Bolt's type of the payload, but for `enterprise`, which really is null outside Grid. */
type Payload = Omit<BlockAction, 'enterprise' | 'actions' | 'message' | 'response_url' | 'state'> & {
  readonly enterprise: { readonly id: string; readonly name: string } | null;
  readonly actions: readonly Obj[];
  readonly message?: ApiMessage;
  readonly response_url?: string;
  readonly state: { readonly values: Readonly<Record<string, Obj>> };
};

/** What the person touched: the element as their client had it, and what it then stood at. */
export interface Touched {
  readonly blockId: string;
  readonly element: Obj;
  readonly value: FormValue;
}

function actionOf(world: World, { blockId, element, value }: Touched): Obj {
  const { type, action_id, text, style, placeholder } = element;
  const common = { type, action_id, block_id: blockId, action_ts: world.messages.newTs() };
  if (type === 'button') {
    return { ...common, text, ...(element['value'] ? { value: element['value'] } : {}), ...(style ? { style } : {}) };
  }
  if (type === 'overflow')
    return { ...common, selected_option: stateOf({ ...element, type: 'static_select' }, value)?.['selected_option'] };
  return { ...common, ...stateOf(element, value), ...(placeholder ? { placeholder } : {}) };
}

export function messageActions(world: World, user: UserRecord, message: MessageRecord, touched: Touched): Payload {
  const { channel, ts, threadTs, ephemeralTo } = message;
  const ephemeral = ephemeralTo !== undefined;
  return {
    type: 'block_actions',
    ...actor(world, user),
    container: {
      type: 'message',
      message_ts: ts,
      channel_id: channel,
      is_ephemeral: ephemeral,
      ...(threadTs ? { thread_ts: threadTs } : {}),
    },
    trigger_id: world.passes.newTrigger(user.id, false),
    channel: channelOf(world, channel),
    // Slack does not keep ephemeral messages, so a payload cannot show one.
    ...(ephemeral ? {} : { message: apiMessage(world, message) }),
    state: { values: stateValues(world.forms, surfaceOf(user.id, message), message.blocks) },
    response_url: `http://${world.host()}${world.passes.newResponseUrl({ channel, user: user.id, messageTs: ts })}`,
    actions: [actionOf(world, touched)],
  };
}

export function viewActions(world: World, user: UserRecord, view: ViewRecord, touched: Touched): Payload {
  const payload = viewPayload(world, view);
  return {
    type: 'block_actions',
    ...actor(world, user),
    container: { type: 'view', view_id: view.id },
    trigger_id: world.passes.newTrigger(user.id, view.body['type'] === 'modal'),
    view: payload,
    state: payload.state as Payload['state'],
    actions: [actionOf(world, touched)],
  };
}

/** One person's client showing one message: the place where what they chose there is kept. */
export function surfaceOf(userId: string, message: Pick<MessageRecord, 'channel' | 'ts'>): string {
  return `${userId}:${message.channel}:${message.ts}`;
}

function channelOf(world: World, id: string): { readonly id: string; readonly name: string } {
  const channel = world.workspace.channels.get(id);
  return { id, name: channel?.is_private ? 'privategroup' : asText(channel?.name) };
}
