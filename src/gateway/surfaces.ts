import { bindingFor } from '../config/binding.ts';
import { isOpenToAll } from '../config/grant-terms.ts';
import type { Binding, Config } from '../config/schema.ts';
import type { Secret } from '../config/secret.ts';
import type { Platform } from '../core/actor.ts';
import type { Clock } from '../core/clock.ts';
import { HandraiseError } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Place, SurfaceAdapter } from '../core/ports/surface-adapter.ts';
import type { SessionFacts } from '../core/request.ts';
import type { Route } from './dependencies.ts';

/** One platform, and the token that this process alone may use on this host. */
export interface Surface {
  readonly adapter: SurfaceAdapter;
  readonly botToken: Secret;
}

export interface SurfaceOptions {
  /** One owner's own gateway: it opens few connections, and leaves Discord's daily budget to gateways that stay. */
  readonly embedded: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told how long after its arrival each interaction was answered. */
  readonly onAcknowledged?: (platform: Platform, afterMs: number) => void;
}

/**
 * Every platform the bindings post to, with the tokens of the configuration. Only those are loaded. Throws
 * `configuration` when a token is missing.
 */
export async function surfacesOf(
  config: Config,
  bindings: readonly Binding[],
  options: SurfaceOptions,
): Promise<readonly [Surface, ...Surface[]]> {
  for (const { match } of bindings.filter(({ grants }) => grants !== undefined && isOpenToAll(grants.approvers))) {
    options.log.warn({ match }, 'everybody who sees a card of this binding may approve (grants.approvers: "*")');
  }
  const platforms = new Set(bindings.flatMap(placesOf).map(({ platform }) => platform));
  const surfaces: Surface[] = [];
  for (const platform of platforms) surfaces.push(await OPEN[platform](config, options));
  const [first, ...others] = surfaces;
  if (first !== undefined) return [first, ...others];
  throw new HandraiseError('No binding names a channel, so that there is nothing to serve.', {
    code: 'configuration',
    hint: 'Add one to the configuration file (docs/configuration.md), or set HANDRAISE_SLACK_CHANNEL or HANDRAISE_DISCORD_CHANNEL.',
  });
}

/** In embedded mode the second Slack connection opens this long after the first: a short run needs one only. */
const SECOND_CONNECTION_AFTER_MS = 60_000;

/**
 * Discord lets a bot connect 1,000 times a day, then resets its token. Short runs stop well before the end of it, so
 * that a gateway can still come back.
 */
export const CONNECTS_LEFT_TO_OTHERS = 50;

const OPEN: Readonly<Record<Platform, (config: Config, options: SurfaceOptions) => Promise<Surface>>> = {
  async slack({ slack }, { embedded, clock, log, onAcknowledged }) {
    const { botToken, appToken } = slackTokens(slack);
    const { createSlackAdapter } = await import('../../adapters/slack/index.ts');
    const adapter = createSlackAdapter(
      {
        botToken: botToken.reveal(),
        appToken: appToken.reveal(),
        ...(slack.apiUrl === undefined ? {} : { apiUrl: slack.apiUrl }),
        secondConnectionAfterMs: embedded ? SECOND_CONNECTION_AFTER_MS : 0,
      },
      { clock, log, ...(onAcknowledged && { onAcknowledged: (ms) => onAcknowledged('slack', ms) }) },
    );
    return { adapter, botToken };
  },
  async discord({ discord }, { embedded, clock, log, onAcknowledged }) {
    const botToken = discordToken(discord);
    const { createDiscordAdapter } = await import('../../adapters/discord/index.ts');
    const adapter = createDiscordAdapter(
      {
        botToken: botToken.reveal(),
        ...(discord?.apiUrl === undefined ? {} : { apiUrl: discord.apiUrl }),
        connectsLeftToOthers: embedded ? CONNECTS_LEFT_TO_OTHERS : 0,
      },
      { clock, log, ...(onAcknowledged && { onAcknowledged: (ms) => onAcknowledged('discord', ms) }) },
    );
    return { adapter, botToken };
  },
};

/** Throws `configuration` when one is missing. */
export function slackTokens({ botToken, appToken }: Config['slack']): {
  readonly botToken: Secret;
  readonly appToken: Secret;
} {
  return {
    botToken: required(botToken, 'SLACK_BOT_TOKEN', 'xoxb-…', 'slack'),
    appToken: required(appToken, 'SLACK_APP_TOKEN', 'xapp-…', 'slack'),
  };
}

/** Throws `configuration` when it is missing. */
export function discordToken(discord: Config['discord']): Secret {
  return required(discord?.botToken, 'DISCORD_BOT_TOKEN', 'three parts with dots', 'discord');
}

export function placesOf({ slack, discord }: Pick<Binding, 'slack' | 'discord'>): Place[] {
  return [
    ...(slack === undefined ? [] : [{ platform: 'slack', channel: slack.channel } as const]),
    ...(discord === undefined ? [] : [{ platform: 'discord', channel: discord.channel } as const]),
  ];
}

/** Where the cards of a session go and who may answer them, by this configuration. */
export function routeBy({ bindings, people }: Config): (session: SessionFacts) => Route | undefined {
  return (session) => {
    const bound = bindingFor(bindings, session);
    return bound === undefined
      ? undefined
      : {
          places: placesOf(bound),
          operators: bound.questions.operators,
          ...bound.grants,
          ...(people === undefined ? {} : { people }),
        };
  };
}

const NAMES: Readonly<Record<Platform, string>> = { slack: 'Slack', discord: 'Discord' };

function required(secret: Secret | undefined, name: string, shape: string, platform: Platform): Secret {
  if (secret !== undefined) return secret;
  throw new HandraiseError(`A binding posts to ${NAMES[platform]}, but ${name} is not set.`, {
    code: 'configuration',
    hint: `Set ${name} (${shape}) or ${name}_FILE; docs/${platform}.md tells where ${NAMES[platform]} shows it.`,
  });
}
