import type { Clock } from '../core/clock.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { type LifecycleEvent, newRecord, transition, withCard, withPostFailure } from '../core/lifecycle.ts';
import type { AuditRow, AuditSink } from '../core/ports/audit-sink.ts';
import type { CardJournal, JournalEntry } from '../core/ports/card-journal.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { RequestStore, StoreResult } from '../core/ports/request-store.ts';
import { Recent } from '../core/recent.ts';
import type { RequestRecord } from '../core/request.ts';
import { endOfAbandoned } from './abandoned.ts';
import {
  cardFailed,
  cardPosted,
  cardSettled,
  clickRefused,
  REFUSAL_REMEMBERED_MS,
  rowsOf,
  rowsOfVote,
} from './audit-rows.ts';
import { MemoryDrafts } from './memory-drafts.ts';
import { createMemoryLeases } from './memory-leases.ts';
import { PostingTurns } from './posting-turns.ts';
import { RecordTable } from './record-table.ts';
import { carriersOf } from './session-queue.ts';

export interface MemoryStoreDeps {
  readonly clock: Clock;
  /** Written before anything changes. The store does not close it. */
  readonly audit: AuditSink;
  /** Told about every card. The store does not close it. */
  readonly journal: CardJournal;
  readonly log: Logger;
}

/**
 * The store of embedded mode: lives and dies with its process. Every operation checks, audits and assigns within one
 * tick, without an await between, so that one of any number of concurrent claims wins. Ended requests are kept as
 * `EndedRecords` says. A request whose recorded answer is on its way cannot be superseded: the newer one queues behind.
 */
