import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { sentenceOf } from '../../src/core/errors.ts';
import { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { cureOf } from './cures.ts';

/** Codes of Discord that the adapter acts on (topics/opcodes-and-status-codes). */
export const CODES = Object.freeze({
  unknownChannel: 10003,
  unknownMessage: 10008,
  unknownMember: 10007,
  unknownUser: 10013,
  unknownWebhook: 10015,
  unknownInteraction: 10062,
  alreadyAcknowledged: 40060,
  missingAccess: 50001,
  threadExists: 160004,
  threadArchived: 50083,
  invalidWebhookToken: 50027,
  editLimit: 30046,
});

/** Wraps whatever a REST call threw, once, with what to do about it. `what` is the call, for people. */
export function surfaceError(thrown: unknown, what: string): SurfaceError {
  if (thrown instanceof SurfaceError) return thrown;
  if (thrown instanceof RateLimitError) {
    const waitMs = Math.max(thrown.retryAfter, thrown.timeToReset, 250);
    return new SurfaceError(`Discord asks to wait ${Math.ceil(waitMs / 1_000)} s before the next ${what}`, {
      platformCode: thrown.global ? 'ratelimited_globally' : 'ratelimited',
      retryAfterMs: waitMs,
      cause: thrown,
    });
  }
  if (thrown instanceof DiscordAPIError) return apiError(thrown, what);
  if (thrown instanceof HTTPError) {
    return new SurfaceError(`Discord answered ${what} with HTTP ${thrown.status}`, {
      platformCode: `http_${thrown.status}`,
      // A gateway in front of Discord may fail after Discord has done it.
      ambiguous: thrown.status >= 500,
      cause: thrown,
    });
  }
  return unreachable(thrown, what);
}

export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof SurfaceError && codes.some((code) => error.platformCode === String(code));
}

function apiError(error: DiscordAPIError, what: string): SurfaceError {
  const code = String(error.code);
  const hint = cureOf(error.status, Number(error.code));
  const sentence =
    error.status === 401
      ? 'Discord refuses the bot token'
      : `Discord refused ${what}: ${error.message.split('\n')[0]} (${code})`;
  return new SurfaceError(sentence, {
    platformCode: error.status === 401 ? '401' : code,
    permanent: error.status === 401 || PERMANENT.has(Number(error.code)),
    ...(hint === undefined ? {} : { hint }),
    // A proxy's page instead of Discord's JSON: nothing is known then.
    ambiguous: error.code === undefined,
    cause: error,
  });
}

const PERMANENT: ReadonlySet<number> = new Set([
  CODES.unknownChannel,
  CODES.unknownMessage,
  10004, // unknown guild
  CODES.missingAccess,
  50005, // another's message
  50006, // empty message
  50013, // missing permissions
  50024, // not possible in this kind of channel
  50035, // malformed
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

function unreachable(thrown: unknown, what: string): SurfaceError {
  const code = codeOf(thrown);
  const timedOut = code === 'TimeoutError' || code === 'AbortError';
  return new SurfaceError(
    timedOut
      ? `Discord did not answer ${what} in time`
      : `Discord could not be reached for ${what} (${code ?? sentenceOf(thrown)})`,
    {
      platformCode: timedOut ? 'timeout' : 'unreachable',
      ambiguous: code === undefined || !NEVER_SENT.has(code),
      hint: 'Check the network, a proxy in between, and https://discordstatus.com.',
      cause: thrown,
    },
  );
}

/** The innermost code of a failed fetch: `TypeError: fetch failed` hides it two causes deep. */
function codeOf(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 4) return undefined;
  if (thrown.name === 'TimeoutError' || thrown.name === 'AbortError') return thrown.name;
  const inner =
    thrown instanceof AggregateError ? codeOf(thrown.errors[0], depth + 1) : codeOf(thrown.cause, depth + 1);
  if (inner !== undefined) return inner;
  return (thrown as NodeJS.ErrnoException).code;
}
