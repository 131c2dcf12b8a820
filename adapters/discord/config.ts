import * as z from 'zod';
import { HandraiseError } from '../../src/core/errors.ts';

/** What the adapter needs to know. The token is revealed here and nowhere else. */
const discordConfig = z.strictObject({
  botToken: z.string().min(1),
  /** API root without a version. Default: Discord's own. */
  apiUrl: z.url().default('https://discord.com/api'),
  /** The start is refused when fewer connects than this are left of the day's budget. */
  connectsLeftToOthers: z.number().int().min(0).default(0),
});

export type DiscordConfig = z.input<typeof discordConfig>;
export type CheckedDiscordConfig = z.output<typeof discordConfig>;

/** Throws `configuration`. No message holds a token. */
export function checkDiscordConfig(config: DiscordConfig): CheckedDiscordConfig {
  const parsed = discordConfig.safeParse(config);
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
    throw new HandraiseError(`The Discord adapter's configuration cannot be used: ${where}`, { code: 'configuration' });
  }
  if (/^bot\s/i.test(parsed.data.botToken)) {
    throw new HandraiseError("Discord's bot token begins with its scheme", {
      code: 'configuration',
      hint: 'DISCORD_BOT_TOKEN is the token alone, without "Bot " before it.',
    });
  }
  return { ...parsed.data, apiUrl: parsed.data.apiUrl.replace(/\/+$/, '') };
}
