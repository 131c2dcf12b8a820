/** Which token a method is called with: the cures differ. */
export type TokenKind = 'bot' | 'app';

/** The next step for whoever runs handraise. Mirrored by the table in docs/slack.md. */
export function cureOf(code: string, token: TokenKind, needed?: string): string | undefined {
  const name = token === 'bot' ? 'SLACK_BOT_TOKEN (xoxb-…)' : 'SLACK_APP_TOKEN (xapp-…)';
  switch (code) {
    case 'missing_scope':
      return `Add the scope ${needed ?? 'that docs/slack.md lists'} to the app${token === 'bot' ? ' under "OAuth & Permissions", then reinstall it to the workspace' : '-level token under "Basic Information"'}.`;
    case 'not_in_channel':
      return 'Invite the app: write /invite @handraise in the channel.';
    case 'channel_not_found':
      return 'Check the channel id (it begins with C or G), and for a private channel write /invite @handraise in it.';
    case 'is_archived':
      return 'Unarchive the channel, or set another one.';
    case 'not_allowed_token_type':
      return `${name} holds a token of another kind; perhaps SLACK_BOT_TOKEN and SLACK_APP_TOKEN are swapped.`;
    case 'restricted_action':
    case 'restricted_action_read_only_channel':
    case 'restricted_action_thread_only_channel':
    case 'restricted_action_non_threadable_channel':
      return 'The channel does not let apps post, or reply in threads; change its posting permissions or set another one.';
    case 'account_inactive':
    case 'app_missing':
      return `The app was uninstalled or its account is deactivated: install it again and copy the new ${name}.`;
    default:
      return isRefusedToken(code) ? `Slack does not accept ${name}; copy it again from the app's settings.` : undefined;
  }
}

/** Slack's own codes of a token that will not work again without somebody doing something. */
export function isRefusedToken(platformCode: string): boolean {
  return REFUSED_TOKENS.has(platformCode);
}

const REFUSED_TOKENS: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'user_removed_from_team',
  'team_disabled',
  'org_login_required',
  'team_access_not_granted',
  'app_missing',
]);
