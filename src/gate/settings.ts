import type { Effect } from './effects/effect.ts';
import type { LifetimeWords } from './grants/offers.ts';

/** What the configuration says about the gate (product.md "Configuration", `gate`). */
export interface GateSettings {
  /** `open`: everything runs, and nothing is told. */
  readonly writes: 'read_only' | 'open';
  readonly secretReads: 'ask' | 'deny' | 'allow';
  /** The agent's own tools that fetch and search: run as reads, or put to people. */
  readonly fetch: 'read' | 'ask';
  /** Beginnings of commands that run without a question. */
  readonly trustedCommands: readonly string[];
  /** What MCP tools do, by their name as the agent knows it. One that is not named is unknown. */
  readonly mcpTools: Readonly<Record<string, Effect>>;
  /** Longest life of a grant for a turn or a session, in ms. */
  readonly sessionGrantMs: number;
  /** Proposals of one session that may wait at a time. */
  readonly mostPending: number;
  readonly words: LifetimeWords;
}

/** Without any configuration. */
export const DEFAULT_GATE: GateSettings = {
  writes: 'read_only',
  secretReads: 'ask',
  fetch: 'read',
  trustedCommands: [],
  mcpTools: {},
  sessionGrantMs: 4 * 3_600_000,
  mostPending: 20,
  words: { turn: 'this turn', session: 'this run' },
};
