import { sentenceOf } from '../../src/core/errors.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { cureOf, isRefusedToken, type TokenKind } from './cures.ts';

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
