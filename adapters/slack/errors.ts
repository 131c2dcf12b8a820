import { sentenceOf } from '../../src/core/errors.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';

/** Which token a method is called with: the cures differ. */
export type TokenKind = 'bot' | 'app';

/** Wraps whatever a Web API call threw, once, with what to do about it. */
export function surfaceError(thrown: unknown, method: string, token: TokenKind = 'bot'): SurfaceError {
  if (thrown instanceof SurfaceError) return thrown;
  const error = thrown as Partial<SdkError>;
  switch (error.code) {
    case 'slack_webapi_platform_error':
      return platformError(error, method, token, thrown);
    case 'slack_webapi_rate_limited_error': {
      const seconds = error.retryAfter ?? 1;
      return new SurfaceError(`Slack asks to wait ${seconds} s before the next ${method}`, {
        platformCode: 'ratelimited',
        retryAfterMs: seconds * 1_000,
        cause: thrown,
      });
    }
    case 'slack_webapi_http_error':
      return new SurfaceError(`Slack answered ${method} with HTTP ${error.statusCode ?? '?'}`, {
        platformCode: `http_${error.statusCode ?? 'error'}`,
        // A gateway in front of Slack may fail after Slack has done it.
        ambiguous: (error.statusCode ?? 500) >= 500,
        cause: thrown,
      });
    default:
      return unreachable(thrown, method);
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

/** What the SDK's errors carry. They are told apart by code: several copies of the SDK may be installed. */
interface SdkError {
  readonly code: string;
  readonly statusCode: number;
  readonly retryAfter: number;
  readonly original: unknown;
  readonly data: { readonly error: string; readonly needed?: string; readonly provided?: string };
}

/** "Some aspects of the operation may have succeeded" (Slack on fatal_error); the others are as vague. */
const VAGUE: ReadonlySet<string> = new Set(['internal_error', 'fatal_error', 'request_timeout', 'service_unavailable']);

function platformError(error: Partial<SdkError>, method: string, token: TokenKind, cause: unknown): SurfaceError {
  const said = error.data?.error ?? '';
  // A body that is no JSON arrives here as the "error": a proxy's page, or a reply cut off. Nothing is known then.
  const code = /^[a-z0-9_]{1,64}$/.test(said) ? said : 'unreadable_reply';
  const ambiguous = VAGUE.has(code) || code === 'unreadable_reply';
  const hint = cureOf(code, token, error.data?.needed);
  return new SurfaceError(`Slack refused ${method}: ${code}`, {
    platformCode: code,
    permanent: PERMANENT.has(code) || isRefusedToken(code),
    ambiguous,
    ...(hint === undefined ? {} : { hint }),
    cause,
  });
}

const PERMANENT: ReadonlySet<string> = new Set([
  'missing_scope',
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_non_threadable_channel',
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'invalid_blocks',
  'invalid_arguments',
  'msg_blocks_too_long',
  'msg_too_long',
  'ekm_access_denied',
  'access_denied',
  'no_permission',
]);

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

/** Errors of the connection itself. Nothing was sent when it was never made. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function unreachable(thrown: unknown, method: string): SurfaceError {
  const code = codeOf(thrown);
  const timedOut = code === 'TimeoutError' || code === 'AbortError';
  const sentence = timedOut
    ? `Slack did not answer ${method} in time`
    : `Slack could not be reached for ${method} (${code ?? sentenceOf(thrown)})`;
  return new SurfaceError(sentence, {
    platformCode: timedOut ? 'timeout' : 'unreachable',
    ambiguous: code === undefined || !NEVER_SENT.has(code),
    hint: 'Check the network, a proxy in between, and https://slack-status.com.',
    cause: thrown,
  });
}

/** The innermost code of a failed fetch: `TypeError: fetch failed` hides it two causes deep. */
function codeOf(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 4) return undefined;
  const inner = codeOf((thrown as { original?: unknown }).original ?? thrown.cause, depth + 1);
  if (inner !== undefined) return inner;
  if (thrown.name === 'TimeoutError' || thrown.name === 'AbortError') return thrown.name;
  const { code } = thrown as NodeJS.ErrnoException;
  return code === undefined || code.startsWith('slack_') ? undefined : code;
}
