/**
 * Return codes of the store's operations: one table for the memory store and, as integers, for Redis scripts.
 * Positive codes changed or confirmed something; negative ones changed nothing.
 */
export const STORE_CODES = {
  done: 1,
  /** The same interaction was already recorded as the winner: a replay, nothing to do and nothing to say. */
  repeated: 2,
  /** No record with this id: never existed, or older than what is kept. */
  not_found: -1,
  /** Withdrawn or replaced before this arrived. */
  stale: -2,
  already_resolved: -3,
  /** Somebody else's answer is recorded and on its way to the agent. */
  resolution_in_progress: -4,
  /** The choice is not among those the card offered. */
  option_not_offered: -5,
  /** The audit row could not be written, so nothing was changed. */
  audit_failed: -6,
  /** An answer was recorded, and its agent was gone. */
  delivery_failed: -7,
  /** The deadline had passed by the store's own clock. */
  deadline_passed: -8,
  /** Still waiting in its session's queue; it has no card yet. */
  not_shown: -9,
  /** The lifecycle has no such move. */
  not_allowed: -10,
  /** Somebody else's vote came in between: read it, and judge again. */
  votes_changed: -11,
} as const;

export type StoreCode = keyof typeof STORE_CODES;
/** The codes that say why nothing was changed. */
export type StoreRefusal = Exclude<StoreCode, 'done' | 'repeated'>;
