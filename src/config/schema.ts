import * as z from 'zod';
import { parseDuration } from '../core/duration.ts';
import type { ApprovalPolicy, ApproverRules, ByClass } from '../core/policy/approval.ts';
import type { LinkedPerson } from '../core/policy/identities.ts';
import type { OperatorRule } from '../core/policy/people.ts';
import { SIGNING_KEY_SHAPE, VERDICT_KEY_SHAPE } from '../core/verdict-signature.ts';
import { isAddress } from './address.ts';
import { durationOf } from './duration.ts';
import { type GateConfig, gate } from './gate.ts';
import { isGlob } from './glob.ts';
import type { Secret } from './secret.ts';

/** Which runs a binding is for; every pattern that is given must match (`binding.ts`). */
export interface Match {
  readonly workspace?: string;
  readonly session?: string;
  readonly agent?: string;
  readonly branch?: string;
}

/** Where the questions of some runs go, and who may answer them. */
export interface Binding {
  readonly match: Match;
  readonly slack?: { readonly channel: string };
  readonly discord?: { readonly channel: string };
  readonly questions: {
    /** `deny` = nobody is asked: the run is treated as headless. */
    readonly mode: 'ask' | 'deny';
    readonly operators: OperatorRule;
    /** Milliseconds an open question waits for its answer. */
    readonly waitMs: number;
  };
  /** Who may allow what an agent wants to do. Absent: nobody. */
  readonly grants?: ApprovalPolicy & {
    /** Milliseconds a proposal waits for its decision. */
    readonly waitMs: number;
  };
}

/** Where a value came from; `name` is a flag, a variable or `file:line`. */
export interface ValueOrigin {
  readonly from: 'flag' | 'environment' | 'file' | 'default';
  readonly name: string;
}

/** Everything handraise was told, checked. `origins` is keyed like `bindings[0].questions.wait` or `slack.apiUrl`. */
export interface Config {
  readonly bindings: readonly Binding[];
  /** Ids that are one person's on several platforms. */
  readonly people?: readonly LinkedPerson[];
  readonly slack: {
    readonly botToken?: Secret;
    readonly appToken?: Secret;
    /** API root with a trailing slash; absent = Slack's own. */
    readonly apiUrl?: string;
  };
  readonly discord?: {
    readonly botToken?: Secret;
    /** API root with a trailing slash and without a version; absent = Discord's own. */
    readonly apiUrl?: string;
  };
  /** What the write gate asks about; absent: its defaults. Over Redis the gateway's is what counts. */
  readonly gate?: GateConfig;
  /** The shared store; absent = embedded. The URL may hold a password. */
  readonly redis?: { readonly url: Secret };
  readonly gateway?: {
    /** Where `handraise gateway` answers probes, as `host:port`. */
    readonly listen?: string;
    /** Absolute path of its control socket, and where `pending` and `resolve` look for it. */
    readonly controlSocket?: string;
    /** Its private key, or the absolute path of the file that holds it; read by the gateway alone. */
    readonly signingKey?: Secret;
    readonly signingKeyFile?: string;
  };
  /** Public keys of the gateways that owners believe. */
  readonly trust?: { readonly verdictKeys: readonly string[] };
  /** Milliseconds after which what the audit holds is deleted. Absent: never. */
  readonly audit?: { readonly retentionMs: number };
  /** Milliseconds given with `--wait`; the bindings hold it already, those that a gateway publishes do not. */
  readonly waitMs?: number;
  readonly origins: ReadonlyMap<string, ValueOrigin>;
}

/** Bounds of `questions.wait` (product.md "Questions"). */
const WAIT = { shortest: '60s', longest: '24h', default: '5m' } as const;

const glob = z
  .string({ error: 'must be a text pattern such as "*"' })
  .min(1, { error: 'must not be empty' })
  .refine(isGlob, { error: 'has brackets or braces that do not close, or a range that runs backwards' });

