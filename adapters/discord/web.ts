import { REST, type RequestData, RequestMethod, type RouteLike } from 'discord.js';
import type { Clock } from '../../src/core/clock.ts';
import type { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import type { CheckedDiscordConfig } from './config.ts';
import { hasCode, surfaceError } from './errors.ts';
import { InvalidBudget } from './invalid-budget.ts';
import { OURS } from './limits.ts';
import { createPlatformClock, type PlatformClock } from './platform-clock.ts';
import type { Payload } from './render.ts';

/** `Routes` of discord.js name it. */
type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** Discord's REST interface: each call once, none longer than a platform's patience, every failure a `SurfaceError`. */
export class DiscordWeb {
  readonly rest: REST;
  readonly platformClock: PlatformClock;
  readonly #token: string;
  readonly #budget: InvalidBudget;
  #refusal: SurfaceError | undefined;

  constructor({ botToken, apiUrl }: CheckedDiscordConfig, clock: Clock) {
    this.#token = botToken;
    this.#budget = new InvalidBudget(clock);
    this.platformClock = createPlatformClock(clock);
    this.rest = new REST({
      api: apiUrl,
      version: '10',
      timeout: OURS.callMs,
      // A call that failed may have been made all the same; who repeats it, and when, is the gateway's to decide.
      retries: 0,
      rejectOnRateLimit: () => true,
      // Node's own: discord.js' copy of undici cannot send files once Slack's copy is loaded (platforms.md 2b).
      makeRequest: (url, init) => this.#fetch(url, init as unknown as RequestInit),
    }).setToken(botToken);
  }

  /** Why the token was refused the last time it was used, until it is accepted again. */
  get refusal(): SurfaceError | undefined {
    return this.#refusal;
  }

  async call<T>(method: Method, route: RouteLike, what: string, data: Partial<RequestData> = {}): Promise<T> {
    this.#budget.check();
    try {
      const told = await this.rest.request({ ...data, method: RequestMethod[METHODS[method]], fullRoute: route });
      if (data.auth !== false) this.#refusal = undefined;
      return told as T;
    } catch (thrown) {
      throw this.#failure(thrown, what);
    }
  }

  /** discord.js forgets the token when Discord refuses it once; it may have been a moment's lapse. */
  restoreToken(): void {
    this.rest.setToken(this.#token);
  }

  #failure(thrown: unknown, what: string): SurfaceError {
    this.restoreToken();
    const failure = surfaceError(thrown, what);
    if (hasCode(failure, 401)) this.#refusal = failure;
    return failure;
  }

  async #fetch(url: string, init: RequestInit) {
    const response = await fetch(url, { ...init, redirect: 'error' });
    this.platformClock.learn(response.headers.get('date'));
    this.#budget.count(response.status);
    return response as never;
  }
}

const METHODS = { get: 'Get', post: 'Post', patch: 'Patch', put: 'Put', delete: 'Delete' } as const;

/** MessageFlags: EPHEMERAL, SUPPRESS_EMBEDS, IS_COMPONENTS_V2. */
export const FLAGS = { ephemeral: 1 << 6, suppressEmbeds: 1 << 2, componentsV2: 1 << 15 } as const;

/** The body of any message of ours: nobody is mentioned, nothing unfolds. */
export function messageBody({ components }: Pick<Payload, 'components'>, flags = 0) {
  return {
    components,
    flags: FLAGS.componentsV2 | FLAGS.suppressEmbeds | flags,
    allowed_mentions: { parse: [] },
  };
}

export function filesOf({ files }: Pick<Payload, 'files'>): Pick<RequestData, 'files'> {
  if (files.length === 0) return {};
  return { files: files.map(({ name, data }) => ({ name, data: Buffer.from(data), contentType: 'text/plain' })) };
}

/** Names the files that go along. */
export function attachmentsOf({ files }: Pick<Payload, 'files'>) {
  return files.length === 0
    ? {}
    : { attachments: files.map(({ name }, index) => ({ id: String(index), filename: name })) };
}
