import type { Redis } from 'ioredis';
import type { Logger } from '../../core/ports/logger.ts';
import type { StoreResult } from '../../core/ports/request-store.ts';
import type { RequestRecord } from '../../core/request.ts';
import type { StoreRefusal } from '../../core/store-codes.ts';
import { type RedisConnection, RedisError } from './connection.ts';
import { type Content, Replies } from './replies.ts';

/** Whether nobody can tell if the operation that threw was carried out. */
export function isAmbiguous(thrown: unknown): boolean {
  return thrown instanceof RedisError && thrown.ambiguous;
}

/** Runs scripts and makes results of their replies; what to do without a reply is part of each kind of operation. */
export class Operations {
  readonly #commands: RedisConnection;
  readonly #log: Logger;
  readonly #replies: Replies;

  /** `seen` is told about every record that was read. */
  constructor(commands: RedisConnection, log: Logger, seen: (record: RequestRecord) => void) {
    this.#commands = commands;
    this.#log = log;
    this.#replies = new Replies(log, seen);
  }

  async result(requestId: string, script: (redis: Redis) => Promise<unknown>): Promise<StoreResult> {
    return this.#replies.result(await this.#commands.run(script), requestId);
  }

  async read(ids: readonly string[], onDamaged: (damage: unknown) => void): Promise<(RequestRecord | undefined)[]> {
    return this.#replies.records(
      await this.#commands.run((redis) => redis.readRequests(...ids), { changes: false }),
      onDamaged,
    );
  }

  /** Throws for a record that cannot be understood. */
  async readOne(requestId: string): Promise<RequestRecord | undefined> {
    const [record] = await this.read([requestId], (damage) => {
      throw damage;
    });
    return record;
  }

  async content(requestId: string): Promise<Content | undefined> {
    return this.#replies.content(requestId) ?? ((await this.readOne(requestId)) && this.#replies.content(requestId));
  }

  /** A script that must not be sent twice. Without an answer, the record tells; if it does not, nobody can. */
  async once(
    requestId: string,
    script: (redis: Redis) => Promise<unknown>,
    isOurs: (record: RequestRecord) => boolean,
    refusal: (record: RequestRecord) => StoreRefusal | undefined,
  ): Promise<StoreResult> {
    try {
      return await this.result(requestId, script);
    } catch (thrown) {
      if (!isAmbiguous(thrown)) throw thrown;
      const record = await this.readOne(requestId);
      this.#log.warn({ requestId, status: record?.status }, 'an operation without an answer was read back');
      if (record === undefined) return { code: 'not_found' };
      if (isOurs(record)) return { code: 'done', record };
      const code = refusal(record);
      if (code === undefined) throw thrown;
      return { code, record };
    }
  }

  /** A script that may be sent twice, because it refuses what it finds done: read back, and sent again if need be. */
  async atLeastOnce(
    requestId: string,
    script: (redis: Redis) => Promise<unknown>,
    isOurs: (record: RequestRecord) => boolean,
  ): Promise<StoreResult> {
    try {
      return await this.result(requestId, script);
    } catch (thrown) {
      if (!isAmbiguous(thrown)) throw thrown;
      const record = await this.readOne(requestId);
      this.#log.warn({ requestId, status: record?.status }, 'an operation without an answer was read back');
      if (record !== undefined && isOurs(record)) return { code: 'done', record };
      const result = await this.result(requestId, script);
      return result.record !== undefined && isOurs(result.record) ? { code: 'done', record: result.record } : result;
    }
  }

  /** A script that writes a row and has no result. Not repeated without a reply: the caller is told, and tries again. */
  async note(requestId: string, script: (redis: Redis) => Promise<unknown>): Promise<void> {
    this.#replies.mustBeDone(await this.#commands.run(script), requestId);
  }

  /** Ids that were ended, a part of all there may be. */
  async sweepOnce(judgesOwners: boolean): Promise<readonly string[]> {
    return this.#replies.swept(await this.#commands.run((redis) => redis.sweep(judgesOwners ? '1' : '')));
  }
}