const workspaceGlob = glob.refine((pattern) => pattern === '*' || /^(?:\/|~\/|\*\*\/)/.test(pattern), {
  error: 'is matched against a whole path: start it with "/", "~/" or "**/", or write "*" for every workspace',
});

const match = z
  .strictObject({
    workspace: workspaceGlob.optional(),
    session: glob.optional(),
    agent: glob.optional(),
    branch: glob.optional(),
  })
  .refine((patterns) => Object.keys(patterns).length > 0, {
    error: 'names no run; write { workspace: "*" } for every one',
  });

/** A channel by its id, since names change and differ between what people see. Also checks HANDRAISE_SLACK_CHANNEL. */
export const slackChannel = z.string({ error: 'must be the id of a Slack channel' }).regex(/^[CG][A-Z0-9]{2,}$/, {
  error: 'must be the id of a Slack channel, such as C0123456789: it stands at the end of the channel\'s "About"',
});

const slack = z.strictObject({ channel: slackChannel });

/** Discord's ids are numbers of 17 to 20 digits, too large for YAML's own: an unquoted one has lost its last digits. */
const snowflake = (what: string) =>
  z
    .string({
      error: (issue) =>
        typeof issue.input === 'number'
          ? `must be the id of a Discord ${what} in quotes, such as "112233445566778899": as a bare number it loses digits`
          : `must be the id of a Discord ${what}`,
    })
    .regex(/^\d{17,20}$/, {
      error: `must be the id of a Discord ${what}, such as "112233445566778899": with Developer Mode on, "Copy ID" gives it`,
    });

/** Also checks HANDRAISE_DISCORD_CHANNEL. */
export const discordChannel = snowflake('channel');

const discord = z.strictObject({ channel: discordChannel });

const slackUser = z.string({ error: 'must be the id of a Slack user' }).regex(/^[UW][A-Z0-9]{2,}$/, {
  error: 'must be the id of a Slack user, such as U0123456789: "Copy member ID" in the profile gives it',
});
const slackUsers = z
  .array(slackUser, { error: 'must be a list of Slack user ids' })
  .min(1, { error: 'lists nobody; write mode: deny if nobody may be asked' });

const slackGroup = z.string({ error: 'must be the id of a Slack user group' }).regex(/^S[A-Z0-9]{2,}$/, {
  error: 'must be the id of a Slack user group, such as S0123456789: "Copy group ID" in the menu of the group gives it',
});
const slackGroups = z
  .array(slackGroup, { error: 'must be a list of Slack user group ids' })
  .min(1, { error: 'lists nobody; leave it out instead' });

/** Users of the gateway's own machine, who answer with `handraise resolve`. */
const localUser = z
  .string({ error: 'must be the name of a user of this machine' })
  .regex(/^[A-Za-z_][\w.-]*$|^uid:\d+$/, {
    error: 'must be the name of a user of this machine, such as ana, or uid:1000 for one without a name',
  });
const localUsers = z
  .array(localUser, { error: 'must be a list of user names' })
  .min(1, { error: 'lists nobody; leave it out instead' });

const discordIds = (what: string) =>
  z
    .array(snowflake(what), { error: `must be a list of Discord ${what} ids` })
    .min(1, { error: 'lists nobody; write mode: deny if nobody may be asked' });

const listedOperators = z.strictObject({
  slackUsers: slackUsers.exactOptional(),
  slackGroups: slackGroups.exactOptional(),
  discordUsers: discordIds('user').exactOptional(),
  discordRoles: discordIds('role').exactOptional(),
  localUsers: localUsers.exactOptional(),
});
const operators = z
  .union([z.literal('*'), listedOperators], {
    error: 'must be "*" or { slackUsers: [U…], slackGroups: [S…], discordUsers: ["…"], discordRoles: ["…"] }',
  })
  .refine((rule) => rule === '*' || Object.keys(rule).length > 0, {
    error: 'lists nobody; write mode: deny if nobody may be asked',
  });

/** "5m" → milliseconds, within its bounds. Also checks `--wait`. */
export const wait = durationOf(WAIT);

