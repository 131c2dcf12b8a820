import * as z from 'zod';
import type { StoredDraft } from '../../core/ports/request-store.ts';
import { codeOf } from './codes.ts';
import type { RedisConnection } from './connection.ts';
import type { Keys } from './keys.ts';
import { SLACK_MS } from './lifetimes.ts';

const draftSchema = z.tuple([z.coerce.number().int(), z.string()]).nullable();
const writtenSchema = z.tuple([z.int(), z.null()]);

/** Answers that are not sent yet, each beside its request. */
export class Drafts {
  readonly #commands: RedisConnection;
  readonly #keys: Keys;

  constructor(commands: RedisConnection, keys: Keys) {
    this.#commands = commands;
    this.#keys = keys;
  }

  async read(requestId: string): Promise<StoredDraft | undefined> {
    const key = this.#keys.request(requestId, 'draft');
    const reply = await this.#commands.run((redis) => redis.readDraft(key, requestId), { changes: false });
    const draft = draftSchema.parse(reply);
    return draft === null ? undefined : { revision: draft[0], body: draft[1] };
  }

  /** A write whose reply was lost may run twice: the second finds the first in place, and counts as done. */
  async write(requestId: string, body: string, replaces: number): Promise<boolean> {
    const key = this.#keys.request(requestId, 'draft');
    const reply = await this.#commands.run((redis) => redis.writeDraft(key, requestId, replaces, body, SLACK_MS), {
      changes: false,
    });
    const code = codeOf(writtenSchema.parse(reply)[0]);
    if (code !== 'stale') return code === 'done';
    const there = await this.read(requestId);
    return there?.revision === replaces + 1 && there.body === body;
  }
}
