import type { Clock } from '../../core/clock.ts';
import { sentenceOf } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { type ChainEnd, FIRST_HASH, nextLine } from '../../observe/audit/chain.ts';
import type { LineFile } from '../../observe/line-file.ts';
import type { RedisConnection } from './connection.ts';
import type { Keys } from './keys.ts';

export interface AuditSealerOptions {
  /** This process start; unique. */
  readonly holder: string;
  /** Where sealed rows go, a line each (durable). The sealer does not close it. */
  readonly file: LineFile;
  /** Milliseconds that sealed rows stay in Redis. */
  readonly retentionMs: number;
  /** A line that vouches, signed, for the chain up to where it stands. Default: none is written. */
  readonly vouch?: (end: ChainEnd) => string;
  /**
   * Given every row that this holder sealed, once: of all holders together, each row goes to one of them. A holder that
   * dies in that moment loses the call, which is never made twice.
   */
  readonly onSealed?: (rows: readonly string[]) => Promise<void>;
}

/** Milliseconds between two looks, and how long the lease outlives a holder that died. */
const EVERY_MS = 1_000;
const LEASE_MS = 10_000;

/** Entries sealed at once. */
const AT_ONCE = 500;

/**
 * Seals the audit: rows in the order of the stream, each with a hash over all before it, into a file; then the seal in
 * Redis moves on. One gateway at a time does it. A row that was written to the file just before its holder died is
 * written again by the next, with the same number and hash.
 */
export class AuditSealer {
  readonly #commands: RedisConnection;
  readonly #keys: Keys;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #options: AuditSealerOptions;
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  /** The rows up to an entry of which it is not known yet whether they count as sealed by this holder. */
  #unsure: { readonly last: string; readonly rows: readonly string[] } | undefined;

  constructor(
    parts: { commands: RedisConnection; keys: Keys; clock: Clock; log: Logger },
    options: AuditSealerOptions,
  ) {
    this.#commands = parts.commands;
    this.#keys = parts.keys;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#options = options;
  }

  start(): void {
    this.#running = this.#seal();
  }

  /** Resolves once nothing is being written any more. The lease runs out by itself. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  async #seal(): Promise<void> {
    try {
      while (!this.#stopped && (await this.sealSome()) === AT_ONCE);
    } catch (thrown) {
      this.#log.error({ error: sentenceOf(thrown) }, 'the audit could not be sealed; trying again');
    }
    if (!this.#stopped) this.#cancel = this.#clock.after(EVERY_MS, () => this.start());
  }

  /** Seals up to `AT_ONCE` entries, if it is this one's turn. Returns how many. */
  async sealSome(): Promise<number> {
    const { holder, file, retentionMs, vouch } = this.#options;
    const { sealer, seal, audit } = this.#keys;
    const held = await this.#commands.run((redis) => redis.holdSealer(sealer, holder, LEASE_MS), { changes: false });
    if (held !== 1) return 0;
    const found = await this.#readSeal();
    const { id = '', hash = FIRST_HASH, rows: sealed = '0', chain = holder } = found;
    if (this.#unsure?.last === id && found['by'] === holder) await this.#tell();
    const after = id === '' ? '-' : `(${id}`;
    const entries = await this.#commands.run((redis) => redis.xrange(audit, after, '+', 'COUNT', AT_ONCE), {
      changes: false,
    });
    const last = entries.at(-1)?.[0];
    if (last === undefined) return 0;
    let end: ChainEnd = { chain, n: Number(sealed), hash };
    const lines = entries.flatMap(([entry, fields]) =>
      rowsIn(fields).map((text) => {
        const next = nextLine(end, members(entry, text));
        end = next.end;
        return next.line;
      }),
    );
    file.append(...lines, ...(vouch === undefined || lines.length === 0 ? [] : [vouch(end)]));
    this.#unsure = { last, rows: entries.flatMap(([, fields]) => rowsIn(fields)) };
    const moved = await this.#commands.run((redis) => redis.sealAudit(seal, id, last, end.hash, end.n, holder));
    if (moved !== 1) return 0;
    await this.#tell();
    const oldest = this.#clock.now() - retentionMs;
    // Never beyond the seal: what is not in the file yet stays.
    const cut = oldest < Number(last.split('-')[0]) ? `${oldest}` : last;
    await this.#commands.run((redis) => redis.xtrim(audit, 'MINID', cut), { changes: false });
    return entries.length;
  }

  /** A chain has its name before its first row: two holders must not begin one each. */
  async #readSeal(): Promise<Record<string, string>> {
    const { seal } = this.#keys;
    const read = () => this.#commands.run((redis) => redis.hgetall(seal), { changes: false });
    const found = await read();
    if (found['chain'] !== undefined) return found;
    await this.#commands.run((redis) => redis.hsetnx(seal, 'chain', this.#options.holder), { changes: false });
    return read();
  }

  /** The seal stands where this holder put it. */
  async #tell(): Promise<void> {
    const { rows = [] } = this.#unsure ?? {};
    this.#unsure = undefined;
    await this.#options.onSealed?.(rows);
  }
}

/** An entry's fields are names and values in turn; rows are named `row`, and owners may have written anything. */
function rowsIn(fields: readonly string[]): string[] {
  return fields.filter((_, at) => at % 2 === 1);
}

/** Which entry the row was in, and the row as it was written. */
function members(entry: string, text: string): string {
  return `"id":"${entry}","row":${isOneLine(text) ? text : JSON.stringify(text)}`;
}

/** Whether the text can stand in a line of JSON by itself; else it is quoted. */
function isOneLine(text: string): boolean {
  if (/[\r\n]/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    // Not JSON: it is kept as a string.
    return false;
  }
}