const questions = z.strictObject({
  mode: z.enum(['ask', 'deny'], { error: 'must be ask or deny' }).default('ask'),
  operators: operators.default('*'),
  wait: wait.default(parseDuration(WAIT.default)),
});

/** Being in the channel is no authority to approve: nobody may, unless they are listed, or `"*"` is written out. */
const listedApprovers = z.strictObject({
  slackUsers: z.array(slackUser, { error: 'must be a list of Slack user ids' }).exactOptional(),
  slackGroups: z.array(slackGroup, { error: 'must be a list of Slack user group ids' }).exactOptional(),
  discordUsers: z.array(snowflake('user'), { error: 'must be a list of Discord user ids' }).exactOptional(),
  discordRoles: z.array(snowflake('role'), { error: 'must be a list of Discord role ids' }).exactOptional(),
  localUsers: z.array(localUser, { error: 'must be a list of user names' }).exactOptional(),
});
/** Also checks HANDRAISE_APPROVERS. */
export const approvers = z.union([z.literal('*'), listedApprovers], {
  error:
    'must be { slackUsers: [U…], slackGroups: [S…], discordUsers: ["…"], discordRoles: ["…"], localUsers: [ana] }, or "*" for anybody',
});
/** One list for everything, or one for each class. A class that is left out then has nobody. */
const approversByClass = z.strictObject({ write: approvers.default({}), external: approvers.default({}) });
const approverRules: z.ZodType<ApproverRules> = z.unknown().transform((value, context): ApproverRules => {
  const isByClass = typeof value === 'object' && value !== null && ('write' in value || 'external' in value);
  const read = (isByClass ? approversByClass : approvers).safeParse(value, { reportInput: true });
  if (read.success) return read.data;
  for (const issue of read.error.issues) context.issues.push({ ...issue, input: value } as never);
  return z.NEVER;
});

/** How many different people it takes, of each class. */
const MOST_QUORUM = 10;
const votes = z
  .int({ error: 'must be a whole number of people' })
  .min(1, { error: 'must be at least 1: somebody has to allow it' })
  .max(MOST_QUORUM, { error: `must be at most ${MOST_QUORUM}` });
const quorum: z.ZodType<ByClass<number>> = z.strictObject({ write: votes.default(1), external: votes.default(1) });

const grants = z.strictObject({
  approvers: approverRules.default({}),
  requester: z.enum(['never', 'allowed'], { error: 'must be never or allowed' }).exactOptional(),
  quorum: quorum.exactOptional(),
  wait: wait.default(parseDuration(WAIT.default)),
});

/** One entry of `bindings`. */
export const binding = z
  .strictObject({
    match,
    slack: slack.optional(),
    discord: discord.optional(),
    questions: questions.prefault({}),
    grants: grants.prefault({}),
  })
  .refine((bound) => bound.slack !== undefined || bound.discord !== undefined || bound.questions.mode === 'deny', {
    error:
      'names no channel: add slack: { channel: C… } or discord: { channel: "…" }, or questions: { mode: deny } to ask nobody',
  });

/** The shared store by its URL; its form is judged where it is used, since only that knows what it can connect to. */
const redis = z.strictObject({
  url: z.string({ error: 'must be the URL of a Redis server, such as redis://127.0.0.1:6379' }).min(1, {
    error: 'must not be empty',
  }),
});

/** A path that means the same wherever one stands. Also checks HANDRAISE_CONTROL_SOCKET. */
export const controlSocket = z
  .string({ error: 'must be the path of a socket' })
  .regex(/^\/./, { error: 'must be an absolute path, such as /run/handraise/control.sock' });

const gateway = z.strictObject({
  listen: z
    .string({ error: 'must be host:port, such as "127.0.0.1:8787"' })
    .refine(isAddress, { error: 'must be host:port, such as "127.0.0.1:8787"; an IPv6 host stands in brackets' })
    .optional(),
  controlSocket: controlSocket.optional(),
  signingKeyFile: z
    .string({ error: 'must be the path of a file' })
    .regex(/^(?:\/|~\/)/, { error: 'must be an absolute path, or begin with ~/' })
    .optional(),
});

