import { createSlackExaminer } from '../../adapters/slack/examine.ts';
import type { Config } from '../config/schema.ts';
import type { Clock } from '../core/clock.ts';
import type { NewId } from '../core/ids.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { SurfaceExaminer } from '../core/ports/surface-examiner.ts';
import { slackTokens } from './surfaces.ts';

/** Asks Slack with the tokens of the configuration. Throws `configuration` when one is missing. */
export function slackExaminerOf(
  { slack }: Config,
  deps: { readonly clock: Clock; readonly log: Logger; readonly newId: NewId },
): SurfaceExaminer {
  const { botToken, appToken } = slackTokens(slack);
  return createSlackExaminer(
    {
      botToken: botToken.reveal(),
      appToken: appToken.reveal(),
      ...(slack.apiUrl === undefined ? {} : { apiUrl: slack.apiUrl }),
    },
    deps,
  );
}
