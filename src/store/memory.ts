import type { Clock } from '../core/clock.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { type LifecycleEvent, newRecord, transition, withCard, withPostFailure } from '../core/lifecycle.ts';
import type { AuditRow, AuditSink } from '../core/ports/audit-sink.ts';
import type { CardJournal, JournalEntry } from '../core/ports/card-journal.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { RequestStore, StoreResult } from '../core/ports/request-store.ts';
import type { RequestRecord } from '../core/request.ts';
import { cardFailed, cardPosted, cardSettled, clickRefused, rowsOf } from './audit-rows.ts';
import { EndedRecords } from './ended-records.ts';
import { carriersOf, nextToShow } from './session-queue.ts';
import { createWakeUps } from './wake-ups.ts';

export interface MemoryStoreDeps {
  readonly clock: Clock;
  /** Written before anything changes. The store does not close it. */
  readonly audit: AuditSink;
  /** Told about every card. The store does not close it. */
  readonly journal: CardJournal;
  readonly log: Logger;
}

/** Topic of `watchRequests`. Owners' topics have a prefix, so that no owner id can be it. */
const EVERY_REQUEST = 'requests';
const ownerTopic = (ownerId: string) => `owner:${ownerId}`;

/**
 * The store of embedded mode: lives and dies with its process. Every operation checks, audits and assigns within one
 * tick, without an await between, so that one of any number of concurrent claims wins. Ended requests are kept as
 * `EndedRecords` says. A request whose recorded answer is on its way cannot be superseded: the newer one queues behind.
 */