const VERDICT_KEY = 'must be a public key, hrvk1_ and 43 characters: `handraise gateway keys show` prints it';

/** Public keys of gateways. Also checks HANDRAISE_VERDICT_KEYS. Whoever uses them reads them (`trust/keys.ts`). */
export const verdictKeys = z.array(
  z.string({ error: VERDICT_KEY }).regex(VERDICT_KEY_SHAPE, {
    error: ({ input }) =>
      SIGNING_KEY_SHAPE.test(String(input))
        ? 'is a private key, which no run may have: put its public one here (`handraise gateway keys show`)'
        : VERDICT_KEY,
  }),
  { error: 'must be a list of public keys' },
);

/** The ids of one person, who then counts once. */
const person = z
  .strictObject({
    slack: slackUser.exactOptional(),
    discord: snowflake('user').exactOptional(),
    local: localUser.exactOptional(),
  })
  .refine((ids) => Object.keys(ids).length > 1, {
    error:
      'links nothing: give two ids of the same person, such as { slack: U0123456789, discord: "223344556677889900" }',
  });
const people = z.array(person, { error: 'must be a list' }).refine(
  (all) => {
    const ids = all.flatMap((ids) => Object.entries(ids).map(([platform, id]) => `${platform}:${id}`));
    return new Set(ids).size === ids.length;
  },
  { error: 'names one id in two entries: put all ids of one person into one' },
);

/** Shortest and longest time after which rows of the audit are deleted; it is kept for good where none is given. */
const RETENTION = { shortest: '2d', longest: '3650d' } as const;

const audit = z.strictObject({ retention: durationOf(RETENTION).exactOptional() });

const trust = z.strictObject({ verdictKeys: verdictKeys.default([]) });

/** The configuration file. */
export const fileSchema = z.strictObject({
  bindings: z.array(binding, { error: 'must be a list' }).default([]),
  people: people.optional(),
  gate: gate.optional(),
  redis: redis.optional(),
  gateway: gateway.optional(),
  trust: trust.optional(),
  audit: audit.optional(),
});

/** A binding as its schema returns it. */
export type BindingValues = z.output<typeof binding>;

/** The settings of a binding whose origin is remembered. */
export const SETTINGS = [
  'match',
  'slack.channel',
  'discord.channel',
  'questions.mode',
  'questions.operators',
  'questions.wait',
  'grants.approvers',
  'grants.requester',
  'grants.quorum',
  'grants.wait',
] as const;
export type Origins = { [setting in (typeof SETTINGS)[number]]?: ValueOrigin };

/** The objects of the file by path, for suggestions; list positions are left out of the path. */
export const OBJECTS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(fileSchema.shape),
  bindings: Object.keys(binding.shape),
  'bindings.match': Object.keys(match.shape),
  'bindings.slack': Object.keys(slack.shape),
  'bindings.discord': Object.keys(discord.shape),
  'bindings.questions': Object.keys(questions.shape),
  'bindings.questions.operators': Object.keys(listedOperators.shape),
  'bindings.grants': Object.keys(grants.shape),
  'bindings.grants.approvers': [...Object.keys(listedApprovers.shape), 'write', 'external'],
  'bindings.grants.approvers.write': Object.keys(listedApprovers.shape),
  'bindings.grants.approvers.external': Object.keys(listedApprovers.shape),
  'bindings.grants.quorum': ['write', 'external'],
  people: ['slack', 'discord', 'local'],
  gate: Object.keys(gate.shape),
  redis: Object.keys(redis.shape),
  gateway: Object.keys(gateway.shape),
  trust: Object.keys(trust.shape),
  audit: Object.keys(audit.shape),
};

/** Keys of the specification that this version does not have yet. They are refused rather than ignored. */
export const NOT_YET: Readonly<Record<string, readonly string[]>> = {
  '': ['limits', 'reminder'],
  gateway: ['adminTokens'],
  'bindings.questions': ['autoResolve'],
};
