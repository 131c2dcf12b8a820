import type { OutcomeKind } from '../core/outcomes.ts';
import type { Refusal } from '../core/policy/people.ts';
import type { CardRef } from '../core/request.ts';
import type { StoreRefusal } from '../core/store-codes.ts';
import type { FailureKind } from '../store/redis/failures.ts';

/** Why a click was refused, as far as that is a closed set; whatever else a row says counts as `other`. */
export type RefusedBecause = Refusal | StoreRefusal | 'no_binding' | 'agent_tree' | 'other';

/**
 * What a gateway counts, as the rest of it sees the metrics. What happens to requests is told by whoever seals its audit
 * row, so that of several gateways one counts it (`row-counter.ts`); the rest is each process's own.
 */
export interface GatewayMeter {
  asked(): void;
  cardPosted(): void;
  postFailed(): void;
  clickRefused(reason: RefusedBecause): void;
  /** A decision was recorded; whether it arrives is another matter. */
  claimed(): void;
  /** The owner confirmed that its agent has the decision, so long after it was recorded. */
  delivered(afterMs: number): void;
  ended(outcome: OutcomeKind): void;
  cardSettled(): void;
  /** A click or submit that came over a connection of this process was acknowledged. */
  acknowledged(platform: CardRef['platform'], afterMs: number): void;
  redisFailed(kind: FailureKind): void;
}
