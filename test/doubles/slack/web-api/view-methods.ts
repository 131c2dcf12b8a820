import { asObj, asText, type Obj } from '../../json.ts';
import { checkView } from '../block-kit/surfaces.ts';
import type { Trigger } from '../passes.ts';
import { viewPayload } from '../payloads/view.ts';
import type { ViewRecord } from '../views.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { Args } from './arguments.ts';
import type { Method } from './method.ts';

export const viewMethods: Readonly<Record<string, Method>> = {
  'views.open': {
    token: 'bot',
    tier: 4,
    required: { trigger_id: 'text', view: 'json' },
    run(args, world) {
      triggerOf(args, world, 'peek');
      const view = readView(args, world, 'modal');
      const { user } = triggerOf(args, world);
      return answer(world, world.views.open(user, view));
    },
  },
  'views.push': {
    token: 'bot',
    tier: 4,
    required: { trigger_id: 'text', view: 'json' },
    run(args, world) {
      const { user, inModal } = triggerOf(args, world, 'peek');
      if (!inModal || world.views.stack(user).length === 0) throw new ApiError('not_found');
      const view = readView(args, world, 'modal');
      triggerOf(args, world);
      const record = world.views.push(user, view);
      if (!record) throw new ApiError('push_limit_reached');
      return answer(world, record);
    },
  },
  'views.update': {
    token: 'bot',
    tier: 4,
    required: { view: 'json' },
    optional: { view_id: 'text', external_id: 'text', hash: 'text' },
    run(args, world) {
      const record = world.views.find({ viewId: asText(args['view_id']), externalId: asText(args['external_id']) });
      if (!record) throw new ApiError('not_found');
      const view = readView(args, world, record.body['type'] === 'home' ? 'home' : 'modal', record);
      if (args['hash'] !== undefined && args['hash'] !== record.hash) throw new ApiError('hash_conflict');
      world.views.update(record, view);
      return answer(world, record);
    },
  },
  'views.publish': {
    token: 'bot',
    tier: 4,
    required: { user_id: 'text', view: 'json' },
    optional: { hash: 'text' },
    run(args, world) {
      const user = String(args['user_id']);
      if (!world.workspace.users.has(user)) throw new ApiError('user_not_found');
      const old = world.views.home(user);
      const view = readView(args, world, 'home', old);
      if (args['hash'] !== undefined && args['hash'] !== old?.hash) throw new ApiError('hash_conflict');
      return answer(world, world.views.publish(user, view));
    },
  },
};

/** A view in an ack or a call, checked; `self` is the one it will replace. */
export function readView(args: Args, world: World, type: 'modal' | 'home', self?: ViewRecord): Obj {
  const view = asObj(args['view']);
  const verdict = checkView(view, type);
  if (verdict.error) throw new ApiError(verdict.error, verdict.issues);
  const externalId = asText(view['external_id']);
  const other = externalId ? world.views.find({ externalId }) : undefined;
  if (other && other !== self) throw new ApiError('duplicate_external_id');
  return view;
}

function triggerOf(args: Args, world: World, how?: 'peek'): Trigger {
  const trigger = world.passes.useTrigger(String(args['trigger_id']), how);
  if (typeof trigger === 'string') throw new ApiError(trigger);
  return trigger;
}

function answer(world: World, record: ViewRecord): Record<string, unknown> {
  return { view: viewPayload(world, record) };
}
