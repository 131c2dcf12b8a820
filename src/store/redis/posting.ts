import { isDeepStrictEqual } from 'node:util';
import { HandraiseError } from '../../core/errors.ts';
import type { PostingLease, PostingTurn, StoreResult } from '../../core/ports/request-store.ts';
import type { CardRef, PostFailure } from '../../core/request.ts';
import { cardSettled } from '../audit-rows.ts';
import type { RedisConnection } from './connection.ts';
import type { Keys } from './keys.ts';
import type { Operations } from './operations.ts';
import { membersOf } from './row-members.ts';
import { turnOf } from './turns.ts';

export type Place = Pick<CardRef, 'platform' | 'channel'>;

/** What gateways write down about posts, cards and threads. */
export class Posting {
  readonly #commands: RedisConnection;
  readonly #operations: Operations;
  readonly #keys: Keys;

  constructor(commands: RedisConnection, operations: Operations, keys: Keys) {
    this.#commands = commands;
    this.#operations = operations;
    this.#keys = keys;
  }

  async take(requestId: string, place: Place, lease?: PostingLease): Promise<PostingTurn> {
    if (lease === undefined) {
      if ((await this.#operations.readOne(requestId)) !== undefined) return { turn: 'yours', lookFirst: false };
      throw new HandraiseError(`There is no request ${requestId}`, { code: 'store' });
    }
    return this.#takeTurn(this.#keys.request(requestId, 'posting'), requestId, place, lease);
  }

  async takeThread(sessionId: string, place: Place, lease: PostingLease): Promise<PostingTurn> {
    return this.#takeTurn(this.#keys.threads(sessionId), '', place, lease);
  }

  async thread(sessionId: string, place: Place, thread: string): Promise<void> {
    const key = this.#keys.threads(sessionId);
    await this.#commands.run((redis) => redis.recordThread(key, nameOf(place), thread), { changes: false });
  }

  /** Taking a turn twice gives it to the same holder, so that a lost reply needs no reading back. */
  async #takeTurn(key: string, requestId: string, place: Place, { holder, forMs }: PostingLease): Promise<PostingTurn> {
    const reply = await this.#commands.run((redis) => redis.takeTurn(key, requestId, nameOf(place), holder, forMs), {
      changes: false,
    });
    return turnOf(reply, `request ${requestId}`);
  }

  async card(requestId: string, card: CardRef): Promise<StoreResult> {
    const [key, json] = [this.#keys.request(requestId, 'cards'), JSON.stringify(card)];
    const row = membersOf({ channel: card.channel, message: card.message });
    return this.#operations.atLeastOnce(
      requestId,
      (redis) => redis.recordCard(key, requestId, cardName(card), json, row, nameOf(card), card.pointer ?? ''),
      (record) => record.cards.some((known) => isDeepStrictEqual(known, card)),
    );
  }

  async failure(requestId: string, failure: PostFailure): Promise<StoreResult> {
    const [key, json] = [this.#keys.request(requestId, 'failures'), JSON.stringify(failure)];
    const row = membersOf({ channel: failure.channel, reason: failure.reason });
    return this.#operations.atLeastOnce(
      requestId,
      (redis) => redis.recordFailure(key, requestId, nameOf(failure), json, row, failure.permanent ? '1' : ''),
      (record) => record.postFailures.some((known) => isDeepStrictEqual(known, failure)),
    );
  }

  async giveUp(requestId: string, place: Place): Promise<void> {
    const key = this.#keys.request(requestId, 'posting');
    await this.#commands.run((redis) => redis.giveUpPost(key, requestId, nameOf(place)), { changes: false });
  }

  async settled(requestId: string, card: CardRef): Promise<void> {
    const key = this.#keys.request(requestId, 'settled');
    const row = membersOf(cardSettled(requestId, undefined, card, 0));
    await this.#operations.note(requestId, (redis) => redis.settleCard(key, requestId, cardName(card), row));
  }
}

function nameOf({ platform, channel }: Place): string {
  return `${platform} ${channel}`;
}

function cardName({ channel, message }: CardRef): string {
  return `${channel} ${message}`;
}
