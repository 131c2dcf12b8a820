import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../core/actor.ts';
import type { Clock } from '../core/clock.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { type Grant, type GrantEnd, isActive, type NewGrant } from '../core/grants/grant.ts';
import type { NewId } from '../core/ids.ts';
import { newRandomId } from '../core/ids.ts';
import type { AuditRow, AuditSink } from '../core/ports/audit-sink.ts';
import type { GrantResult, GrantStore } from '../core/ports/grant-store.ts';
import type { Logger } from '../core/ports/logger.ts';
import { GRANT_ROW_FACTS, grantRow } from './grant-rows.ts';

export interface MemoryGrantsDeps {
  readonly clock: Clock;
  /** Written before anything changes. The store does not close it. */
  readonly audit: AuditSink;
  readonly log: Logger;
  /** Makes salts. */
  readonly newId?: NewId;
}

/** Grants that are over, and refusals that were lifted: kept to answer what comes late. */
const MOST_KEPT = 1_000;
/** Listed at once. */
const MOST_LISTED = 1_000;

/**
 * The grants of embedded mode: they live and die with their process. Every operation checks, audits and assigns within
 * one tick, so that one of any number of concurrent uses of an action wins.
 */
export function createMemoryGrants({ clock, audit, log, newId = newRandomId }: MemoryGrantsDeps): GrantStore {
  const live = new Map<string, Grant>();
  const over = new Map<string, Grant>();
  /** Taken back before they were stored. */
  const barred = new Map<string, Actor>();
  const lifted = new Map<string, true>();
  const salts = new Map<string, string>();

  const write = (row: AuditRow): boolean => {
    try {
      audit.append(row);
      return true;
    } catch (thrown) {
      const { event, requestId } = row;
      log.error(
        { event, requestId, error: sentenceOf(thrown) },
        'audit rows could not be written; nothing was changed',
      );
      return false;
    }
  };

  const find = (requestId: string) => live.get(requestId) ?? over.get(requestId);

  const finish = (grant: Grant, why: GrantEnd, at: number, by?: Actor): Grant => {
    const ended = { ...grant, ended: { why, at, ...(by === undefined ? {} : { by }) } };
    live.delete(grant.requestId);
    keep(over, grant.requestId, ended);
    return ended;
  };

  const close = (grant: Grant, why: GrantEnd, now: number): GrantResult =>
    write(grantRow('grant_ended', grant, GRANT_ROW_FACTS.grant_ended(why), now))
      ? { code: 'already_resolved', grant: finish(grant, why, now) }
      : { code: 'audit_failed', grant };

  return {
    async grant(added: NewGrant) {
      const now = clock.now();
      const known = find(added.requestId);
      if (known !== undefined) {
        return isDeepStrictEqual(asGranted(known), { ...added })
          ? { code: 'repeated', grant: known }
          : { code: 'not_allowed', grant: known };
      }
      if (barred.has(added.requestId)) return { code: 'already_resolved' };
      if (!write(grantRow('granted', added, GRANT_ROW_FACTS.granted(added), now))) return { code: 'audit_failed' };
      const grant: Grant = { ...added, grantedAt: now, uses: 0 };
      live.set(added.requestId, grant);
      return { code: 'done', grant };
    },

    async use(requestId, use) {
      const now = clock.now();
      const grant = find(requestId);
      if (grant === undefined) return { code: 'not_found' };
      if (grant.usedBy === use.callId && isServed(grant)) return { code: 'repeated', grant };
      if (grant.ended !== undefined) return { code: 'already_resolved', grant };
      if (!isActive(grant, now)) return close(grant, 'time_limit', now);
      if (!write(grantRow('grant_used', grant, GRANT_ROW_FACTS.grant_used(use), now)))
        return { code: 'audit_failed', grant };
      const used = { ...grant, uses: grant.uses + 1, usedBy: use.callId };
      if (grant.covers === 'this-call') return { code: 'done', grant: finish(used, 'used', now) };
      live.set(requestId, used);
      return { code: 'done', grant: used };
    },

    async end(requestId, why) {
      const now = clock.now();
      const grant = find(requestId);
      if (grant === undefined) return { code: 'not_found' };
      if (grant.ended !== undefined) return { code: grant.ended.why === why ? 'repeated' : 'already_resolved', grant };
      const result = close(grant, why, now);
      return result.code === 'already_resolved' && result.grant !== undefined
        ? { code: 'done', grant: result.grant }
        : result;
    },

    async revoke(requestId, by) {
      const now = clock.now();
      const grant = find(requestId);
      if (grant?.ended !== undefined)
        return { code: grant.ended.why === 'revoked' ? 'repeated' : 'already_resolved', grant };
      if (grant === undefined && barred.has(requestId)) return { code: 'not_found' };
      const row = grantRow('grant_revoked', grant ?? { requestId }, GRANT_ROW_FACTS.grant_revoked(by), now);
      if (!write(row)) return { code: 'audit_failed', ...(grant === undefined ? {} : { grant }) };
      if (grant !== undefined) return { code: 'done', grant: finish(grant, 'revoked', now, by) };
      keep(barred, requestId, by);
      return { code: 'not_found' };
    },

    async read(requestId) {
      return find(requestId);
    },
    async listActive(sessionId) {
      const now = clock.now();
      return [...live.values()]
        .filter((grant) => isActive(grant, now) && (sessionId === undefined || grant.sessionId === sessionId))
        .sort((a, b) => a.grantedAt - b.grantedAt || (a.requestId < b.requestId ? -1 : 1))
        .slice(0, MOST_LISTED);
    },

    async liftRefusal(requestId, by) {
      if (lifted.has(requestId)) return;
      if (!write(grantRow('refusal_lifted', { requestId }, GRANT_ROW_FACTS.refusal_lifted(by), clock.now())))
        throw new HandraiseError('The audit file could not be written', { code: 'store' });
      keep(lifted, requestId, true);
    },
    async isLifted(requestId) {
      return lifted.has(requestId);
    },

    async salt(sessionId) {
      const known = salts.get(sessionId) ?? newId();
      salts.set(sessionId, known);
      return known;
    },
  };
}

/** As its owner handed it over. */
function asGranted({ grantedAt: _, uses: __, usedBy: ___, ended: ____, ...granted }: Grant): NewGrant {
  return granted;
}

/** Not when it was taken back, or ran out, after it had served that call. */
function isServed({ ended }: Grant): boolean {
  return ended === undefined || ended.why === 'used';
}

/** The newest only. */
function keep<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
}