export function createMemoryStore({ clock, audit, journal, log }: MemoryStoreDeps): RequestStore {
  /** In order of creation. */
  const unfinished = new Map<string, RequestRecord>();
  const ended = new EndedRecords();
  const wakeUps = createWakeUps(log);

  const find = (requestId: string) => unfinished.get(requestId) ?? ended.get(requestId);

  /**
   * Puts new states of requests in force, with the ones that open because of them: rows first, all in one append. A
   * false means that the rows could not be written and nothing was changed.
   */
  const commit = (changed: readonly RequestRecord[], rows: readonly AuditRow[], now: number): boolean => {
    const next = new Map(changed.map((record) => [record.requestId, record]));
    const after = new Map([...unfinished, ...next]);
    const shown: AuditRow[] = [];
    for (const sessionId of new Set(changed.map((record) => record.session.sessionId))) {
      const head = nextToShow(after.values(), sessionId, now);
      const moved = head === undefined ? undefined : transition(head, { type: 'show', at: now });
      if (moved?.ok !== true) continue;
      next.set(moved.record.requestId, moved.record);
      shown.push(rowsOf('shown', moved.record, now));
    }
    if (!written([...rows, ...shown])) return false;
    for (const record of next.values()) assign(record);
    return true;
  };

  const assign = (record: RequestRecord): void => {
    const { requestId, status, ownerId } = record;
    const before = find(requestId);
    if (status === 'ended') {
      unfinished.delete(requestId);
      ended.set(record);
    } else {
      unfinished.set(requestId, record);
    }
    wakeUps.call(ownerTopic(ownerId), requestId);
    if (before?.status !== status && status !== 'queued') wakeUps.call(EVERY_REQUEST, requestId);
  };

  const written = (rows: readonly AuditRow[]): boolean => {
    try {
      audit.append(...rows);
      return true;
    } catch (thrown) {
      const what = { events: rows.map((row) => row.event), requestId: rows[0]?.requestId };
      log.error({ ...what, error: sentenceOf(thrown) }, 'audit rows could not be written; nothing was changed');
      return false;
    }
  };

  /** For operations without a result to put a code in. */
  const mustBeWritten = (row: AuditRow): void => {
    if (!written([row])) throw new HandraiseError('The audit file could not be written', { code: 'store' });
  };

  const move = (
    requestId: string,
    event: LifecycleEvent,
    audited: readonly ('claimed' | 'delivered' | 'ended')[],
    now: number,
  ): StoreResult => {
    const record = find(requestId);
    if (record === undefined) return { code: 'not_found' };
    const moved = transition(record, event);
    if (!moved.ok) return { code: moved.refusal, record };
    const rows = audited.map((name) => rowsOf(name, moved.record, now));
    return commit([moved.record], rows, now)
      ? { code: 'done', record: moved.record }
      : { code: 'audit_failed', record };
  };

  /** A journal that fails later than `recordPosting` costs only the next run a look into the channel. */
  const note = (entry: JournalEntry): void => {
    try {
      journal.append(entry);
    } catch (thrown) {
      log.error({ requestId: entry.requestId, entry: entry.kind, error: sentenceOf(thrown) }, 'card journal failed');
    }
  };

  return {
    async open(request) {
      const now = clock.now();
      ended.forgetBefore(now);
      const known = find(request.requestId);
      if (known !== undefined) return { code: 'not_allowed', record: known };
      const superseded = carriersOf(request.pendingId, request.session.sessionId, unfinished.values())
        .map((record) => transition(record, { type: 'close', outcome: { kind: 'superseded' }, at: now }))
        .flatMap((moved) => (moved.ok ? [moved.record] : []));
      const record = newRecord(request, now);
      const rows = [...superseded.map((old) => rowsOf('ended', old, now)), rowsOf('asked', record, now)];
      if (!commit([...superseded, record], rows, now)) return { code: 'audit_failed' };
      return { code: 'done', record: find(request.requestId) ?? record };
    },
    async read(requestId) {
      return find(requestId);
    },
    async listUnfinished() {
      return [...unfinished.values()].sort(byCreation);
    },

    async claim(requestId, claim) {
      const winner = find(requestId);
      if (winner?.verdict?.interactionId === claim.interactionId) return { code: 'repeated', record: winner };
      const now = clock.now();
      const { decision, actor, interactionId } = claim;
      return move(requestId, { type: 'claim', verdict: { decision, actor, interactionId, at: now } }, ['claimed'], now);
    },
    async confirm(requestId) {
      const now = clock.now();
      return move(requestId, { type: 'confirm', at: now }, ['delivered', 'ended'], now);
    },
    async close(requestId, outcome) {
      const now = clock.now();
      return move(requestId, { type: 'close', outcome, at: now }, ['ended'], now);
    },

    async recordPosting(requestId, place) {
      const record = find(requestId);
      if (record === undefined) throw new HandraiseError(`There is no request ${requestId}`, { code: 'store' });
      try {
        journal.append({ kind: 'posting', requestId, sessionId: record.session.sessionId, place });
      } catch (cause) {
        throw new HandraiseError('The card journal could not be written', { code: 'store', cause });
      }
    },
    async recordCard(requestId, card) {
      const record = find(requestId);
      if (record === undefined) return { code: 'not_found' };
      // Before the audit: the card hangs in the channel whatever happens here.
      note({ kind: 'posted', requestId, card });
      const next = withCard(record, card);
      if (next === record) return { code: 'done', record };
      const now = clock.now();
      return commit([next], [cardPosted(next, card, now)], now)
        ? { code: 'done', record: next }
        : { code: 'audit_failed', record };
    },
    async recordPostFailure(requestId, failure) {
      const record = find(requestId);
      if (record === undefined) return { code: 'not_found' };
      const { platform, channel } = failure;
      if (failure.permanent) note({ kind: 'not_posted', requestId, place: { platform, channel } });
      const next = withPostFailure(record, failure);
      const now = clock.now();
      return commit([next], [cardFailed(next, failure, now)], now)
        ? { code: 'done', record: next }
        : { code: 'audit_failed', record };
    },
    async recordSettled(requestId, card) {
      mustBeWritten(cardSettled(requestId, find(requestId), card, clock.now()));
      note({ kind: 'settled', requestId, card });
    },
    async recordRefusedClick(requestId, click) {
      mustBeWritten(clickRefused(requestId, find(requestId), click, clock.now()));
    },

    async watchOwner(ownerId, wake) {
      return wakeUps.add(ownerTopic(ownerId), wake);
    },
    async watchRequests(wake) {
      return wakeUps.add(EVERY_REQUEST, wake);
    },
  };
}

function byCreation(a: RequestRecord, b: RequestRecord): number {
  return a.createdAt - b.createdAt || (a.requestId < b.requestId ? -1 : 1);
}
