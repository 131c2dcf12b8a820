import * as z from 'zod';
import { HandraiseError } from '../../src/core/errors.ts';

/** What the adapter needs to know. Tokens are revealed here and nowhere else. */
const slackConfig = z.strictObject({
  /** Bot token, `xoxb-…`. */
  botToken: z.string().min(1),
  /** App-level token with `connections:write`, `xapp-…`. */
  appToken: z.string().min(1),
  /** API root with a trailing slash. Default: Slack's own. */
  apiUrl: z.url().optional(),
  /** When the second connection opens, in milliseconds after the first. Default at once; embedded runs wait a minute. */
  secondConnectionAfterMs: z.number().int().min(0).default(0),
});

export type SlackConfig = z.input<typeof slackConfig>;
export type CheckedSlackConfig = z.output<typeof slackConfig>;

/** Throws `configuration`. No message holds a token. */
export function checkSlackConfig(config: SlackConfig): CheckedSlackConfig {
  const parsed = slackConfig.safeParse(config);
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
    throw new HandraiseError(`The Slack adapter's configuration cannot be used: ${where}`, { code: 'configuration' });
  }
  if (parsed.data.botToken.startsWith('xapp-') || parsed.data.appToken.startsWith('xoxb-')) {
    throw new HandraiseError("Slack's tokens are of the wrong kind, perhaps swapped", {
      code: 'configuration',
      hint: 'SLACK_BOT_TOKEN begins with xoxb-, SLACK_APP_TOKEN with xapp-.',
    });
  }
  return parsed.data;
}
