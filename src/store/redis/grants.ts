import type { Redis } from 'ioredis';
import * as z from 'zod';
import type { Actor } from '../../core/actor.ts';
import type { Clock } from '../../core/clock.ts';
import { HandraiseError, sentenceOf } from '../../core/errors.ts';
import type { Grant, GrantEnd, NewGrant } from '../../core/grants/grant.ts';
import { newRandomId } from '../../core/ids.ts';
import type { GrantResult, GrantStore, GrantUse } from '../../core/ports/grant-store.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { KEEP_ENDED_MS } from '../ended-records.ts';
import { GRANT_ROW_FACTS } from '../grant-rows.ts';
import { codeOf } from './codes.ts';
import type { RedisConnection } from './connection.ts';
import { grantIn, grantSnapshot } from './grant-snapshot.ts';
import type { Keys } from './keys.ts';
import { LONGEST_WAIT_MS } from './lifetimes.ts';
import { membersOf } from './row-members.ts';

/** Listed at once. */
const MOST_LISTED = 1_000;

/** A salt is kept this long after it was last asked for: longer than any grant that it could matter to. */
const KEEP_SALT_MS = KEEP_ENDED_MS + LONGEST_WAIT_MS;

const replySchema = z.union([
  z.tuple([z.int(), grantSnapshot.nullable()]),
  z.tuple([z.int(), grantSnapshot.nullable(), z.string()]),
]);
const listSchema = z.array(z.tuple([z.string(), grantSnapshot]));

export interface RedisGrantsParts {
  readonly commands: RedisConnection;
  readonly keys: Keys;
  /** The server's. */
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Grants over many processes. Every script says `repeated` to what it has carried out before, so that one whose reply was
 * lost is sent again. Owners write the grant, gateways whether it was taken back.
 */
export class RedisGrants implements GrantStore {
  readonly #commands: RedisConnection;
  readonly #keys: Keys;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor({ commands, keys, clock, log }: RedisGrantsParts) {
    this.#commands = commands;
    this.#keys = keys;
    this.#clock = clock;
    this.#log = log;
  }

  async grant(grant: NewGrant): Promise<GrantResult> {
    const { requestId, sessionId, ownerId, endsAt, covers } = grant;
    const keepMs = Math.max(0, (endsAt ?? 0) - this.#clock.now()) + KEEP_ENDED_MS;
    return this.#result(requestId, (redis) =>
      redis.recordGrant(
        ...[this.#keys.request(requestId, 'grant'), requestId, JSON.stringify(grant), sessionId, ownerId],
        ...[endsAt ?? '', covers === 'this-call' ? '1' : '', Math.ceil(keepMs)],
        membersOf(GRANT_ROW_FACTS.granted(grant)),
      ),
    );
  }

  async use(requestId: string, use: GrantUse): Promise<GrantResult> {
    return this.#result(requestId, (redis) =>
      redis.useGrant(
        ...[this.#keys.request(requestId, 'grant'), requestId, use.callId],
        ...[membersOf(GRANT_ROW_FACTS.grant_used(use)), membersOf(GRANT_ROW_FACTS.grant_ended('time_limit'))],
      ),
    );
  }

  async end(requestId: string, why: Exclude<GrantEnd, 'used' | 'revoked'>): Promise<GrantResult> {
    const members = membersOf(GRANT_ROW_FACTS.grant_ended(why));
    const key = this.#keys.request(requestId, 'grant');
    return this.#result(requestId, (redis) => redis.endGrant(key, requestId, why, members));
  }

  async revoke(requestId: string, by: Actor): Promise<GrantResult> {
    const [key, members] = [this.#keys.request(requestId, 'revoked'), membersOf(GRANT_ROW_FACTS.grant_revoked(by))];
    return this.#result(requestId, (redis) =>
      redis.revokeGrant(key, requestId, JSON.stringify(by), KEEP_ENDED_MS, members),
    );
  }

  async read(requestId: string): Promise<Grant | undefined> {
    const reply = await this.#commands.run((redis) => redis.readGrant(requestId), { changes: false });
    const snapshot = grantSnapshot.nullable().parse(reply);
    return snapshot === null ? undefined : grantIn(requestId, snapshot);
  }

  async listActive(sessionId?: string): Promise<readonly Grant[]> {
    const list = (redis: Redis) => redis.activeGrants(sessionId ?? '', MOST_LISTED);
    const found = listSchema.parse(await this.#commands.run(list, { changes: false }));
    return found.flatMap(([requestId, snapshot]) => {
      try {
        return [grantIn(requestId, snapshot)];
      } catch (thrown) {
        // One that is damaged allows nothing, and must not stand in the way of the others.
        this.#log.error({ requestId, error: sentenceOf(thrown) }, 'a stored grant cannot be read');
        return [];
      }
    });
  }

  async liftRefusal(requestId: string, by: Actor): Promise<void> {
    const key = this.#keys.request(requestId, 'lifted');
    const members = membersOf(GRANT_ROW_FACTS.refusal_lifted(by));
    const lift = (redis: Redis) => redis.liftRefusal(key, requestId, KEEP_ENDED_MS, members);
    const [code] = z
      .tuple([z.int()])
      .rest(z.unknown())
      .parse(await this.#commands.run(lift, { changes: false }));
    if (codeOf(code) !== 'done') throw new HandraiseError('An audit row could not be written.', { code: 'store' });
  }

  async isLifted(requestId: string): Promise<boolean> {
    const key = this.#keys.request(requestId, 'lifted');
    return (await this.#commands.run((redis) => redis.exists(key), { changes: false })) === 1;
  }

  async salt(sessionId: string): Promise<string> {
    const key = this.#keys.session(sessionId, 'salt');
    const fresh = newRandomId();
    const ask = (redis: Redis) => redis.sessionSalt(key, fresh, KEEP_SALT_MS);
    return z
      .string()
      .min(1)
      .parse(await this.#commands.run(ask, { changes: false }));
  }

  async #result(requestId: string, script: (redis: Redis) => Promise<unknown>): Promise<GrantResult> {
    const [integer, snapshot, error] = replySchema.parse(await this.#commands.run(script, { changes: false }));
    const code = codeOf(integer);
    const grant = snapshot === null ? undefined : grantIn(requestId, snapshot);
    if ((code === 'done' || code === 'repeated') && grant !== undefined) return { code, grant };
    if (!isRefusal(code)) throw new HandraiseError(`A script about a grant replied with ${code}.`, { code: 'store' });
    if (code === 'audit_failed') {
      this.#log.error({ requestId, error }, 'audit rows could not be written; nothing was changed');
    }
    return { code, ...(grant === undefined ? {} : { grant }) };
  }
}

type GrantRefusal = Exclude<GrantResult['code'], 'done' | 'repeated'>;

function isRefusal(code: string): code is GrantRefusal {
  const refusals: readonly string[] = [
    'not_found',
    'already_resolved',
    'not_allowed',
    'audit_failed',
  ] satisfies GrantRefusal[];
  return refusals.includes(code);
}
