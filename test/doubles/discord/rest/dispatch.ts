import type { Obj } from '../../json.ts';
import type { ApiCall } from '../types.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import { appRoutes } from './app-routes.ts';
import { channelRoutes } from './channel-routes.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { paramsOf, type Route, type UploadedFile } from './route.ts';
import { webhookRoutes } from './webhook-routes.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined for 204: a JSON type without JSON would break clients. */
  readonly type?: string;
  readonly body?: string;
}

/** What came over the wire, read but not judged. */
export interface Incoming {
  readonly verb: string;
  /** Below `/api/v10`, decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly json: unknown;
  readonly files: readonly UploadedFile[];
}

const ROUTES: readonly Route[] = [
  ...appRoutes,
  ...channelRoutes,
  ...messageRoutes,
  ...interactionRoutes,
  ...webhookRoutes,
];

export interface Matched {
  readonly route: Route;
  readonly params: readonly string[];
}

export function match(verb: string, path: string): Matched | undefined {
  for (const route of ROUTES) {
    const params = route.verb === verb ? paramsOf(route.path, path) : undefined;
    if (params) return { route, params };
  }
  return undefined;
}

/** One REST call, in Discord's order: ban, route, token, rate, body, effect. */
export function dispatch(world: World, call: ApiCall, incoming: Incoming, matched: Matched | undefined): Answer {
  if (world.limiter.banned) {
    world.log.violation(call.method, '', 'banned', 'went on after 10,000 invalid requests');
    return { status: 429, headers: { 'retry-after': '3600' }, type: 'text/html', body: 'error code: 1015' };
  }
  if (!matched) {
    world.log.violation(call.method, '', 'unknown_route', call.route);
    return refusal(world, new ApiError(0, { status: 404, message: '404: Not Found' }));
  }
  const { route, params } = matched;
  if (route.auth === 'bot' && (call.token !== 'bot' || world.token.broken)) {
    return refusal(world, new ApiError(0, { status: 401, message: '401: Unauthorized' }));
  }
  const bucket = `${route.method}:${route.auth === 'bot' ? (params[0] ?? '') : params.slice(0, 2).join(':')}`;
  const taken = world.limiter.take(bucket, { global: route.global });
  if (taken.retryAfter > 0) return limited(world, taken.retryAfter, taken.scope, taken.headers);
  try {
    const { json, query, files } = incoming;
    const body = (typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {}) as Obj;
    const items = Array.isArray(json) ? json : [];
    const result = route.run({ world, method: route.method, params, query, body, items, files });
    call.applied = true;
    if (result.body === undefined) return { status: 204, headers: taken.headers };
    return jsonAnswer(result.status ?? 200, result.body, taken.headers);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    for (const { path, code, message } of error.issues) {
      world.log.violation(call.method, path.map((key) => `/${key}`).join(''), code, message);
    }
    return refusal(world, error, taken.headers);
  }
}

/** Discord's own 429. Shared limits do not count towards a ban. */
export function limited(
  world: World,
  retryAfter: number,
  scope: 'user' | 'global' | 'shared',
  headers: Readonly<Record<string, string>> = {},
): Answer {
  if (scope !== 'shared') world.limiter.invalid();
  const body = { message: 'You are being rate limited.', retry_after: retryAfter, global: scope === 'global' };
  return jsonAnswer(429, body, {
    ...headers,
    'retry-after': String(Math.ceil(retryAfter)),
    'x-ratelimit-scope': scope,
    ...(scope === 'global' ? { 'x-ratelimit-global': 'true' } : {}),
    // Without it a client takes the answer for Cloudflare's.
    via: '1.1 google',
  });
}

export function refusal(world: World, error: ApiError, headers: Readonly<Record<string, string>> = {}): Answer {
  if (error.status === 401 || error.status === 403) world.limiter.invalid();
  return jsonAnswer(error.status, error.body(), headers);
}

function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>>): Answer {
  return { status, headers, type: 'application/json', body: JSON.stringify(body) };
}
