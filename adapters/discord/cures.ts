import { NEEDED_IN_WORDS } from './permissions.ts';

/** What to do about an answer of Discord's; undefined where nobody but time can help. */
export function cureOf(status: number, code: number): string | undefined {
  if (status === 401) return TOKEN;
  return CURES.get(code);
}

/** What to do about a gateway that closed for good (topics/opcodes-and-status-codes, close codes). */
export function cureOfClose(code: number): string {
  switch (code) {
    case 4004:
      return TOKEN;
    case 4010:
    case 4011:
      return 'The bot is in too many servers for one connection; give handraise a bot of its own.';
    default:
      return 'Update handraise: Discord does not accept how it connects any more.';
  }
}

/** Close codes after which connecting again with the same token and settings cannot help. */
export const FATAL_CLOSES: ReadonlySet<number> = new Set([4004, 4010, 4011, 4012, 4013, 4014]);

const TOKEN =
  'Copy the bot token again: in the Discord developer portal under "Bot", "Reset Token"; set it as DISCORD_BOT_TOKEN.';
const INVITE =
  'Invite the bot to the server (`handraise doctor` prints the link) and let it see the channel; with Developer Mode on, "Copy Channel ID" gives the id.';

const CURES: ReadonlyMap<number, string> = new Map([
  [10003, INVITE],
  [50001, INVITE],
  [50013, `Give the bot in this channel: ${NEEDED_IN_WORDS}.`],
]);
