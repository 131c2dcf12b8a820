import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { OperatorRule } from '../core/policy/people.ts';
import { readApprovers } from './approvers.ts';
import {
  type Config,
  discordChannel,
  slackChannel,
  controlSocket as socketPath,
  type ValueOrigin,
  verdictKeys,
} from './schema.ts';
import { Secret } from './secret.ts';
import { nearest } from './suggest.ts';

/** What the environment says. */
export interface Variables {
  readonly slack: Config['slack'];
  readonly discord?: Config['discord'];
  /** HANDRAISE_SLACK_CHANNEL and HANDRAISE_DISCORD_CHANNEL: the smallest binding. */
  readonly channels: { readonly slack?: string; readonly discord?: string };
  /** HANDRAISE_APPROVERS: who may approve in that binding. */
  readonly approvers?: OperatorRule;
  /** HANDRAISE_REDIS_URL: a secret, since it may hold a password. */
  readonly redisUrl?: Secret;
  /** HANDRAISE_CONTROL_SOCKET: `gateway.controlSocket`. */
  readonly controlSocket?: string;
  /** HANDRAISE_SIGNING_KEY, or the path in HANDRAISE_SIGNING_KEY_FILE: only the gateway reads the file. */
  readonly signingKey?: Secret;
  readonly signingKeyFile?: string;
  /** HANDRAISE_VERDICT_KEYS */
  readonly verdictKeys?: readonly string[];
  readonly origins: ReadonlyMap<string, ValueOrigin>;
}

/** Variables this version reads or sets; any other HANDRAISE_* is a typo or a promise it cannot keep. */
const OURS = [
  'HANDRAISE_CONFIG',
  'HANDRAISE_SLACK_CHANNEL',
  'HANDRAISE_DISCORD_CHANNEL',
  'HANDRAISE_APPROVERS',
  'HANDRAISE_REQUESTER',
  'HANDRAISE_REDIS_URL',
  'HANDRAISE_REDIS_URL_FILE',
  'HANDRAISE_CONTROL_SOCKET',
  'HANDRAISE_VERDICT_KEYS',
  'HANDRAISE_SIGNING_KEY',
  'HANDRAISE_SIGNING_KEY_FILE',
  'HANDRAISE_SOCK',
  'HANDRAISE_MCP_CONFIG',
] as const;

/** What the tokens look like: a swapped pair of Slack's is the commonest mistake of all, then the example's own `xoxb-…`. */
const TOKENS = {
  SLACK_BOT_TOKEN: {
    shape: /^xoxb-[\w.-]+$/,
    what: 'a Slack bot token, which begins with xoxb- and goes on with letters, digits and dashes',
    from: '"OAuth & Permissions"',
  },
  SLACK_APP_TOKEN: {
    shape: /^xapp-[\w.-]+$/,
    what: 'a Slack app-level token, which begins with xapp- and goes on with letters, digits and dashes',
    from: '"Basic Information", "App-Level Tokens"',
  },
  DISCORD_BOT_TOKEN: {
    shape: /^[\w-]+\.[\w-]+\.[\w-]+$/,
    what: 'a Discord bot token, which is three parts of letters and digits with dots between them',
    from: '"Bot", "Reset Token"',
  },
} as const;

/**
 * Reads and checks the variables of product.md "Configuration". An empty variable counts as unset. Throws
 * `configuration`; no message ever holds a token.
 */
export async function readVariables(env: NodeJS.ProcessEnv): Promise<Variables> {
  refuseUnknown(env);
  const origins = new Map<string, ValueOrigin>();
  const from = (path: string, name: string) => origins.set(path, { from: 'environment', name });

  const botToken = await readToken(env, 'SLACK_BOT_TOKEN');
  if (botToken !== undefined) from('slack.botToken', botToken.name);
  const appToken = await readToken(env, 'SLACK_APP_TOKEN');
  if (appToken !== undefined) from('slack.appToken', appToken.name);
  const apiUrl = apiRoot(env, 'SLACK_API_URL', 'https://slack.com/api/');
  if (apiUrl !== undefined) from('slack.apiUrl', 'SLACK_API_URL');
  const discordToken = await readToken(env, 'DISCORD_BOT_TOKEN');
  if (discordToken !== undefined) from('discord.botToken', discordToken.name);
  const discordApiUrl = apiRoot(env, 'DISCORD_API_URL', 'https://discord.com/api/');
  if (discordApiUrl !== undefined) from('discord.apiUrl', 'DISCORD_API_URL');
  const redisUrl = await readSecret(env, 'HANDRAISE_REDIS_URL');
  if (redisUrl !== undefined) from('redis.url', redisUrl.name);
  const slackTo = readChannel(env, 'HANDRAISE_SLACK_CHANNEL', slackChannel);
  const discordTo = readChannel(env, 'HANDRAISE_DISCORD_CHANNEL', discordChannel);
  const approvers = readApprovers(value(env, 'HANDRAISE_APPROVERS'), slackTo !== undefined || discordTo !== undefined);
  const signing = secretOrPath(env, 'HANDRAISE_SIGNING_KEY');
  if (signing.text !== undefined) from('gateway.signingKey', 'HANDRAISE_SIGNING_KEY');
  if (signing.path !== undefined) from('gateway.signingKeyFile', 'HANDRAISE_SIGNING_KEY_FILE');
  const pinned = pinnedKeys(value(env, 'HANDRAISE_VERDICT_KEYS'));
  if (pinned !== undefined) from('trust.verdictKeys', 'HANDRAISE_VERDICT_KEYS');
  const controlSocket = value(env, 'HANDRAISE_CONTROL_SOCKET');
  if (controlSocket !== undefined) {
    const [issue] = socketPath.safeParse(controlSocket).error?.issues ?? [];
    if (issue !== undefined) throw complaint(`HANDRAISE_CONTROL_SOCKET ${issue.message}`);
    from('gateway.controlSocket', 'HANDRAISE_CONTROL_SOCKET');
  }
  return {
    slack: {
      ...(botToken === undefined ? {} : { botToken: botToken.secret }),
      ...(appToken === undefined ? {} : { appToken: appToken.secret }),
      ...(apiUrl === undefined ? {} : { apiUrl }),
    },
    ...(discordToken === undefined && discordApiUrl === undefined
      ? {}
      : {
          discord: {
            ...(discordToken === undefined ? {} : { botToken: discordToken.secret }),
            ...(discordApiUrl === undefined ? {} : { apiUrl: discordApiUrl }),
          },
        }),
    channels: {
      ...(slackTo === undefined ? {} : { slack: slackTo }),
      ...(discordTo === undefined ? {} : { discord: discordTo }),
    },
    ...(approvers === undefined ? {} : { approvers }),
    ...(redisUrl === undefined ? {} : { redisUrl: new Secret(redisUrl.text) }),
    ...(controlSocket === undefined ? {} : { controlSocket }),
    ...(signing.text === undefined ? {} : { signingKey: new Secret(signing.text) }),
    ...(signing.path === undefined ? {} : { signingKeyFile: resolve(signing.path) }),
    ...(pinned === undefined ? {} : { verdictKeys: pinned }),
    origins,
  };
}

