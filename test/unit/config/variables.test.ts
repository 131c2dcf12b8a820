import { describe, expect, it } from 'vitest';
import { readVariables } from '../../../src/config/variables.ts';
import { HandraiseError } from '../../../src/core/errors.ts';

const BOT = ['xoxb', 'made', 'up'].join('-');
const APP = ['xapp', 'made', 'up'].join('-');
const DISCORD = ['made', 'up', 'discord'].join('.');
const CHANNEL = { HANDRAISE_SLACK_CHANNEL: 'C0123456789' };
const PUBLIC = `hrvk1_${'A'.repeat(43)}`;

describe('the environment', () => {
  it.each([
    [
      'slack:U0123456789, slack-group:S0123456789,discord:223344556677889900,discord-role:334455667788990011,',
      {
        slackUsers: ['U0123456789'],
        slackGroups: ['S0123456789'],
        discordUsers: ['223344556677889900'],
        discordRoles: ['334455667788990011'],
      },
    ],
    ['*', '*'],
  ])('gives who may approve by HANDRAISE_APPROVERS: %s', async (list, approvers) => {
    expect((await readVariables({ ...CHANNEL, HANDRAISE_APPROVERS: list })).approvers).toEqual(approvers);
  });

  it('gives both tokens, the API root and the channel, with the variable each came from', async () => {
    const { slack, discord, channels, origins } = await readVariables({
      SLACK_BOT_TOKEN: BOT,
      SLACK_APP_TOKEN: ` ${APP}\n`,
      SLACK_API_URL: 'http://127.0.0.1:4000/api',
      HANDRAISE_SLACK_CHANNEL: 'C0123456789',
      DISCORD_BOT_TOKEN: DISCORD,
      DISCORD_API_URL: 'http://127.0.0.1:4001/api',
      HANDRAISE_DISCORD_CHANNEL: '112233445566778899',
      PATH: '/bin',
    });
    expect(slack.botToken?.reveal()).toBe(BOT);
    expect(slack.appToken?.reveal()).toBe(APP);
    expect(slack.apiUrl).toBe('http://127.0.0.1:4000/api/');
    expect(discord?.botToken?.reveal()).toBe(DISCORD);
    expect(discord?.apiUrl).toBe('http://127.0.0.1:4001/api/');
    expect(channels).toEqual({ slack: 'C0123456789', discord: '112233445566778899' });
    expect(Object.fromEntries(origins)).toEqual({
      'slack.botToken': { from: 'environment', name: 'SLACK_BOT_TOKEN' },
      'slack.appToken': { from: 'environment', name: 'SLACK_APP_TOKEN' },
      'slack.apiUrl': { from: 'environment', name: 'SLACK_API_URL' },
      'discord.botToken': { from: 'environment', name: 'DISCORD_BOT_TOKEN' },
      'discord.apiUrl': { from: 'environment', name: 'DISCORD_API_URL' },
    });
  });

  it('gives the keys of gateways as a list, and the signing key itself or where its file is', async () => {
    const OTHER = PUBLIC.replaceAll('A', 'B');
    const pinned = await readVariables({ HANDRAISE_VERDICT_KEYS: ` ${PUBLIC}, ${OTHER},` });
    expect(pinned.verdictKeys).toEqual([PUBLIC, OTHER]);
    const { signingKey } = await readVariables({ HANDRAISE_SIGNING_KEY: 'hrsk1_made-up' });
    expect([signingKey?.reveal(), `${signingKey}`]).toEqual(['hrsk1_made-up', '***']);
    // It may be readable for the gateway's user alone.
    const { signingKeyFile, origins } = await readVariables({ HANDRAISE_SIGNING_KEY_FILE: '/nowhere/key' });
    expect(signingKeyFile).toBe('/nowhere/key');
    expect(origins.get('gateway.signingKeyFile')).toEqual({ from: 'environment', name: 'HANDRAISE_SIGNING_KEY_FILE' });
  });

  it('takes an empty variable as one that is not set', async () => {
    const empty = { SLACK_BOT_TOKEN: '', SLACK_APP_TOKEN_FILE: ' ', SLACK_API_URL: '', HANDRAISE_SLACK_CHANNEL: '' };
    expect(await readVariables(empty)).toEqual({ slack: {}, channels: {}, origins: new Map() });
  });

  it.each(['https://slack-gov.com/api/', 'http://localhost:1', 'http://127.1.2.3/api/', 'http://[::1]:4000/api/'])(
    'takes the API root %s',
    async (SLACK_API_URL) => {
      expect((await readVariables({ SLACK_API_URL })).slack.apiUrl).toMatch(/\/$/);
    },
  );

  it.each([
    ['http://slack.example/api/', /would send the tokens to slack\.example unencrypted/],
    ['http://127.0.0.1.example/api/', /unencrypted/],
    ['http://localhost.example/', /unencrypted/],
    ['http://10.0.0.1/', /unencrypted/],
    ['ftp://127.0.0.1/', /not an https address/],
    ['slack.com', /not an https address/],
    ['https://user:word@slack.com/', /plain address/],
    ['https://slack.com/api?x=1', /plain address/],
  ])('refuses the API root %s', async (SLACK_API_URL, sentence) => {
    const error = await refusalOf({ SLACK_API_URL });
    expect(error.message).toMatch(sentence);
    expect(error.message).not.toContain('word');
  });

  it.each([
    [
      'a bot token where the app token belongs',
      { SLACK_APP_TOKEN: BOT },
      /SLACK_APP_TOKEN does not hold a Slack app-level token, which begins with xapp-/,
    ],
    [
      'an app token where the bot token belongs',
      { SLACK_BOT_TOKEN: APP },
      /SLACK_BOT_TOKEN does not hold a Slack bot token, which begins with xoxb-/,
    ],
    ["the documentation's own placeholder", { SLACK_BOT_TOKEN: 'xoxb-…' }, /SLACK_BOT_TOKEN does not hold/],
    ['nothing behind the prefix', { SLACK_APP_TOKEN: 'xapp-' }, /SLACK_APP_TOKEN does not hold/],
    ['two tokens in one', { SLACK_BOT_TOKEN: `${BOT} ${BOT}` }, /does not hold a Slack bot token/],
    ['a token and its file', { SLACK_BOT_TOKEN: BOT, SLACK_BOT_TOKEN_FILE: '/x' }, /are both set/],
    [
      'a token file that is not there',
      { SLACK_BOT_TOKEN_FILE: '/nowhere/token' },
      /cannot read the file named by SLACK_BOT_TOKEN_FILE/,
    ],
    ['an empty token file', { SLACK_BOT_TOKEN_FILE: '/dev/null' }, /named by SLACK_BOT_TOKEN_FILE is empty/],
    ['no Discord token', { DISCORD_BOT_TOKEN: 'made-up' }, /DISCORD_BOT_TOKEN does not hold a Discord bot token/],
    ['a Discord token with its scheme', { DISCORD_BOT_TOKEN: `Bot ${DISCORD}` }, /DISCORD_BOT_TOKEN does not hold/],
    [
      'a Discord API root that is not encrypted',
      { DISCORD_API_URL: 'http://discord.example/api' },
      /DISCORD_API_URL would send the tokens to discord\.example unencrypted/,
    ],
    [
      'a Discord channel by name',
      { HANDRAISE_DISCORD_CHANNEL: '#general' },
      /HANDRAISE_DISCORD_CHANNEL must be the id of a Discord channel/,
    ],
    [
      'a channel by name',
      { HANDRAISE_SLACK_CHANNEL: '#general' },
      /HANDRAISE_SLACK_CHANNEL must be the id of a Slack channel/,
    ],
    [
      'a mistyped variable',
      { HANDRAISE_SLACK_CHANEL: 'C012' },
      /unknown variable HANDRAISE_SLACK_CHANEL/,
      'Did you mean HANDRAISE_SLACK_CHANNEL?',
    ],
    [
      'a variable nothing resembles',
      { HANDRAISE_COLOUR: 'red' },
      /unknown variable HANDRAISE_COLOUR/,
      /known are HANDRAISE_CONFIG and/,
    ],
    [
      'the file variant of what is no secret',
      { HANDRAISE_REQUESTER_FILE: '/x' },
      /unknown variable HANDRAISE_REQUESTER_FILE/,
      'Unset it',
    ],
    [
      'approvers without a channel',
      { HANDRAISE_APPROVERS: 'slack:U0123456789' },
      /HANDRAISE_APPROVERS is set, and no channel variable is/,
      /HANDRAISE_SLACK_CHANNEL/,
    ],
    [
      'approvers by a name',
      { ...CHANNEL, HANDRAISE_APPROVERS: 'ana' },
      /does not understand "ana"/,
      /slack:U0123456789/,
    ],
    [
      'approvers with an id of the wrong kind',
      { ...CHANNEL, HANDRAISE_APPROVERS: 'discord:U0123456789' },
      /must be the id of a Discord user/,
    ],
    [
      'a user group by its name',
      { ...CHANNEL, HANDRAISE_APPROVERS: 'slack-group:@oncall' },
      /must be the id of a Slack user group/,
    ],
    [
      'a signing key and its file',
      { HANDRAISE_SIGNING_KEY: 'hrsk1_made-up', HANDRAISE_SIGNING_KEY_FILE: '/x' },
      /HANDRAISE_SIGNING_KEY and HANDRAISE_SIGNING_KEY_FILE are both set/,
    ],
    [
      'a private key among the public ones',
      { HANDRAISE_VERDICT_KEYS: `${PUBLIC},hrsk1_made-up${'A'.repeat(36)}` },
      /HANDRAISE_VERDICT_KEYS: one of them is a private key/,
    ],
    [
      'verdict keys without commas',
      { HANDRAISE_VERDICT_KEYS: `${PUBLIC} ${PUBLIC}` },
      /HANDRAISE_VERDICT_KEYS: one of them must be a public key/,
    ],
  ] as [string, NodeJS.ProcessEnv, RegExp, (string | RegExp)?][])(
    'refuses %s and prints no token',
    async (_, env, sentence, hint) => {
      const error = await refusalOf(env);
      expect(error.message).toMatch(sentence);
      expect(error.code).toBe('configuration');
      expect(`${error.message} ${error.hint}`).not.toMatch(/made-up/);
      if (hint !== undefined) expect(error.hint).toMatch(hint);
    },
  );

  it('takes the control socket by an absolute path', async () => {
    expect(await readVariables({ HANDRAISE_CONTROL_SOCKET: '/run/c.sock' })).toEqual({
      slack: {},
      channels: {},
      controlSocket: '/run/c.sock',
      origins: new Map([['gateway.controlSocket', { from: 'environment', name: 'HANDRAISE_CONTROL_SOCKET' }]]),
    });
    expect((await refusalOf({ HANDRAISE_CONTROL_SOCKET: 'c.sock' })).message).toMatch(/must be an absolute path/);
  });

  it('leaves variables of other programs and of an outer run alone', async () => {
    const env = {
      REDIS_URL: 'redis://x',
      HANDRAISE_SOCK: '/tmp/s',
      HANDRAISE_MCP_CONFIG: '/tmp/m',
    };
    expect(await readVariables(env)).toEqual({ slack: {}, channels: {}, origins: new Map() });
  });
});

async function refusalOf(env: NodeJS.ProcessEnv): Promise<HandraiseError> {
  const thrown = await readVariables(env).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(HandraiseError);
  return thrown as HandraiseError;
}
