import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { type Config, slackChannel, controlSocket as socketPath, type ValueOrigin, verdictKeys } from './schema.ts';
import { Secret } from './secret.ts';
import { nearest } from './suggest.ts';

/** What the environment says. */
export interface Variables {
  readonly slack: Config['slack'];
  /** HANDRAISE_SLACK_CHANNEL: the smallest binding. */
  readonly channel?: string;
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
  'HANDRAISE_REDIS_URL',
  'HANDRAISE_REDIS_URL_FILE',
  'HANDRAISE_CONTROL_SOCKET',
  'HANDRAISE_VERDICT_KEYS',
  'HANDRAISE_SIGNING_KEY',
  'HANDRAISE_SIGNING_KEY_FILE',
  'HANDRAISE_SOCK',
  'HANDRAISE_MCP_CONFIG',
] as const;

/** Variables of the specification that come later. */
const NOT_YET = ['HANDRAISE_DISCORD_CHANNEL', 'HANDRAISE_APPROVERS', 'HANDRAISE_REQUESTER'] as const;

/** What Slack's tokens look like: a swapped pair is the commonest mistake of all, then the example's own `xoxb-…`. */
const TOKENS = {
  SLACK_BOT_TOKEN: { shape: /^xoxb-[\w.-]+$/, prefix: 'xoxb-', kind: 'bot', from: '"OAuth & Permissions"' },
  SLACK_APP_TOKEN: {
    shape: /^xapp-[\w.-]+$/,
    prefix: 'xapp-',
    kind: 'app-level',
    from: '"Basic Information", "App-Level Tokens"',
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
  const apiUrl = apiRoot(value(env, 'SLACK_API_URL'));
  if (apiUrl !== undefined) from('slack.apiUrl', 'SLACK_API_URL');
  const redisUrl = await readSecret(env, 'HANDRAISE_REDIS_URL');
  if (redisUrl !== undefined) from('redis.url', redisUrl.name);
  const signing = secretOrPath(env, 'HANDRAISE_SIGNING_KEY');
  if (signing.text !== undefined) from('gateway.signingKey', 'HANDRAISE_SIGNING_KEY');
  if (signing.path !== undefined) from('gateway.signingKeyFile', 'HANDRAISE_SIGNING_KEY_FILE');
  const pinned = pinnedKeys(value(env, 'HANDRAISE_VERDICT_KEYS'));
  if (pinned !== undefined) from('trust.verdictKeys', 'HANDRAISE_VERDICT_KEYS');
  const channel = value(env, 'HANDRAISE_SLACK_CHANNEL');
  if (channel !== undefined) {
    const [issue] = slackChannel.safeParse(channel).error?.issues ?? [];
    if (issue !== undefined) throw complaint(`HANDRAISE_SLACK_CHANNEL ${issue.message}`);
  }
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
    ...(channel === undefined ? {} : { channel }),
    ...(redisUrl === undefined ? {} : { redisUrl: new Secret(redisUrl.text) }),
    ...(controlSocket === undefined ? {} : { controlSocket }),
    ...(signing.text === undefined ? {} : { signingKey: new Secret(signing.text) }),
    ...(signing.path === undefined ? {} : { signingKeyFile: resolve(signing.path) }),
    ...(pinned === undefined ? {} : { verdictKeys: pinned }),
    origins,
  };
}

function refuseUnknown(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env).sort()) {
    if (!name.startsWith('HANDRAISE_') || OURS.some((known) => known === name)) continue;
    if (NOT_YET.some((later) => name === later || name === `${later}_FILE`)) {
      throw complaint(`${name} is not available in this version`, 'Unset it: nothing it promises would be kept.');
    }
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
  const { shape, prefix, kind, from } = TOKENS[name];
  if (!shape.test(text)) {
    throw complaint(
      `${name} does not hold a Slack ${kind} token, which begins with ${prefix} and goes on with letters, digits and dashes`,
      `Copy it from the app's settings, ${from}.`,
    );
  }
  return new Secret(text);
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Tokens travel to this address, so it is TLS, or this very machine. */
function apiRoot(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url?.protocol === 'http:';
  if (url === undefined || !(plain || url.protocol === 'https:')) {
    throw complaint('SLACK_API_URL is not an https address', 'Write for example https://slack.com/api/.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw complaint('SLACK_API_URL must be a plain address without user, query or fragment');
  }
  if (plain && !LOOPBACK.test(url.hostname)) {
    throw complaint(
      `SLACK_API_URL would send the tokens to ${url.hostname} unencrypted`,
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
