import { afterEach, beforeEach } from 'vitest';
import type { AuditRow } from '../../../src/core/ports/audit-sink.ts';
import type { Claim, RequestStore, StoreResult } from '../../../src/core/ports/request-store.ts';
import type { Decision, NewQuestions, RequestRecord } from '../../../src/core/request.ts';
import { ANA, batchOf, question, requestOf, SESSION } from '../../support/requests.ts';

/** One store to put to the test, empty, with the handles that its port does not have. */
export interface StoreHarness {
  readonly store: RequestStore;
  /** The store's own clock: deadlines are judged by it, not by the caller's. */
  now(): number;
  advance(ms: number): Promise<void>;
  /** Every audit row so far, oldest first. */
  auditRows(): Promise<readonly AuditRow[]>;
  /** Makes every audit write fail until it is mended. */
  breakAudit(): Promise<void>;
  mendAudit(): Promise<void>;
  close(): Promise<void>;
}

export type MakeStore = () => Promise<StoreHarness>;

/** A fresh store for each test of the surrounding `describe`. */
export function eachTest(makeStore: MakeStore): () => StoreHarness {
  let harness: StoreHarness | undefined;
  beforeEach(async () => {
    harness = await makeStore();
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

export const WAIT_MS = 300_000;

const BATCH = batchOf(question('Which database should the service use?', ['Postgres', 'SQLite']));

/** A request with one single-select question. `session` is the session's id. */
export function request(requestId: string, more: Partial<NewQuestions> & { sessionId?: string } = {}): NewQuestions {
  const { sessionId = SESSION.sessionId, ...rest } = more;
  return requestOf(requestId, BATCH, { waitMs: WAIT_MS, session: { ...SESSION, sessionId }, ...rest });
}

export function choose(label: string): Decision {
  return { kind: 'answers', sheet: [{ status: 'answered', labels: [label] }] };
}

export const DECLINED: Decision = { kind: 'declined' };

let clicks = 0;

/** Somebody's click; each has its own interaction id unless one is given. */
export function claim(decision: Decision = choose('Postgres'), more: Partial<Claim> = {}): Claim {
  clicks += 1;
  return { decision, actor: ANA, interactionId: `click-${clicks}`, ...more };
}

/** The record of a result, for tests in which it has to be there. */
export function recordIn(result: StoreResult): RequestRecord {
  if (result.record === undefined) throw new Error(`the result ${result.code} came without a record`);
  return result.record;
}

export async function mustRead(store: RequestStore, requestId: string): Promise<RequestRecord> {
  const record = await store.read(requestId);
  if (record === undefined) throw new Error(`${requestId} is not in the store`);
  return record;
}
