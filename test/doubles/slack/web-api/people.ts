import type { UserRecord } from '../types.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { Args } from './arguments.ts';
import type { Method } from './method.ts';
import { page } from './pages.ts';

export const people: Readonly<Record<string, Method>> = {
  'users.info': {
    token: 'bot',
    scopes: ['users:read'],
    tier: 4,
    required: { user: 'text' },
    optional: { include_locale: 'flag' },
    run(args, world) {
      const user = world.workspace.users.get(String(args['user']));
      if (!user) throw new ApiError('user_not_found');
      return { user: apiUser(user, world) };
    },
  },
  'users.list': {
    token: 'bot',
    scopes: ['users:read'],
    tier: 2,
    optional: { cursor: 'text', limit: 'number', include_locale: 'flag', team_id: 'text' },
    run(args, world) {
      needTeam(args, world);
      const { items, cursor } = page([...world.workspace.users.values()], args, 1000);
      return { members: items.map((one) => apiUser(one, world)), response_metadata: { next_cursor: cursor } };
    },
  },
  'usergroups.users.list': {
    token: 'bot',
    scopes: ['usergroups:read'],
    tier: 2,
    required: { usergroup: 'text' },
    optional: { include_disabled: 'flag', team_id: 'text' },
    run(args, world) {
      needTeam(args, world);
      const group = world.workspace.groups.get(String(args['usergroup']));
      if (!group) throw new ApiError('no_such_subteam');
      return { users: [...group.users] };
    },
  },
};

/** A token of a whole organisation has to say which team it means. */
export function needTeam(args: Args, world: World): void {
  if (world.workspace.orgInstall && !args['team_id']) {
    throw new ApiError('missing_argument', [{ pointer: '/team_id', message: 'missing required field: team_id' }]);
  }
}

function apiUser(user: UserRecord, world: World): Record<string, unknown> {
  const { enterpriseId, enterpriseName } = world.workspace;
  return {
    id: user.id,
    team_id: user.team_id,
    name: user.name,
    real_name: user.real_name,
    deleted: user.deleted,
    is_bot: user.is_bot,
    is_app_user: false,
    is_restricted: user.is_restricted,
    is_ultra_restricted: user.is_ultra_restricted,
    // Present for people of other teams only.
    ...(user.is_stranger ? { is_stranger: true } : {}),
    profile: { display_name: user.name, real_name: user.real_name, team: user.team_id },
    tz: 'Etc/UTC',
    tz_offset: 0,
    ...(enterpriseId && !user.is_stranger
      ? { enterprise_user: { id: user.id, enterprise_id: enterpriseId, enterprise_name: enterpriseName } }
      : {}),
  };
}
