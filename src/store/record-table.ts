import { sentenceOf } from '../core/errors.ts';
import { transition } from '../core/lifecycle.ts';
import type { AuditRow, AuditSink } from '../core/ports/audit-sink.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Unsubscribe } from '../core/ports/request-store.ts';
import type { RequestRecord } from '../core/request.ts';
import { rowsOf } from './audit-rows.ts';
import { EndedRecords } from './ended-records.ts';
import { nextToShow } from './session-queue.ts';
import { createWakeUps, type WakeUps } from './wake-ups.ts';
import { WorkList } from './work-list.ts';

/** Topic of everybody who watches. Owners' topics have a prefix, so that no owner id can be it. */
const EVERY_REQUEST = 'requests';
const ownerTopic = (ownerId: string) => `owner:${ownerId}`;

/** The memory store's state: all records, and the one way in which they change. Synchronous throughout. */
export class RecordTable {
  /** In order of creation. */
  readonly #unfinished = new Map<string, RequestRecord>();
  /** The same by session, so that what a request costs does not grow with other sessions. */
  readonly #sessions = new Map<string, Map<string, RequestRecord>>();
  readonly #ended = new EndedRecords();
  readonly #wakeUps: WakeUps;
  readonly #audit: AuditSink;
  readonly #log: Logger;
  readonly #isUnsure: (requestId: string) => boolean;
  readonly work = new WorkList();

  /** `isUnsure`: whether a post of this request got lost. */
  constructor(audit: AuditSink, log: Logger, isUnsure: (requestId: string) => boolean) {
    this.#isUnsure = isUnsure;
    this.#audit = audit;
    this.#log = log;
    this.#wakeUps = createWakeUps(log);
  }

  find(requestId: string): RequestRecord | undefined {
    return this.#unfinished.get(requestId) ?? this.#ended.get(requestId);
  }

  unfinished(): RequestRecord[] {
    return [...this.#unfinished.values()];
  }

  unfinishedOf(sessionId: string): RequestRecord[] {
    return [...(this.#sessions.get(sessionId)?.values() ?? [])];
  }

  forgetEndedBefore(now: number): void {
    this.#ended.forgetBefore(now);
  }

  /**
   * Puts new states of requests in force, with those that open because of them: first the rows, all in one append, then
   * the states, then the wake-ups. False means that the rows could not be written and nothing was changed.
   */
  commit(changed: readonly RequestRecord[], rows: readonly AuditRow[], now: number): boolean {
    const shown = this.#shownBecauseOf(changed, now);
    if (!this.write([...rows, ...shown.map((record) => rowsOf('shown', record, now))])) return false;
    const next = new Map([...changed, ...shown].map((record) => [record.requestId, record]));
    for (const record of next.values()) this.#assign(record);
    return true;
  }

  /** Whether the rows are durable. */
  write(rows: readonly AuditRow[]): boolean {
    try {
      this.#audit.append(...rows);
      return true;
    } catch (thrown) {
      const what = { events: rows.map((row) => row.event), requestId: rows[0]?.requestId };
      this.#log.error({ ...what, error: sentenceOf(thrown) }, 'audit rows could not be written; nothing was changed');
      return false;
    }
  }

  watchOwner(ownerId: string, wake: (requestId: string) => void): Unsubscribe {
    return this.#wakeUps.add(ownerTopic(ownerId), wake);
  }

  watchRequests(wake: (requestId: string) => void): Unsubscribe {
    return this.#wakeUps.add(EVERY_REQUEST, wake);
  }

  #shownBecauseOf(changed: readonly RequestRecord[], now: number): RequestRecord[] {
    const sessions = new Set(changed.map((record) => record.session.sessionId));
    return [...sessions].flatMap((sessionId) => {
      const ofSession = changed.filter((record) => record.session.sessionId === sessionId);
      const after = new Map(
        [...this.unfinishedOf(sessionId), ...ofSession].map((record) => [record.requestId, record]),
      );
      const head = nextToShow(after.values(), now);
      const moved = head === undefined ? undefined : transition(head, { type: 'show', at: now });
      return moved?.ok === true ? [moved.record] : [];
    });
  }

  #assign(record: RequestRecord): void {
    const { requestId, status, ownerId } = record;
    const before = this.find(requestId);
    if (status === 'ended') {
      this.#remove(record);
      this.#ended.set(record);
    } else {
      this.#keep(record);
    }
    this.#wakeUps.call(ownerTopic(ownerId), requestId);
    this.work.changed(before, record, status === 'ended' && this.#isUnsure(requestId));
    const isNew = before?.status !== status || before.ballot !== record.ballot;
    if (isNew && status !== 'queued') this.#wakeUps.call(EVERY_REQUEST, requestId);
  }

  #keep(record: RequestRecord): void {
    const { requestId, session } = record;
    this.#unfinished.set(requestId, record);
    const ofSession = this.#sessions.get(session.sessionId) ?? new Map<string, RequestRecord>();
    this.#sessions.set(session.sessionId, ofSession.set(requestId, record));
  }

  #remove({ requestId, session: { sessionId } }: RequestRecord): void {
    this.#unfinished.delete(requestId);
    const ofSession = this.#sessions.get(sessionId);
    ofSession?.delete(requestId);
    if (ofSession?.size === 0) this.#sessions.delete(sessionId);
  }
}
