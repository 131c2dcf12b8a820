import type { Obj } from '../../json.ts';
import type { World } from '../world.ts';

/** A file of a multipart body, by its `files[n]`. */
export interface UploadedFile {
  readonly index: number;
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

export interface RestRequest {
  readonly world: World;
  /** The operation's name. */
  readonly method: string;
  /** What stands in the path's places, in their order. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Obj;
  /** The body when it is a list. */
  readonly items: readonly unknown[];
  readonly files: readonly UploadedFile[];
}

export interface Route {
  readonly method: string;
  readonly verb: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `/channels/:/messages/:`; a colon stands for one segment. */
  readonly path: string;
  /** `bot`: the bot's token. `token`: the path's own (interactions and their webhooks). */
  readonly auth: 'bot' | 'token';
  /** Counts against the global limit. Interactions do not. */
  readonly global: boolean;
  /** The answer's JSON; undefined: 204. `status` when it is not 200. */
  run(request: RestRequest): { readonly status?: number; readonly body?: unknown };
}

export function route(
  method: string,
  verb: Route['verb'],
  path: string,
  run: Route['run'],
  auth: Route['auth'] = 'bot',
): Route {
  return { method, verb, path, auth, global: auth === 'bot', run };
}

/** The parameters when a path fits. */
export function paramsOf(pattern: string, path: string): readonly string[] | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: string[] = [];
  for (const [index, segment] of wanted.entries()) {
    const one = given[index] ?? '';
    if (segment === ':') {
      if (one === '@original' || one === '@me') return undefined;
      params.push(one);
    } else if (segment !== one) return undefined;
  }
  return params;
}
