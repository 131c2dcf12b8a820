import type { Obj } from '../../json.ts';
import type { Issue } from '../rules/check.ts';

/** HTTP status and sentence of Discord's JSON error codes. */
const CODES: Readonly<Record<number, readonly [status: number, message: string]>> = {
  0: [500, '500: Internal Server Error'],
  10003: [404, 'Unknown Channel'],
  10004: [404, 'Unknown Guild'],
  10007: [404, 'Unknown Member'],
  10008: [404, 'Unknown Message'],
  10011: [404, 'Unknown Role'],
  10013: [404, 'Unknown User'],
  10015: [404, 'Unknown Webhook'],
  10062: [404, 'Unknown interaction'],
  20028: [429, 'The channel you are writing has hit the write rate limit'],
  30046: [429, 'Maximum number of edits to messages older than 1 hour reached. Try again later'],
  40002: [403, 'You need to verify your account in order to perform this action.'],
  40060: [400, 'Interaction has already been acknowledged.'],
  50001: [403, 'Missing Access'],
  50005: [403, 'Cannot edit a message authored by another user'],
  50006: [400, 'Cannot send an empty message'],
  50007: [403, 'Cannot send messages to this user'],
  50008: [400, 'Cannot send messages in a non-text channel'],
  50013: [403, 'Missing Permissions'],
  50024: [400, 'Cannot execute action on this channel type'],
  50027: [401, 'Invalid Webhook Token'],
  50035: [400, 'Invalid Form Body'],
  50083: [400, 'Thread is archived'],
  50109: [400, 'The request body contains invalid JSON.'],
  160004: [400, 'A thread has already been created for this message'],
};

/** An answer that refuses, in Discord's shape. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  readonly issues: readonly Issue[];

  constructor(code: number, options: { status?: number; message?: string; issues?: readonly Issue[] } = {}) {
    const [status, message] = CODES[code] ?? [400, 'Unknown error'];
    super(options.message ?? message);
    this.code = code;
    this.status = options.status ?? status;
    this.issues = options.issues ?? [];
  }

  body(): Obj {
    return {
      message: this.message,
      code: this.code,
      ...(this.issues.length > 0 ? { errors: nest(this.issues) } : {}),
    };
  }
}

/** `components.0.label` becomes `{components:{0:{label:{_errors:[…]}}}}`. */
function nest(issues: readonly Issue[]): Obj {
  const root: Record<string, unknown> = {};
  for (const { path, code, message } of issues) {
    let here = root;
    for (const key of path) {
      const next = (here[key] ?? {}) as Record<string, unknown>;
      here[key] = next;
      here = next;
    }
    const errors = (here['_errors'] ?? []) as unknown[];
    here['_errors'] = [...errors, { code, message }];
  }
  return root;
}
