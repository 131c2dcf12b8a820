import type { Config } from '../../config/schema.ts';
import type { Clock } from '../../core/clock.ts';
import type { NewId } from '../../core/ids.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { SessionFacts } from '../../core/request.ts';
import type { Finding } from './finding.ts';

/** What every part of the examination is given. */
export interface Examination {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  /** The facts of a run that would start here. */
  readonly session: SessionFacts;
  readonly stateDirectory: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  /** Aborted when doctor is interrupted: then only what was begun is cleaned up. */
  readonly signal: AbortSignal;
  /** Takes each finding as it is made. */
  readonly report: (finding: Finding) => void;
}

/** A gateway's configuration has tokens; a run that asks over Redis has none. */
export function roleOf({ redis, slack, discord }: Config): 'embedded' | 'gateway' | 'owner' {
  if (redis === undefined) return 'embedded';
  const tokens = [slack.botToken, slack.appToken, discord?.botToken];
  return tokens.every((token) => token === undefined) ? 'owner' : 'gateway';
}
