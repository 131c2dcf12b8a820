import { asObj, type Obj } from '../../json.ts';
import type { InteractionRecord } from '../interactions.ts';
import { FLAGS, type MessageRecord } from '../messages.ts';
import { messagePayload } from '../payloads/message.ts';
import type { Issue } from '../rules/check.ts';
import { modalBody } from '../rules/modal.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import { readMessage } from './draft.ts';
import { recordMentions } from './mentions.ts';
import { edit } from './message-routes.ts';
import { type RestRequest, route } from './route.ts';

/** Callback types. 8 (autocomplete) and 12 (activity) answer interactions the double does not send. */
const MESSAGE = 4;
const DEFERRED_MESSAGE = 5;
const DEFERRED_UPDATE = 6;
const UPDATE = 7;
const MODAL = 9;

const TOKEN_MS = 15 * 60_000;

export const interactionRoutes = [
  route('create_interaction_response', 'POST', '/interactions/:/:/callback', respond, 'token'),
];

/** The first response to an interaction. Only one is taken, and only for three seconds. */
function respond(request: RestRequest) {
  const { world, params, body, query } = request;
  const record = world.interactions.find(params[0] ?? '');
  if (!record || record.token !== params[1]) throw new ApiError(10062);
  record.callbacks += 1;
  if (record.answered !== undefined) {
    // Several gateways on one token each respond once: that is no fault of theirs.
    if (record.callbacks > Math.max(1, record.deliveries)) {
      world.log.violation(
        request.method,
        '',
        'answered_twice',
        `${record.callbacks} first responses to one interaction`,
      );
    }
    throw new ApiError(40060);
  }
  if (record.gaveUp) throw new ApiError(10062);
  const type = Number(body['type']);
  const data = asObj(body['data']);
  const spec = { operation: `callback_${type}`, body };
  check(world, record, type, spec);
  switch (type) {
    case MESSAGE:
      record.original = post(request, record, data, spec);
      break;
    case DEFERRED_MESSAGE:
      record.original = think(world, record, data);
      break;
    case UPDATE:
      if (record.message) edit(request, record.message, data, spec, true, ['data']);
      break;
    case MODAL:
      open(world, record, data);
  }
  if (type === DEFERRED_UPDATE || type === UPDATE) Object.assign(record, { original: record.message });
  world.interactions.answer(record, type);
  if (query.get('with_response') !== 'true') return {};
  const { original } = record;
  return {
    body: {
      interaction: { id: record.id, type: record.kind, ...(original ? { response_message_id: original.id } : {}) },
      ...(original ? { resource: { type, message: messagePayload(world, original) } } : {}),
    },
  };
}

/** Which responses fit which interaction, and the published description. */
function check(world: World, record: InteractionRecord, type: number, spec: { operation: string; body: Obj }): void {
  const issues: Issue[] = [];
  const wrong = (message: string) =>
    issues.push({ path: ['type'], code: 'INTERACTION_CALLBACK_TYPE_INVALID', message });
  if (![MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, MODAL].includes(type))
    wrong(`${type} is no callback for it`);
  else if ((type === DEFERRED_UPDATE || type === UPDATE) && !record.message) wrong('there is no message to update');
  else if (type === MODAL && record.kind === 5) wrong('a modal cannot answer a modal');
  if (issues.length === 0 && type !== MESSAGE && type !== UPDATE) {
    if (type === MODAL) modalBody({ path: ['data'], issues }, asObj(spec.body['data']));
    if (issues.length === 0) issues.push(...world.spec.check(spec.operation, spec.body));
  }
  if (issues.length > 0) throw new ApiError(50035, { issues });
}

/** A message as the response. Flag 64: for the one who asked only. */
export function post(
  request: RestRequest,
  record: InteractionRecord,
  data: Obj,
  spec: { readonly operation: string; readonly body: unknown },
  at: readonly string[] = ['data'],
): MessageRecord {
  const { world } = request;
  const content = readMessage(request, { body: data, interaction: true, spec, at });
  const message = world.messages.add({ ...content, ...response(world, record, data, content.flags) });
  recordMentions(world, message, 'post');
  return message;
}

function response(world: World, record: InteractionRecord, data: Obj, flags: number) {
  const ephemeral = (Number(data['flags'] ?? 0) & FLAGS.ephemeral) !== 0;
  const { command } = record;
  return {
    channelId: record.channelId,
    authorId: world.bot.id,
    type: record.kind === 2 ? (20 as const) : (0 as const),
    flags: ephemeral ? flags | FLAGS.ephemeral : flags,
    interaction: {
      id: record.id,
      userId: record.userId,
      type: record.kind,
      ...(command === undefined ? {} : { command }),
      ...(record.message ? { messageId: record.message.id } : {}),
    },
    ...(ephemeral ? { ephemeralTo: record.userId } : {}),
  };
}

/** "… is thinking", until it is edited or the token is over. */
function think(world: World, record: InteractionRecord, data: Obj): MessageRecord {
  const nothing = { everyone: false, users: [], roles: [] };
  const message = world.messages.add({
    content: '',
    components: [],
    embeds: [],
    files: [],
    mentions: nothing,
    ...response(world, record, data, FLAGS.loading),
  });
  world.clock.after(TOKEN_MS, () => {
    if (!(message.flags & FLAGS.loading)) return;
    message.failed = true;
    message.flags &= ~FLAGS.loading;
    world.messages.changed(message);
  });
  return message;
}

function open(world: World, record: InteractionRecord, data: Obj): void {
  const { message } = record;
  world.modals.open({
    key: `modal-${record.id}`,
    userId: record.userId,
    channelId: record.channelId,
    customId: String(data['custom_id']),
    title: String(data['title']),
    components: data['components'] as readonly Obj[],
    ...(message ? { message: { channelId: message.channelId, id: message.id } } : {}),
    errors: {},
    busy: false,
  });
}
