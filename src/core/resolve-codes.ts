import type { StoreRefusal } from './store-codes.ts';

/**
 * What became of a `resolve`, for programs. Failures of the store keep its own names; the others are its caller's.
 * `recorded`: the answer counts, and the agent has not confirmed yet that it has it. `voted`: it counts, and takes more people.
 */
export type ResolveCode =
  | 'resolved'
  | 'recorded'
  | 'voted'
  | StoreRefusal
  | 'session_not_found'
  | 'refused'
  | 'invalid_answers'
  | 'unavailable';

export interface ResolveFacts {
  /** The name by which clients of other permission systems know the same failure; null where they have none. */
  readonly permissionCode: string | null;
  /** What it means for whoever called: `unresolved` cannot be changed, `wrong_call` can, `unavailable` may pass. */
  readonly means: 'resolved' | 'unresolved' | 'refused' | 'wrong_call' | 'unavailable';
}

/** The one table of what `resolve` can say. */
export const RESOLVE_CODES: Readonly<Record<ResolveCode, ResolveFacts>> = {
  resolved: { permissionCode: null, means: 'resolved' },
  recorded: { permissionCode: null, means: 'unresolved' },
  voted: { permissionCode: null, means: 'unresolved' },
  /** No such session here, or one that no binding lets anybody answer: the same answer, so that neither is told. */
  session_not_found: { permissionCode: 'task_or_session_not_found', means: 'unresolved' },
  not_found: { permissionCode: 'permission_not_found', means: 'unresolved' },
  not_shown: { permissionCode: 'permission_not_found', means: 'unresolved' },
  stale: { permissionCode: 'permission_stale', means: 'unresolved' },
  deadline_passed: { permissionCode: 'permission_stale', means: 'unresolved' },
  not_allowed: { permissionCode: 'permission_stale', means: 'unresolved' },
  already_resolved: { permissionCode: 'permission_already_resolved', means: 'unresolved' },
  resolution_in_progress: { permissionCode: 'permission_resolution_in_progress', means: 'unresolved' },
  option_not_offered: { permissionCode: 'permission_option_not_offered', means: 'wrong_call' },
  votes_changed: { permissionCode: null, means: 'unavailable' },
  audit_failed: { permissionCode: 'permission_audit_failed', means: 'unavailable' },
  delivery_failed: { permissionCode: 'permission_delivery_failed', means: 'unresolved' },
  refused: { permissionCode: null, means: 'refused' },
  invalid_answers: { permissionCode: null, means: 'wrong_call' },
  unavailable: { permissionCode: null, means: 'unavailable' },
};
