import type { AuthTestResponse } from '@slack/web-api';
import { HandraiseError } from '../../src/core/errors.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { cureOf } from './cures.ts';
import type { SlackWeb } from './web-clients.ts';

/** Who we are on Slack: the installation the bot token belongs to. */
export interface Install {
  /** Absent when the app is installed for a whole organisation. */
  readonly teamId?: string;
  /** Enterprise Grid only. */
  readonly enterpriseId?: string;
  readonly botId: string;
  readonly botUserId: string;
  /** The workspace's own address, with a slash at its end; links to messages begin with it. */
  readonly webUrl: string;
}

/**
 * Scopes without which nothing works, those for reading history (which of them depends on the channel), and those without
 * which the Home tab lists nothing.
 */
export const SCOPES = {
  always: ['chat:write', 'users:read'],
  byChannel: ['channels:history', 'groups:history'],
  forInbox: ['channels:read', 'groups:read'],
} as const;

/** Asks Slack whose token this is. Throws a `SurfaceError` with the cure when it is refused or lacks a scope. */
export async function readInstall(web: SlackWeb): Promise<Install> {
  const told = await web.interactive('auth.test', (client) => client.auth.test());
  const scopes = told.response_metadata?.scopes;
  const missing = scopes === undefined ? undefined : SCOPES.always.find((scope) => !scopes.includes(scope));
  if (missing !== undefined) {
    throw new SurfaceError(`The bot token lacks the scope ${missing}`, {
      platformCode: 'missing_scope',
      permanent: true,
      hint: cureOf('missing_scope', 'bot', missing) ?? '',
    });
  }
  return installOf(told);
}

/** Throws `configuration` for a token that belongs to a person. */
export function installOf(told: AuthTestResponse): Install {
  const { bot_id: botId, user_id: botUserId, team_id: teamId, enterprise_id: enterpriseId, url } = told;
  if (botId === undefined || botUserId === undefined) {
    throw new HandraiseError('SLACK_BOT_TOKEN belongs to a person, not to a bot', {
      code: 'configuration',
      hint: 'Copy the "Bot User OAuth Token" (xoxb-…) from "OAuth & Permissions".',
    });
  }
  const wholeOrganisation = told.is_enterprise_install === true || teamId === enterpriseId;
  return {
    botId,
    botUserId,
    webUrl: url ?? ANY_WORKSPACE,
    ...(teamId === undefined || wholeOrganisation ? {} : { teamId }),
    ...(enterpriseId === undefined ? {} : { enterpriseId }),
  };
}

/** Leads to the workspace its reader is signed in to. */
const ANY_WORKSPACE = 'https://slack.com/';

/** The id that people and cards of this installation are known under: the enterprise on Grid, else the team. */
export function workspaceIdOf(install: Install): string {
  return install.enterpriseId ?? install.teamId ?? 'unknown';
}
