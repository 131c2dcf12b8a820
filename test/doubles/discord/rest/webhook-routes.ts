import type { InteractionRecord } from '../interactions.ts';
import { FLAGS, type MessageRecord } from '../messages.ts';
import { messagePayload } from '../payloads/message.ts';
import { ApiError } from './api-error.ts';
import { post } from './interaction-routes.ts';
import { edit } from './message-routes.ts';
import { type RestRequest, route } from './route.ts';

const ORIGINAL = '/webhooks/:/:/messages/@original';
const MESSAGE = '/webhooks/:/:/messages/:';

/** The webhook of an interaction: edits and follow-ups for fifteen minutes, ephemerals included. */
export const webhookRoutes = [
  route('execute_webhook', 'POST', '/webhooks/:/:', followUp, 'token'),
  route('get_original_webhook_message', 'GET', ORIGINAL, (request) => get(request, original(request)), 'token'),
  route('update_original_webhook_message', 'PATCH', ORIGINAL, (request) => update(request, original(request)), 'token'),
  route(
    'delete_original_webhook_message',
    'DELETE',
    ORIGINAL,
    (request) => remove(request, original(request)),
    'token',
  ),
  route('get_webhook_message', 'GET', MESSAGE, (request) => get(request, other(request)), 'token'),
  route('update_webhook_message', 'PATCH', MESSAGE, (request) => update(request, other(request)), 'token'),
  route('delete_webhook_message', 'DELETE', MESSAGE, (request) => remove(request, other(request)), 'token'),
];

/** The answered interaction behind the token, or Discord's error. */
function interactionOf({ world, params }: RestRequest): InteractionRecord {
  const record = world.interactions.byToken(params[1] ?? '');
  if (params[0] !== world.applicationId || !record) throw new ApiError(10015);
  if (!world.interactions.isAlive(record)) throw new ApiError(50027);
  // Before the first response the webhook does not exist.
  if (record.answered === undefined) throw new ApiError(10015);
  return record;
}

function original(request: RestRequest): MessageRecord {
  const { original: message } = interactionOf(request);
  if (!message || !request.world.messages.find(message.channelId, message.id)) throw new ApiError(10008);
  return message;
}

function other(request: RestRequest): MessageRecord {
  const record = interactionOf(request);
  const id = request.params[2] ?? '';
  const mine = record.followUps.has(id) || record.original?.id === id;
  const message = request.world.messages.find(record.channelId, id);
  if (!mine || !message) throw new ApiError(10008);
  return message;
}

function get({ world }: RestRequest, message: MessageRecord) {
  return { body: messagePayload(world, message) };
}

function update(request: RestRequest, message: MessageRecord) {
  edit(request, message, request.body, { operation: request.method, body: request.body }, true);
  return { body: messagePayload(request.world, message) };
}

function remove({ world }: RestRequest, message: MessageRecord) {
  world.messages.remove(message);
  return {};
}

function followUp(request: RestRequest) {
  const { world, body } = request;
  const record = interactionOf(request);
  const waiting = record.original;
  // The first follow-up to "is thinking" takes its place.
  if (waiting && waiting.flags & FLAGS.loading) return update(request, waiting);
  const message = post(request, record, body, { operation: 'execute_webhook', body }, []);
  record.followUps.add(message.id);
  return { body: messagePayload(world, message) };
}
