import type { Obj } from '../../json.ts';
import type { ApiCall } from '../types.ts';
import type { World } from '../world.ts';
import { needScope } from './access.ts';
import { ApiError } from './api-error.ts';
import { readArguments } from './arguments.ts';
import { chat } from './chat.ts';
import { conversations } from './conversations.ts';
import { fileMethods } from './file-methods.ts';
import type { Method } from './method.ts';
import { people } from './people.ts';
import { session } from './session.ts';
import { viewMethods } from './view-methods.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: string;
}

const METHODS: Readonly<Record<string, Method>> = {
  ...session,
  ...chat,
  ...conversations,
  ...people,
  ...viewMethods,
  ...fileMethods,
};

/** One Web API call, in Slack's order: method, token, scopes, rate, arguments, effect. */
export function dispatch(world: World, call: ApiCall): Answer {
  const method = Object.hasOwn(METHODS, call.method) ? METHODS[call.method] : undefined;
  const headers = {
    'x-oauth-scopes': [...world.scopes].join(','),
    'x-accepted-oauth-scopes': method?.scopes?.join(',') ?? '',
  };
  try {
    if (!method) {
      const issue = { pointer: '', message: `unknown method: ${call.method}` };
      throw new ApiError('unknown_method', [issue], { req_method: call.method });
    }
    checkToken(world, call, method);
    for (const scope of method.scopes ?? []) if (method.token === 'bot') needScope(world, scope);
    const wait = method.tier ? world.limiter.method(call.method, method.tier) : 0;
    if (wait > 0) return limited(wait);
    const args = readArguments(method, call.args);
    const postWait = call.method === 'chat.postMessage' ? world.limiter.post(String(args['channel'])) : 0;
    if (postWait > 0) return limited(postWait);
    const body = method.run(args, world);
    call.applied = true;
    return json({ ok: true, ...body }, headers);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    for (const issue of error.issues) world.log.violation(call.method, issue.pointer, error.code, issue.message);
    return json(error.body(), headers);
  }
}

export function limited(seconds: number): Answer {
  const body = JSON.stringify({ ok: false, error: 'ratelimited' });
  return { status: 429, headers: { 'retry-after': String(seconds) }, type: 'application/json; charset=utf-8', body };
}

function json(body: Obj, headers: Readonly<Record<string, string>>): Answer {
  return { status: 200, headers, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

function checkToken(world: World, call: ApiCall, method: Method): void {
  if (call.token === 'none') throw new ApiError('not_authed');
  if (call.token === 'unknown') throw new ApiError('invalid_auth');
  const broken = world.workspace.broken[call.token];
  if (broken) throw new ApiError(broken);
  if (method.token === 'any' || method.token === call.token) return;
  throw new ApiError('not_allowed_token_type', [
    { pointer: '', message: `${call.method} takes the ${method.token} token, not the ${call.token} token` },
  ]);
}
