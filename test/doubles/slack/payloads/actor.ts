import type { UserRecord } from '../types.ts';
import type { World } from '../world.ts';

/** Stands in every payload; Bolt ignores it since signatures came, and so should everybody. */
const VERIFICATION = ['verification', 'of', 'the', 'double'].join('-');

/** Who did it, in which team, for which app. On Grid `team` is null when the whole organisation installed the app. */
export function actor(world: World, user: UserRecord) {
  const { workspace } = world;
  const { enterpriseId, enterpriseName } = workspace;
  const enterprise = enterpriseId ? { id: enterpriseId, name: enterpriseName ?? '' } : null;
  return {
    user: { id: user.id, username: user.name, name: user.name, team_id: user.team_id },
    team: workspace.orgInstall
      ? null
      : {
          id: workspace.teamId,
          domain: workspace.domain,
          ...(enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {}),
        },
    enterprise,
    is_enterprise_install: workspace.orgInstall,
    api_app_id: workspace.appId,
    token: VERIFICATION,
  };
}

export function eventCallback(world: World, event: Readonly<Record<string, unknown>>, eventId: string) {
  const { workspace } = world;
  return {
    token: VERIFICATION,
    team_id: workspace.teamId,
    ...(workspace.enterpriseId ? { enterprise_id: workspace.enterpriseId } : {}),
    context_team_id: workspace.teamId,
    context_enterprise_id: workspace.enterpriseId,
    api_app_id: workspace.appId,
    event,
    type: 'event_callback',
    event_id: eventId,
    event_time: Math.floor(world.clock.now() / 1000),
    authorizations: [
      {
        enterprise_id: workspace.enterpriseId,
        team_id: workspace.orgInstall ? null : workspace.teamId,
        user_id: workspace.botUserId,
        is_bot: true,
        is_enterprise_install: workspace.orgInstall,
      },
    ],
    is_ext_shared_channel: false,
  };
}
