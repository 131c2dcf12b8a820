import { afterEach, beforeEach } from 'vitest';
import type { Grant, NewGrant } from '../../../src/core/grants/grant.ts';
import type { AuditRow } from '../../../src/core/ports/audit-sink.ts';
import type { GrantResult, GrantStore, GrantUse } from '../../../src/core/ports/grant-store.ts';
import { ANA } from '../../support/requests.ts';

/** One store to put to the test, empty, with the handles that its port does not have. */
export interface GrantsHarness {
  readonly grants: GrantStore;
  /** The store's own clock. */
  now(): number;
  advance(ms: number): Promise<void>;
  /** Every audit row so far, oldest first. */
  auditRows(): Promise<readonly AuditRow[]>;
  breakAudit(): Promise<void>;
  mendAudit(): Promise<void>;
  close(): Promise<void>;
}

export type MakeGrants = () => Promise<GrantsHarness>;

/** A fresh store for each test of the surrounding `describe`. */
export function eachGrantTest(makeGrants: MakeGrants): () => GrantsHarness {
  let harness: GrantsHarness | undefined;
  beforeEach(async () => {
    harness = await makeGrants();
  });
  afterEach(async () => {
    await harness?.close();
    harness = undefined;
  });
  return () => {
    if (harness === undefined) throw new Error('the store is there only while a test runs');
    return harness;
  };
}

/** A person's grant of an action, unless said otherwise. */
export function grantOf(requestId: string, more: Partial<NewGrant> = {}): NewGrant {
  return {
    requestId,
    scope: 'action',
    covers: 'this-call',
    sessionId: 'session-1',
    workspace: '/home/ana/api',
    ownerId: 'owner-1',
    turnId: 'turn-1',
    callId: `call of ${requestId}`,
    digest: `digest of ${requestId}`,
    by: ANA,
    ...more,
  };
}

/** A person's grant of a turn's writes. */
export function turnOf(requestId: string, more: Partial<NewGrant> = {}): NewGrant {
  return grantOf(requestId, { scope: 'turn', covers: 'workspace-writes', ...more });
}

export function useBy(callId: string, more: Partial<GrantUse> = {}): GrantUse {
  return { callId, tool: 'Write', effect: 'write', digest: 'd1', ...more };
}

export function grantIn(result: GrantResult): Grant {
  if (result.grant === undefined) throw new Error(`the result ${result.code} came without a grant`);
  return result.grant;
}
