import * as z from 'zod';
import { durationOf } from './duration.ts';

/** Words that a shell takes as they are: nothing that is expanded, redirected, quoted or chained. */
const PLAIN_WORDS = /^[\w@%+=:,./-]+(?: [\w@%+=:,./-]+)*$/;

const trustedCommands = z.array(
  z.string({ error: 'must be the beginning of a command, such as "npm test"' }).regex(PLAIN_WORDS, {
    error: 'must be plain words with one space between, such as "npm test"',
  }),
  { error: 'must be a list of beginnings of commands' },
);

const mcpTools = z.record(
  z.string().regex(/^mcp__/, { error: 'must be named as the agent does, such as mcp__docs__search' }),
  z.enum(['read', 'write', 'unknown', 'external'], { error: 'must be read, write, unknown or external' }),
  { error: 'must be a map such as { "mcp__docs__search": read }' },
);

/** Shortest and longest life of a grant for a turn or a session. */
const SESSION_GRANT = { shortest: '1m', longest: '24h', default: '4h' } as const;

/** `gate` of the configuration file. */
export const gate = z.strictObject({
  writes: z.enum(['read_only', 'open'], { error: 'must be read_only or open' }).default('read_only'),
  secretReads: z.enum(['ask', 'deny', 'allow'], { error: 'must be ask, deny or allow' }).default('ask'),
  fetch: z.enum(['read', 'ask'], { error: 'must be read or ask' }).default('read'),
  trustedCommands: trustedCommands.default([]),
  mcpTools: mcpTools.default({}),
  sessionGrant: durationOf(SESSION_GRANT).default(4 * 3_600_000),
});

/** What the configuration says about the gate. `sessionGrant` is in ms. */
export type GateConfig = z.output<typeof gate>;

/** The gate where nothing is said about it. */
export const DEFAULT_GATE_CONFIG: GateConfig = gate.parse({});

/** The gate as a gateway publishes it, where durations are numbers already. Strict: a rule that is not understood is none. */
export const publishedGate = z.strictObject({
  ...gate.shape,
  trustedCommands,
  mcpTools,
  sessionGrant: z.int().positive(),
});
