import { HandraiseError } from '../core/errors.ts';
import type { ApprovalPolicy } from '../core/policy/approval.ts';
import { resolvedPattern } from './binding.ts';
import { type NamedFile, type ReadBinding, type ReadFile, readConfigFile } from './file.ts';
import { fromHome } from './home.ts';
import { type Binding, binding, type Config, type Origins, SETTINGS, type ValueOrigin, wait } from './schema.ts';
import { Secret } from './secret.ts';
import { readVariables, type Variables } from './variables.ts';

/** What the command line and the process know. `env` is read, never changed. */
export interface ConfigSources {
  readonly flags: {
    /** `--config` */
    readonly config?: string | undefined;
    /** `--wait`: for every binding. */
    readonly wait?: string | undefined;
  };
  readonly env: NodeJS.ProcessEnv;
}

const DEFAULT: ValueOrigin = { from: 'default', name: '' };

/**
 * The whole configuration: flags over environment over file over defaults, each value with its origin. The binding made
 * of HANDRAISE_SLACK_CHANNEL and HANDRAISE_DISCORD_CHANNEL stands before those of the file and, since it matches every
 * run, wins over them.
 * Throws `configuration` (exit 78) with the place, the cause and the cure.
 */
export async function loadConfig({ flags, env }: ConfigSources): Promise<Config> {
  const variables = await readVariables(env);
  const file = await readConfigFile(namedFile(flags.config, env), env);
  const read = [...smallestBinding(variables), ...file.bindings];
  const waitMs = flags.wait === undefined ? undefined : checkedWait(flags.wait);

  const origins = new Map<string, ValueOrigin>([...file.origins, ...variables.origins]);
  read.forEach((one, index) => {
    for (const [setting, origin] of originsOf(one.origins, waitMs))
      origins.set(`bindings[${index}].${setting}`, origin);
  });
  const redisUrl = variables.redisUrl ?? (file.redisUrl === undefined ? undefined : new Secret(file.redisUrl));
  const pinned = variables.verdictKeys ?? file.verdictKeys;
  return {
    bindings: await Promise.all(read.map(({ values }) => bindingOf(values, waitMs, env))),
    slack: variables.slack,
    ...(variables.discord === undefined ? {} : { discord: variables.discord }),
    ...(file.people === undefined ? {} : { people: file.people }),
    ...(file.gate === undefined ? {} : { gate: file.gate }),
    ...(redisUrl === undefined ? {} : { redis: { url: redisUrl } }),
    ...gatewayOf(file, variables, env),
    ...(pinned === undefined ? {} : { trust: { verdictKeys: pinned } }),
    ...(file.retentionMs === undefined ? {} : { audit: { retentionMs: file.retentionMs } }),
    ...(waitMs === undefined ? {} : { waitMs }),
    origins,
  };
}

/** What is said about the key in the environment stands in place of what the file says, whichever of the two it is. */
function gatewayOf(file: ReadFile, variables: Variables, env: NodeJS.ProcessEnv): Pick<Config, 'gateway'> {
  const { signingKey } = variables;
  const controlSocket = variables.controlSocket ?? file.controlSocket;
  const path = variables.signingKeyFile ?? file.signingKeyFile;
  const signingKeyFile = signingKey === undefined ? path : undefined;
  const gateway = {
    ...(file.listen === undefined ? {} : { listen: file.listen }),
    ...(controlSocket === undefined ? {} : { controlSocket }),
    ...(signingKey === undefined ? {} : { signingKey }),
    ...(signingKeyFile === undefined ? {} : { signingKeyFile: fromHome(signingKeyFile, env) }),
  };
  return Object.keys(gateway).length === 0 ? {} : { gateway };
}

function namedFile(flag: string | undefined, env: NodeJS.ProcessEnv): NamedFile | undefined {
  if (flag !== undefined) return { path: flag, namedBy: '--config' };
  const named = env['HANDRAISE_CONFIG']?.trim();
  return named === undefined || named === '' ? undefined : { path: named, namedBy: 'HANDRAISE_CONFIG' };
}

function smallestBinding({ channels, approvers }: Variables): ReadBinding[] {
  const { slack, discord } = channels;
  if (slack === undefined && discord === undefined) return [];
  const origin = (name: string): ValueOrigin => ({ from: 'environment', name });
  const onSlack = origin('HANDRAISE_SLACK_CHANNEL');
  const onDiscord = origin('HANDRAISE_DISCORD_CHANNEL');
  return [
    {
      values: binding.parse({
        match: { workspace: '*' },
        ...(slack === undefined ? {} : { slack: { channel: slack } }),
        ...(discord === undefined ? {} : { discord: { channel: discord } }),
        ...(approvers === undefined ? {} : { grants: { approvers } }),
      }),
      origins: {
        match: slack === undefined ? onDiscord : onSlack,
        ...(slack === undefined ? {} : { 'slack.channel': onSlack }),
        ...(discord === undefined ? {} : { 'discord.channel': onDiscord }),
        ...(approvers === undefined ? {} : { 'grants.approvers': origin('HANDRAISE_APPROVERS') }),
      },
    },
  ];
}

function checkedWait(text: string): number {
  const parsed = wait.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new HandraiseError(`--wait ${parsed.error.issues[0]?.message}`, { code: 'usage' });
}

async function bindingOf(
  { match, slack, discord, questions, grants }: ReadBinding['values'],
  waitMs: number | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Binding> {
  const { workspace, session, agent, branch } = match;
  return {
    match: {
      ...(workspace === undefined ? {} : { workspace: await resolvedPattern(workspace, env) }),
      ...(session === undefined ? {} : { session }),
      ...(agent === undefined ? {} : { agent }),
      ...(branch === undefined ? {} : { branch }),
    },
    ...(slack === undefined ? {} : { slack }),
    ...(discord === undefined ? {} : { discord }),
    questions: { mode: questions.mode, operators: questions.operators, waitMs: waitMs ?? questions.wait },
    grants: { ...grantPolicyOf(grants), waitMs: waitMs ?? grants.wait },
  };
}

/** Absent stays absent: the defaults are policy's. */
function grantPolicyOf({ approvers, requester, quorum }: ReadBinding['values']['grants']): ApprovalPolicy {
  return {
    approvers,
    ...(requester === undefined ? {} : { requester }),
    ...(quorum === undefined ? {} : { quorum }),
  };
}

function originsOf(read: Origins, waitMs: number | undefined): [string, ValueOrigin][] {
  return SETTINGS.flatMap((setting): [string, ValueOrigin][] => {
    if (setting.endsWith('.wait') && waitMs !== undefined) return [[setting, { from: 'flag', name: '--wait' }]];
    const origin = read[setting] ?? (/^(?:questions|grants)\./.test(setting) ? DEFAULT : undefined);
    return origin === undefined ? [] : [[setting, origin]];
  });
}
