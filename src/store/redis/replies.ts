import { createHash } from 'node:crypto';
import * as z from 'zod';
import { HandraiseError } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { StoreResult } from '../../core/ports/request-store.ts';
import type { RequestRecord } from '../../core/request.ts';
import type { StoreCode } from '../../core/store-codes.ts';
import { codeOf } from './codes.ts';
import { type Found, parseReply, parseSnapshots } from './snapshot.ts';

/** Requests whose content is kept at hand: a click is judged by a content that was read a moment before. */
const MOST_CONTENTS = 200;

/** What `sweep-0.lua` returns. */
const ids = z.array(z.string());
const damaged = z.array(z.tuple([z.string(), z.string()]));
const sweepSchema = z.union([z.tuple([z.int(), ids, damaged]), z.tuple([z.int(), ids, damaged, z.string()])]);

/** What never changes about a request, and the digest that the claim script compares. */
export interface Content {
  readonly record: RequestRecord;
  readonly digest: string;
}

export function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Turns what scripts return into results, and remembers the contents that pass by. */
export class Replies {
  readonly #log: Logger;
  readonly #seen: (record: RequestRecord) => void;
  readonly #contents = new Map<string, { record: RequestRecord; content: string }>();

  /** `seen` is told about every record that was read. */
  constructor(log: Logger, seen: (record: RequestRecord) => void) {
    this.#log = log;
    this.#seen = seen;
  }

  result(reply: unknown, requestId: string): StoreResult {
    const { code, record } = this.#read(reply, requestId);
    if (code !== 'done' && code !== 'repeated') return record === undefined ? { code } : { code, record };
    if (record === undefined) throw new Error(`a script said ${code} without a record`);
    return { code, record };
  }

  /** One a snapshot; undefined for what is not there, and, once `onDamaged` was told, for what cannot be understood. */
  records(reply: unknown, onDamaged: (thrown: unknown) => void): (RequestRecord | undefined)[] {
    return parseSnapshots(reply, onDamaged).map((found) => this.#remember(found));
  }

  /** For an operation without a result to put a code in. */
  mustBeDone(reply: unknown, requestId: string): void {
    const { code } = this.#read(reply, requestId);
    if (code !== 'done') throw new HandraiseError(`An audit row could not be written (${code}).`, { code: 'store' });
  }

  swept(reply: unknown): readonly string[] {
    const [integer, ended, setAside, error] = sweepSchema.parse(reply);
    for (const [requestId, why] of setAside) {
      this.#log.error({ requestId, error: why }, 'a damaged request was taken off the lists');
    }
    if (codeOf(integer) !== 'done') this.#log.error({ error }, 'audit rows could not be written; nothing was swept');
    return ended;
  }

  content(requestId: string): Content | undefined {
    const known = this.#contents.get(requestId);
    return known === undefined ? undefined : { record: known.record, digest: digestOf(known.content) };
  }

  #read(reply: unknown, requestId: string): { code: StoreCode; record: RequestRecord | undefined } {
    const { code: integer, found, error } = parseReply(reply);
    const code = codeOf(integer);
    if (code === 'audit_failed') {
      this.#log.error({ requestId, error }, 'audit rows could not be written; nothing was changed');
    }
    return { code, record: this.#remember(found) };
  }

  #remember(found: Found | undefined): RequestRecord | undefined {
    if (found === undefined) return undefined;
    const { requestId } = found.record;
    this.#contents.delete(requestId);
    this.#contents.set(requestId, found);
    for (const oldest of this.#contents.keys()) {
      if (this.#contents.size <= MOST_CONTENTS) break;
      this.#contents.delete(oldest);
    }
    this.#seen(found.record);
    return found.record;
  }
}
