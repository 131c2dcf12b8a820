import { createSlackAdapter, type SlackDependencies } from '../../adapters/slack/index.ts';
import { bindingFor } from '../config/binding.ts';
import type { Binding, Config } from '../config/schema.ts';
import type { Secret } from '../config/secret.ts';
import { HandraiseError } from '../core/errors.ts';
import type { Place, SurfaceAdapter } from '../core/ports/surface-adapter.ts';
import type { SessionFacts } from '../core/request.ts';
import type { Route } from './dependencies.ts';

/** Slack with the tokens of the configuration. Throws `configuration` when one is missing. */
export function slackOf(
  { slack }: Config,
  secondConnectionAfterMs: number,
  deps: Pick<SlackDependencies, 'clock' | 'log' | 'onAcknowledged'>,
): { readonly adapter: SurfaceAdapter; readonly botToken: Secret } {
  const { botToken, appToken } = slackTokens(slack);
  const adapter = createSlackAdapter(
    {
      botToken: botToken.reveal(),
      appToken: appToken.reveal(),
      ...(slack.apiUrl === undefined ? {} : { apiUrl: slack.apiUrl }),
      secondConnectionAfterMs,
    },
    deps,
  );
  return { adapter, botToken };
}

/** Throws `configuration` when one is missing. */
export function slackTokens({ botToken, appToken }: Config['slack']): {
  readonly botToken: Secret;
  readonly appToken: Secret;
} {
  return {
    botToken: required(botToken, 'SLACK_BOT_TOKEN', 'xoxb-…'),
    appToken: required(appToken, 'SLACK_APP_TOKEN', 'xapp-…'),
  };
}

export function placesOf(binding: Binding): Place[] {
  return binding.slack === undefined ? [] : [{ platform: 'slack', channel: binding.slack.channel }];
}

/** Where the cards of a session go and who may answer them, by this configuration. */
export function routeBy({ bindings }: Config): (session: SessionFacts) => Route | undefined {
  return (session) => {
    const bound = bindingFor(bindings, session);
    return bound === undefined ? undefined : { places: placesOf(bound), operators: bound.questions.operators };
  };
}

function required(secret: Secret | undefined, name: string, shape: string): Secret {
  if (secret !== undefined) return secret;
  throw new HandraiseError(`A binding posts to Slack, but ${name} is not set.`, {
    code: 'configuration',
    hint: `Set ${name} (${shape}) or ${name}_FILE; docs/slack.md tells where Slack shows it.`,
  });
}