function readChannel(env: NodeJS.ProcessEnv, name: string, schema: typeof slackChannel): string | undefined {
  const channel = value(env, name);
  const [issue] = channel === undefined ? [] : (schema.safeParse(channel).error?.issues ?? []);
  if (issue !== undefined) throw complaint(`${name} ${issue.message}`);
  return channel;
}

function refuseUnknown(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env).sort()) {
    if (!name.startsWith('HANDRAISE_') || OURS.some((known) => known === name)) continue;
    const meant = nearest(name, OURS);
    throw complaint(
      `unknown variable ${name}`,
      meant === undefined ? `Unset it; known are ${OURS.slice(0, 2).join(' and ')}.` : `Did you mean ${meant}?`,
    );
  }
}

async function readToken(
  env: NodeJS.ProcessEnv,
  name: keyof typeof TOKENS,
): Promise<{ secret: Secret; name: string } | undefined> {
  const read = await readSecret(env, name);
  return read === undefined ? undefined : { secret: checked(name, read.text), name: read.name };
}

/** A secret that stands in the variable itself, or in the file that `…_FILE` names; and which of the two it was. */
async function readSecret(env: NodeJS.ProcessEnv, name: string): Promise<{ text: string; name: string } | undefined> {
  const { text, path } = secretOrPath(env, name);
  if (path !== undefined) return { text: await readSecretFile(name, path), name: `${name}_FILE` };
  return text === undefined ? undefined : { text, name };
}

function secretOrPath(env: NodeJS.ProcessEnv, name: string): { text: string | undefined; path: string | undefined } {
  const text = value(env, name);
  const path = value(env, `${name}_FILE`);
  if (text !== undefined && path !== undefined) {
    throw complaint(`${name} and ${name}_FILE are both set`, 'Unset one of them.');
  }
  return { text, path };
}

function pinnedKeys(list: string | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined;
  const keys = list.split(',').map((key) => key.trim());
  const [issue] = verdictKeys.safeParse(keys.filter((key) => key !== '')).error?.issues ?? [];
  if (issue !== undefined) throw complaint(`HANDRAISE_VERDICT_KEYS: one of them ${issue.message}`);
  return keys.filter((key) => key !== '');
}

async function readSecretFile(name: string, path: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    throw complaint(
      `cannot read the file named by ${name}_FILE: ${sentenceOf(thrown)}`,
      'Correct its path or its mode.',
    );
  }
  if (text.trim() === '') throw complaint(`the file named by ${name}_FILE is empty`);
  return text.trim();
}

function checked(name: keyof typeof TOKENS, text: string): Secret {
  const { shape, what, from } = TOKENS[name];
  if (!shape.test(text)) {
    throw complaint(`${name} does not hold ${what}`, `Copy it from the app's settings, ${from}.`);
  }
  return new Secret(text);
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Tokens travel to this address, so it is TLS, or this very machine. */
function apiRoot(env: NodeJS.ProcessEnv, name: string, example: string): string | undefined {
  const text = value(env, name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url?.protocol === 'http:';
  if (url === undefined || !(plain || url.protocol === 'https:')) {
    throw complaint(`${name} is not an https address`, `Write for example ${example}.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw complaint(`${name} must be a plain address without user, query or fragment`);
  }
  if (plain && !LOOPBACK.test(url.hostname)) {
    throw complaint(
      `${name} would send the tokens to ${url.hostname} unencrypted`,
      'Use https; plain http is accepted for this machine (127.0.0.1) only.',
    );
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

function value(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name]?.trim();
  return text === '' ? undefined : text;
}

function complaint(sentence: string, hint?: string): HandraiseError {
  return new HandraiseError(sentence, { code: 'configuration', ...(hint === undefined ? {} : { hint }) });
}
