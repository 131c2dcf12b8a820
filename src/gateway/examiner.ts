import type { Config } from '../config/schema.ts';
import type { Platform } from '../core/actor.ts';
import type { Clock } from '../core/clock.ts';
import type { NewId } from '../core/ids.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { SurfaceExaminer } from '../core/ports/surface-examiner.ts';
import { CONNECTS_LEFT_TO_OTHERS, discordToken, slackTokens } from './surfaces.ts';

interface ExaminerDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly newId: NewId;
}

/** Asks a platform with the tokens of the configuration. Throws `configuration` when one is missing. */
export function examinerOf(config: Config, platform: Platform, deps: ExaminerDeps): Promise<SurfaceExaminer> {
  return OPEN[platform](config, deps);
}

const OPEN: Readonly<Record<Platform, (config: Config, deps: ExaminerDeps) => Promise<SurfaceExaminer>>> = {
  async slack({ slack }, deps) {
    const { botToken, appToken } = slackTokens(slack);
    const { createSlackExaminer } = await import('../../adapters/slack/examine.ts');
    const apiUrl = slack.apiUrl === undefined ? {} : { apiUrl: slack.apiUrl };
    return createSlackExaminer({ botToken: botToken.reveal(), appToken: appToken.reveal(), ...apiUrl }, deps);
  },
  async discord({ discord, redis }, deps) {
    const botToken = discordToken(discord);
    const { createDiscordExaminer } = await import('../../adapters/discord/examine.ts');
    const apiUrl = discord?.apiUrl === undefined ? {} : { apiUrl: discord.apiUrl };
    const connectsLeftToOthers = redis === undefined ? CONNECTS_LEFT_TO_OTHERS : 0;
    return createDiscordExaminer({ botToken: botToken.reveal(), ...apiUrl, connectsLeftToOthers }, deps);
  },
};
