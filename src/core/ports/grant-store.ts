import type { Actor } from '../actor.ts';
import type { Grant, GrantEnd, NewGrant } from '../grants/grant.ts';
import type { Proposal } from '../proposals/contract.ts';
import type { StoreCode } from '../store-codes.ts';

/**
 * `repeated`: this very operation was carried out before. `already_resolved`: the grant is over. `grant` is its state after
 * the operation, where there is one.
 */
export type GrantResult =
  | { readonly code: Extract<StoreCode, 'done' | 'repeated'>; readonly grant: Grant }
  | {
      readonly code: Extract<StoreCode, 'not_found' | 'already_resolved' | 'not_allowed' | 'audit_failed'>;
      readonly grant?: Grant;
    };

/** A call that is about to run by a grant; what its audit row says. */
export interface GrantUse extends Pick<Proposal, 'tool' | 'effect' | 'digest'> {
  /** Unique per call. */
  readonly callId: string;
}

/**
 * The truth about every grant, by the id of the request that asked for it. The memory store and Redis pass one contract
 * suite. Owners grant, use and end; gateways revoke and lift. Every operation that changes something writes its audit row
 * first; when that fails it answers `audit_failed` and nothing was changed. Methods throw only when the store cannot be
 * reached (`HandraiseError` code `store`): nothing may run then.
 *
 * Not covered on purpose: whether a grant covers a step (`gate/grants/covers.ts`, before `use`).
 */
export interface GrantStore {
  /** A request grants once: something else answers `not_allowed`, and `already_resolved` when it was revoked meanwhile. */
  grant(grant: NewGrant): Promise<GrantResult>;
  /**
   * Takes the grant for one call, the last thing before it runs. An `action` serves one: of any number of concurrent calls
   * one gets `done`. The same call again is `repeated`. Time limit and revocation are judged here, by the store's clock.
   */
  use(requestId: string, use: GrantUse): Promise<GrantResult>;
  /** Ends it for good; `already_resolved` when something else did before. */
  end(requestId: string, why: Exclude<GrantEnd, 'used' | 'revoked'>): Promise<GrantResult>;
  /** A person takes it back. Also before it is stored: then it never becomes good (`not_found`, and `grant` refuses). */
  revoke(requestId: string, by: Actor): Promise<GrantResult>;
  read(requestId: string): Promise<Grant | undefined>;
  /** What is good right now, of one session or of all (at most 1,000), by when it was granted, then by id. */
  listActive(sessionId?: string): Promise<readonly Grant[]>;

  /** Lets a step be asked about again that was refused because nobody answered in time. */
  liftRefusal(requestId: string, by: Actor): Promise<void>;
  isLifted(requestId: string): Promise<boolean>;

  /**
   * What a session's digests are salted with, the same for every process that serves it: made at the first call, lost with
   * the store. Guessing commands from stored digests takes it.
   */
  salt(sessionId: string): Promise<string>;
}
