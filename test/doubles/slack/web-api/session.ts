import type { Method } from './method.ts';

export const session: Readonly<Record<string, Method>> = {
  'auth.test': {
    token: 'any',
    run(_, world) {
      const { workspace } = world;
      return {
        url: `https://${workspace.domain}.slack.com/`,
        team: workspace.name,
        team_id: workspace.orgInstall ? workspace.enterpriseId : workspace.teamId,
        user: 'handraise',
        user_id: workspace.botUserId,
        bot_id: workspace.botId,
        ...(workspace.enterpriseId ? { enterprise_id: workspace.enterpriseId } : {}),
        is_enterprise_install: workspace.orgInstall,
      };
    },
  },
  'apps.connections.open': {
    token: 'app',
    tier: 1,
    run: (_, world) => ({
      url: `ws://${world.host()}/link/?ticket=${world.passes.newTicket()}&app_id=${world.workspace.appId}`,
    }),
  },
};
