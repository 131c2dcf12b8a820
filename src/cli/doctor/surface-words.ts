import type { Config } from '../../config/schema.ts';
import type { Platform } from '../../core/actor.ts';

/** What is said differently of each platform, and the token whose lock a run holds. */
export interface SurfaceWords {
  readonly name: string;
  readonly tokensOf: (config: Config) => string;
  readonly tokenCure: string;
  readonly connectionCure: string;
  /** Ends "Not tried, …: one is connected." */
  readonly whyNotTried: string;
  readonly connects: {
    /** Ends "… greets a connection": by what. */
    readonly by: string;
    /** Why none is opened beside a run that has one. */
    readonly taken: string;
  };
  /** What other connections of the app mean for clicks. */
  readonly others: string;
}

export const SURFACE_WORDS: Readonly<Record<Platform, SurfaceWords>> = {
  slack: {
    name: 'Slack',
    tokensOf: ({ slack }) => slack.botToken?.reveal() ?? '',
    tokenCure: 'Check SLACK_BOT_TOKEN and the network.',
    connectionCure: 'Check SLACK_APP_TOKEN, and that Socket Mode is on in the app’s settings.',
    whyNotTried: 'to take no click from a gateway',
    connects: { by: ' of the app-level token', taken: 'A connection from here would get its clicks.' },
    others: 'Slack deals clicks out over all of them.',
  },
  discord: {
    name: 'Discord',
    tokensOf: ({ discord }) => discord?.botToken?.reveal() ?? '',
    tokenCure: 'Check DISCORD_BOT_TOKEN and the network.',
    connectionCure: 'Run doctor again in a minute; docs/discord.md lists what Discord says, and what to do.',
    whyNotTried: 'to spend none of the bot’s connects of the day',
    connects: { by: '', taken: 'It would get the clicks of a self-test from here, too.' },
    others: 'each of them gets every click.',
  },
};
