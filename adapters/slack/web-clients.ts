import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import { sdkLogger } from './bolt-log.ts';
import type { CheckedSlackConfig } from './config.ts';
import { isRefusedToken } from './cures.ts';
import { surfaceError } from './errors.ts';
import { OURS } from './limits.ts';

/**
 * Two clients, so that a 429 on posting never delays a modal: a client that is told to wait holds back all of its calls.
 * Neither retries: a repeated post is a second card.
 */
export interface SlackWeb {
  /** Views, private notices, look-ups: what a person waits for. */
  interactive<T>(method: string, call: (client: WebClient) => Promise<T>): Promise<T>;
  /** Posts and edits. */
  bulk<T>(method: string, call: (client: WebClient) => Promise<T>): Promise<T>;
  /** The last refusal of the bot token; undefined once a call succeeded after it. */
  readonly refusal: SurfaceError | undefined;
}

export function createSlackWeb(config: CheckedSlackConfig, log: Logger): SlackWeb {
  const interactive = new WebClient(config.botToken, webOptions(config, log));
  const bulk = new WebClient(config.botToken, webOptions(config, log));
  let refusal: SurfaceError | undefined;

  const calling = (client: WebClient) =>
    async function call<T>(method: string, made: (client: WebClient) => Promise<T>): Promise<T> {
      try {
        const result = await made(client);
        refusal = undefined;
        return result;
      } catch (thrown) {
        const error = surfaceError(thrown, method);
        if (isRefusedToken(error.platformCode)) refusal = error;
        throw error;
      }
    };

  return {
    interactive: calling(interactive),
    bulk: calling(bulk),
    get refusal() {
      return refusal;
    },
  };
}

/** A fresh object for every client: the SDK writes into what it is given. */
export function webOptions(config: CheckedSlackConfig, log: Logger): WebClientOptions {
  return {
    logger: sdkLogger(log, 'web-api'),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: OURS.callMs,
    ...(config.apiUrl === undefined ? {} : { slackApiUrl: config.apiUrl }),
  };
}
