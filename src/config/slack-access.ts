import { HandraiseError } from '../core/errors.ts';
import type { Config } from './schema.ts';
import type { Secret } from './secret.ts';

/** What a connection to Slack takes. */
export interface SlackAccess {
  readonly botToken: Secret;
  readonly appToken: Secret;
  readonly apiUrl?: string;
}

/** Both tokens, once a binding needs them. Throws `configuration` naming the variable that is missing. */
export function slackAccess({ slack }: Config): SlackAccess {
  const { botToken, appToken, apiUrl } = slack;
  if (botToken === undefined) throw missing('SLACK_BOT_TOKEN');
  if (appToken === undefined) throw missing('SLACK_APP_TOKEN');
  return { botToken, appToken, ...(apiUrl === undefined ? {} : { apiUrl }) };
}

function missing(name: string): HandraiseError {
  return new HandraiseError(`a Slack channel is bound to this run, but ${name} is not set`, {
    code: 'configuration',
    hint: `Set ${name}, or ${name}_FILE to a file that holds it.`,
  });
}
