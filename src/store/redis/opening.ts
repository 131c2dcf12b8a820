import { sentenceOf } from '../../core/errors.ts';
import { offeredPicks } from '../../core/picks.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { StoreResult } from '../../core/ports/request-store.ts';
import { type NewRequest, QUEUE_FACTOR, type RequestRecord } from '../../core/request.ts';
import { stepOf } from '../audit-rows.ts';
import { KEEP_ENDED_MS } from '../ended-records.ts';
import type { RedisConnection } from './connection.ts';
import { type Keys, ownersKeys } from './keys.ts';
import { keepMsOf } from './lifetimes.ts';
import { isAmbiguous, type Operations } from './operations.ts';
import type { OwnRequests } from './own-requests.ts';
import { digestOf } from './replies.ts';
import { membersOf } from './row-members.ts';
import { Withdrawals } from './withdrawals.ts';

export interface OpeningParts {
  readonly commands: RedisConnection;
  readonly operations: Operations;
  readonly own: OwnRequests;
  readonly keys: Keys;
  readonly log: Logger;
  /** Ends a request that was opened although its opening failed. */
  readonly cancel: (requestId: string) => Promise<unknown>;
}

/** Opens requests, and makes sure that one whose opening failed does not open behind its owner's back. */
export class Opening {
  readonly #operations: Operations;
  readonly #own: OwnRequests;
  readonly #keys: Keys;
  readonly #log: Logger;
  readonly #withdrawals: Withdrawals;

  constructor({ commands, operations, own, keys, log, cancel }: OpeningParts) {
    this.#operations = operations;
    this.#own = own;
    this.#keys = keys;
    this.#log = log;
    const withdraw = async (requestId: string) => {
      if ((await this.#bar(requestId)) !== undefined) await cancel(requestId);
    };
    this.#withdrawals = new Withdrawals(commands, withdraw, log);
  }

  async open(request: NewRequest): Promise<StoreResult> {
    const { requestId, session, ownerId, pendingId = '', waitMs } = request;
    const content = JSON.stringify(request);
    const keepMs = keepMsOf(waitMs);
    this.#own.add(request);
    try {
      const result = await this.#operations.result(requestId, (redis) =>
        redis.openRequest(
          ...ownersKeys(this.#keys, requestId),
          ...[requestId, content, digestOf(content), session.sessionId, ownerId, pendingId],
          ...[waitMs, QUEUE_FACTOR * waitMs, offeredPicks(request).join(' '), keepMs],
          ...[request.kind === 'proposal' ? '1' : '', membersOf(stepOf(request))],
        ),
      );
      if (result.code !== 'done') this.#own.drop(request);
      return result;
    } catch (thrown) {
      const found = isAmbiguous(thrown) ? await this.#findOrWithdraw(requestId) : undefined;
      if (found?.ownerId === ownerId) return { code: 'done', record: found };
      this.#own.drop(request);
      throw thrown;
    }
  }

  /** After an `open` without an answer. Undefined: it is not there, and will not be. */
  async #findOrWithdraw(requestId: string): Promise<RequestRecord | undefined> {
    try {
      return await this.#bar(requestId);
    } catch (thrown) {
      this.#log.warn({ requestId, error: sentenceOf(thrown) }, 'nobody can tell whether a request was opened');
      this.#withdrawals.add(requestId);
      return undefined;
    }
  }

  async #bar(requestId: string): Promise<RequestRecord | undefined> {
    const keys = ownersKeys(this.#keys, requestId);
    const { record } = await this.#operations.result(requestId, (redis) =>
      redis.barRequest(...keys, requestId, KEEP_ENDED_MS),
    );
    return record;
  }
}
