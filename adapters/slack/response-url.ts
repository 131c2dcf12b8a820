import type { Clock } from '../../src/core/clock.ts';
import { surfaceError } from './errors.ts';
import { OURS, SLACK } from './limits.ts';

/** What a response URL takes. Without `replace_original` it writes a new message that only the clicker sees. */
export type ResponseBody = Readonly<Record<string, unknown>>;

/**
 * The way back that comes with a click: its own rate limit, no scope, no membership; five uses in thirty minutes. Slack
 * hands it out in the signed payload, so the address is trusted as far as following no redirect.
 */
export class ResponseUrl {
  readonly #url: string;
  readonly #clock: Clock;
  readonly #expiresAt: number;
  #usesLeft: number = SLACK.responseUrlUses;

  constructor(url: string, clock: Clock) {
    this.#url = url;
    this.#clock = clock;
    this.#expiresAt = clock.now() + SLACK.responseUrlMs;
  }

  /** False when it cannot be used any more. Throws a `SurfaceError` when it should have worked and did not. */
  async send(body: ResponseBody): Promise<boolean> {
    if (this.#usesLeft <= 0 || this.#clock.now() >= this.#expiresAt) return false;
    this.#usesLeft -= 1;
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(OURS.callMs),
      });
      const told = await response.text();
      // Slack answers "ok", or JSON with `ok: false` (HTTP 200 or 404) for a URL that is used up or out of date.
      return response.ok && !/"ok"\s*:\s*false/.test(told);
    } catch (thrown) {
      throw surfaceError(thrown, 'response_url');
    }
  }
}
