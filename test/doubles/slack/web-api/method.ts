import type { Tier } from '../rate-limits.ts';
import type { World } from '../world.ts';
import type { Args, ArgTable } from './arguments.ts';

export interface Method extends ArgTable {
  readonly token: 'bot' | 'app' | 'any';
  /** Needed whatever the arguments are. */
  readonly scopes?: readonly string[];
  /** Absent: Slack's "special" limits, which this double does not count. */
  readonly tier?: Tier;
  /** The effect and the rest of the answer; throws ApiError. */
  run(args: Args, world: World): Record<string, unknown>;
}
