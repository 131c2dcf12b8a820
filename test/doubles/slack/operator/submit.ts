import type { ViewClosedAction, ViewSubmitAction } from '@slack/bolt';
import { asObj, asText, codePoints, isObj, type Obj } from '../../json.ts';
import type { Issue } from '../block-kit/schema.ts';
import { currentValue, elementsOf } from '../forms.ts';
import { actor } from '../payloads/actor.ts';
import { viewPayload } from '../payloads/view.ts';
import type { Delivery } from '../socket-mode/delivery.ts';
import type { Interaction, UnackedReason, UserRecord } from '../types.ts';
import type { ViewRecord } from '../views.ts';
import { ApiError } from '../web-api/api-error.ts';
import { readView } from '../web-api/view-methods.ts';
import type { World } from '../world.ts';
import { kept } from './act.ts';

/** Bolt's type of a payload, but for `enterprise`, which really is null outside Grid. */
type Realistic<T> = Omit<T, 'enterprise'> & {
  readonly enterprise: unknown;
  readonly user: { readonly username: string };
};

/** Sends a view_submission, unless the client itself finds something missing, and does what the ack says. */
export function submitView(world: World, delivery: Delivery, user: UserRecord, view: ViewRecord): Interaction {
  const missing = complaints(world, view);
  view.errors = missing;
  delete view.trouble;
  view.busy = Object.keys(missing).length === 0;
  world.views.changed(view);
  if (!view.busy) return kept(missing);
  const payload = {
    type: 'view_submission',
    ...actor(world, user),
    trigger_id: world.passes.newTrigger(user.id, true),
    view: viewPayload(world, view),
    response_urls: [],
  } satisfies Realistic<ViewSubmitAction>;
  return delivery.send({
    envelope: 'interactive',
    payload,
    acked: (answer) => react(world, delivery, user, view, answer),
    failed: (reason) => troubled(world, view, reason),
  });
}

/** Tells the app that a view was closed, if it asked to be told. */
export function closedView(
  world: World,
  delivery: Delivery,
  user: UserRecord,
  view: ViewRecord,
  cleared: boolean,
): Interaction | undefined {
  if (view.body['notify_on_close'] !== true) return undefined;
  const payload = {
    type: 'view_closed',
    ...actor(world, user),
    view: viewPayload(world, view),
    is_cleared: cleared,
  } satisfies Realistic<ViewClosedAction>;
  return delivery.send({ envelope: 'interactive', payload });
}

function troubled(world: World, view: ViewRecord, reason: UnackedReason): void {
  view.busy = false;
  view.trouble = reason;
  world.views.changed(view);
}

function react(world: World, delivery: Delivery, user: UserRecord, view: ViewRecord, answer: Obj): readonly Issue[] {
  view.busy = false;
  const open = world.views.stack(user.id).includes(view);
  const action = answer['response_action'];
  const members = Object.keys(answer).filter((key) => key !== 'response_action');
  const only = (...allowed: string[]) =>
    members
      .filter((key) => !allowed.includes(key))
      .map((key) => ({ pointer: `/payload/${key}`, message: `a ${String(action ?? 'closing')} ack has no ${key}` }));
  switch (action) {
    case undefined:
      if (open && members.length === 0) world.views.close(user.id, 'one');
      return only();
    case 'clear':
      if (members.length > 0) return only();
      for (const closed of open ? world.views.close(user.id, 'all') : []) {
        if (closed !== view) closedView(world, delivery, user, closed, true);
      }
      return [];
    case 'errors': {
      const issues = [...only('errors'), ...wrongErrors(view, answer['errors'])];
      if (issues.length === 0) view.errors = answer['errors'] as Record<string, string>;
      world.views.changed(view);
      return issues;
    }
    case 'update':
    case 'push':
      return [...only('view'), ...replace(world, user, view, action, answer['view'])];
    default:
      return [{ pointer: '/payload/response_action', message: `unknown response_action: ${String(action)}` }];
  }
}

function replace(
  world: World,
  user: UserRecord,
  view: ViewRecord,
  how: 'update' | 'push',
  next: unknown,
): readonly Issue[] {
  try {
    const body = readView({ view: next }, world, 'modal', how === 'update' ? view : undefined);
    if (how === 'update') world.views.update(view, body);
    else if (!world.views.push(user.id, body)) return [{ pointer: '/payload/view', message: 'push_limit_reached' }];
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.issues.length === 0) return [{ pointer: '/payload/view', message: error.code }];
    return error.issues.map((issue) => ({ ...issue, pointer: `/payload${issue.pointer}` }));
  }
}

/** Errors are keyed by block ids of this view's input blocks; anything else is "trouble connecting". */
function wrongErrors(view: ViewRecord, errors: unknown): readonly Issue[] {
  if (!isObj(errors) || Object.keys(errors).length === 0) {
    return [{ pointer: '/payload/errors', message: 'must be an object with at least one error' }];
  }
  const inputs = (view.body['blocks'] as Obj[])
    .filter((block) => block['type'] === 'input')
    .map((one) => one['block_id']);
  return Object.entries(errors).flatMap(([key, text]) => {
    const pointer = `/payload/errors/${key}`;
    if (!inputs.includes(key)) return [{ pointer, message: `no input block has the block_id ${key}` }];
    return asText(text) === '' ? [{ pointer, message: 'must provide a string' }] : [];
  });
}

/** What a client refuses to send. */
function complaints(world: World, view: ViewRecord): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of view.body['blocks'] as Obj[]) {
    const [element] = elementsOf(block);
    if (block['type'] !== 'input' || !element) continue;
    const blockId = asText(block['block_id']);
    const value = currentValue(world.forms, view.id, blockId, element);
    const text = 'text' in value ? (value.text ?? '') : value.values.join('');
    const shortest = asObj(element)['min_length'];
    if (text === '') {
      if (block['optional'] !== true) errors[blockId] = 'Please complete this required field.';
    } else if ('text' in value && typeof shortest === 'number' && codePoints(text) < shortest) {
      errors[blockId] = `Please enter at least ${shortest} characters.`;
    }
  }
  return errors;
}