export function createMemoryStore({ clock, audit, journal, log }: MemoryStoreDeps): RequestStore {
  const turns = new PostingTurns();
  const refused = new Recent<true>(clock, REFUSAL_REMEMBERED_MS);
  const table = new RecordTable(audit, log, (requestId) => turns.isUnsure(requestTurn(requestId)));
  const leases = createMemoryLeases(clock);
  const drafts = new MemoryDrafts((requestId) => {
    const record = table.find(requestId);
    return record?.status === 'open' && clock.now() < (record.deadline ?? 0);
  });

  const move = (
    requestId: string,
    event: LifecycleEvent,
    audited: readonly ('claimed' | 'delivered' | 'ended')[],
    now: number,
  ): StoreResult => {
    const record = table.find(requestId);
    if (record === undefined) return { code: 'not_found' };
    const moved = transition(record, event);
    if (!moved.ok) return { code: moved.refusal, record };
    const rows = audited.map((name) => rowsOf(name, moved.record, now));
    return put(record, moved.record, rows, now);
  };

  const put = (before: RequestRecord, next: RequestRecord, rows: readonly AuditRow[], now: number): StoreResult =>
    table.commit([next], rows, now) ? { code: 'done', record: next } : { code: 'audit_failed', record: before };

  /** For operations without a result to put a code in. */
  const mustBeWritten = (row: AuditRow): void => {
    if (!table.write([row])) throw new HandraiseError('The audit file could not be written', { code: 'store' });
  };

  /** For the entries by which the next run knows that a card may hang there, and that one is settled. */
  const mustBeJournalled = (entry: JournalEntry): void => {
    try {
      journal.append(entry);
    } catch (cause) {
      throw new HandraiseError('The card journal could not be written', { code: 'store', cause });
    }
  };

  /** An entry between those two: without it the next run has to look into the channel, no more. */
  const note = (entry: JournalEntry): void => {
    try {
      journal.append(entry);
    } catch (thrown) {
      log.error({ requestId: entry.requestId, entry: entry.kind, error: sentenceOf(thrown) }, 'card journal failed');
    }
  };

  return {
    leases,

    async open(request) {
      const now = clock.now();
      table.forgetEndedBefore(now);
      const known = table.find(request.requestId);
      if (known !== undefined) return { code: 'not_allowed', record: known };
      const superseded = carriersOf(request.pendingId, table.unfinishedOf(request.session.sessionId))
        .map((record) => transition(record, { type: 'close', outcome: { kind: 'superseded' }, at: now }))
        .flatMap((moved) => (moved.ok ? [moved.record] : []));
      const queued = newRecord(request, now);
      const shown = request.kind === 'proposal' ? transition(queued, { type: 'show', at: now }) : undefined;
      const record = shown?.ok === true ? shown.record : queued;
      const rows = [
        ...superseded.map((old) => rowsOf('ended', old, now)),
        rowsOf('asked', record, now),
        ...(record === queued ? [] : [rowsOf('shown', record, now)]),
      ];
      if (!table.commit([...superseded, record], rows, now)) return { code: 'audit_failed' };
      return { code: 'done', record: table.find(request.requestId) ?? record };
    },
    async read(requestId) {
      return table.find(requestId);
    },
    async listUnfinished() {
      return table.unfinished().sort(byCreation);
    },

    async claim(requestId, claim) {
      const winner = table.find(requestId);
      if (winner?.verdict?.interactionId === claim.interactionId) return { code: 'repeated', record: winner };
      const now = clock.now();
      const { ballot, ...verdict } = claim;
      const isLate = ballot !== undefined && winner?.status === 'open' && ballot !== (winner.ballot?.revision ?? 0);
      if (isLate) return { code: 'votes_changed', record: winner };
      return move(requestId, { type: 'claim', verdict: { ...verdict, at: now } }, ['claimed'], now);
    },
    async vote(requestId, cast) {
      const record = table.find(requestId);
      if (record === undefined) return { code: 'not_found' };
      const { vote, kept, replaces } = cast;
      if (record.ballot?.cast.some(({ interactionId }) => interactionId === vote.interactionId)) {
        return { code: 'repeated', record };
      }
      const now = clock.now();
      const moved = transition(record, { type: 'vote', vote, cast: kept, at: now });
      if (!moved.ok) return { code: moved.refusal, record };
      if (replaces !== (record.ballot?.revision ?? 0)) return { code: 'votes_changed', record };
      return put(record, moved.record, rowsOfVote(moved.record, cast, now), now);
    },
    async confirm(requestId) {
      const now = clock.now();
      return move(requestId, { type: 'confirm', at: now }, ['delivered', 'ended'], now);
    },
    async close(requestId, outcome) {
      const now = clock.now();
      return move(requestId, { type: 'close', outcome, at: now }, ['ended'], now);
    },

    async recordPosting(requestId, place, lease) {
      const record = table.find(requestId);
      if (record === undefined) throw new HandraiseError(`There is no request ${requestId}`, { code: 'store' });
      mustBeJournalled({ kind: 'posting', requestId, sessionId: record.session.sessionId, place });
      if (lease === undefined) return { turn: 'yours', lookFirst: false };
      return turns.take(requestTurn(requestId), place, lease, clock.now());
    },
    async recordThreadPosting(sessionId, place, lease) {
      return turns.take(threadTurn(sessionId), place, lease, clock.now());
    },
    async recordThread(sessionId, place, thread) {
      turns.posted(threadTurn(sessionId), place, thread);
    },
    async recordCard(requestId, card) {
      const record = table.find(requestId);
      if (record === undefined) return { code: 'not_found' };
      // Before the audit: the card hangs in the channel whatever happens here.
      note({ kind: 'posted', requestId, card });
      turns.posted(requestTurn(requestId), card);
      const next = withCard(record, card);
      if (next === record) return { code: 'done', record };
      const now = clock.now();
      const isNew = next.cards.length > record.cards.length;
      return put(record, next, isNew ? [cardPosted(next, card, now)] : [], now);
    },
    async recordPostFailure(requestId, failure) {
      const record = table.find(requestId);
      if (record === undefined) return { code: 'not_found' };
      const { platform, channel } = failure;
      if (failure.permanent) {
        note({ kind: 'not_posted', requestId, place: { platform, channel } });
        turns.free(requestTurn(requestId), failure);
      }
      const now = clock.now();
      const next = withPostFailure(record, failure);
      return put(record, next, [cardFailed(next, failure, now)], now);
    },
    async giveUpPost(requestId, { platform, channel }) {
      const place = { platform, channel };
      note({ kind: 'not_posted', requestId, place });
      turns.free(requestTurn(requestId), place);
      const record = table.find(requestId);
      if (record !== undefined) table.work.restWhenSettled(record, turns.isUnsure(requestTurn(requestId)));
    },
    async recordSettled(requestId, card) {
      // Before the audit: the card is drawn whatever happens here.
      mustBeJournalled({ kind: 'settled', requestId, card });
      const record = table.find(requestId);
      mustBeWritten(cardSettled(requestId, record, card, clock.now()));
      if (record !== undefined) table.work.settled(record, card, turns.isUnsure(requestTurn(requestId)));
    },
    async recordRefusedClick(requestId, click) {
      const name = `${requestId} ${click.claim.interactionId}`;
      if (refused.get(name) !== undefined) return;
      mustBeWritten(clickRefused(requestId, table.find(requestId), click, clock.now()));
      refused.set(name, true);
    },

    async readDraft(requestId) {
      return drafts.read(requestId);
    },
    async writeDraft(requestId, body, replaces) {
      return drafts.write(requestId, body, replaces);
    },

    async listWork() {
      return table.work.list();
    },
    async rest(requestId, status) {
      table.work.rest(requestId, status, table.find(requestId)?.status);
    },
    async sweep() {
      const now = clock.now();
      const lost = new Set(leases.lostOwners());
      const swept = queuedFirst(table.unfinished()).flatMap((record) => {
        const outcome = endOfAbandoned(record, { now, ownerIsLost: lost.has(record.ownerId) });
        if (outcome === undefined) return [];
        const { code } = move(record.requestId, { type: 'close', outcome, at: now }, ['ended'], now);
        return code === 'done' ? [record.requestId] : [];
      });
      const left = new Set(table.unfinished().map((record) => record.ownerId));
      for (const ownerId of lost) if (!left.has(ownerId)) leases.forgetOwner(ownerId);
      return swept;
    },

    async watchOwner(ownerId, wake) {
      return table.watchOwner(ownerId, wake);
    },
    async watchRequests(wake) {
      return table.watchRequests(wake);
    },
  };
}

/** What has its turns: a request's card, and the thread of a session. No id can make one the other. */
function requestTurn(requestId: string): string {
  return `request ${requestId}`;
}

function threadTurn(sessionId: string): string {
  return `thread ${sessionId}`;
}

/** So that none of a lost owner's opens because the one before it ended. */
function queuedFirst(records: readonly RequestRecord[]): RequestRecord[] {
  return records.toSorted((a, b) => Number(b.status === 'queued') - Number(a.status === 'queued'));
}

function byCreation(a: RequestRecord, b: RequestRecord): number {
  return a.createdAt - b.createdAt || (a.requestId < b.requestId ? -1 : 1);
}
