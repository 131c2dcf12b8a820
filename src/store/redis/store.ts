import { isDeepStrictEqual } from 'node:util';
import { sentenceOf } from '../../core/errors.ts';
import { type ClosingOutcome, outcomeOfVerdict, refusalToClaim } from '../../core/lifecycle.ts';
import { isOffered, picksOf } from '../../core/picks.ts';
import type { AuditRow } from '../../core/ports/audit-sink.ts';
import type { GrantStore } from '../../core/ports/grant-store.ts';
import type { Leases } from '../../core/ports/leases.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type {
  CastVote,
  Claim,
  PostingLease,
  PostingTurn,
  RefusedClick,
  RequestStore,
  StoredDraft,
  StoreResult,
  Unsubscribe,
} from '../../core/ports/request-store.ts';
import type { CardRef, NewRequest, PostFailure, RequestRecord, Status } from '../../core/request.ts';
import { by, clickRefused, faultOf, REFUSAL_REMEMBERED_MS, rowsOf, rowsOfVote } from '../audit-rows.ts';
import { AuditSealer, type AuditSealerOptions } from './audit-sealer.ts';
import { type AuditState, readAuditState } from './audit-state.ts';
import { type Backlog, backlogOf } from './backlog.ts';
import type { RedisConnection } from './connection.ts';
import { Drafts } from './drafts.ts';
import { RedisGrants } from './grants.ts';
import { type Keys, ownersKeys } from './keys.ts';
import { RedisLeases } from './leases.ts';
import { Opening } from './opening.ts';
import { Operations } from './operations.ts';
import { OwnRequests } from './own-requests.ts';
import { type Place, Posting } from './posting.ts';
import { membersOf } from './row-members.ts';
import type { ServerFacts } from './server.ts';
import type { ServerClock } from './server-clock.ts';
import type { WakeChannels } from './wake-channels.ts';

export interface RedisStoreParts {
  readonly commands: RedisConnection;
  readonly channels: WakeChannels;
  readonly keys: Keys;
  readonly clock: ServerClock;
  readonly log: Logger;
  /**
   * Milliseconds without a break in the connection after which leases of owners are judged. While Redis was away, nobody
   * could renew: whoever is back first must not take the others for lost.
   */
  readonly ownerGraceMs: number;
  readonly server: ServerFacts;
}

/** Records read with one script call: few enough not to keep the server from others. */
const READ_AT_ONCE = 100;

/** Ids of work given out at once. */
const MOST_WORK = 1_000;

/** Requests counted for the metrics: the server does nothing else meanwhile. */
const MOST_COUNTED = 5_000;

/**
 * The store of many processes. Each operation is one script (`scripts/`); one whose reply was lost is read back
 * (architecture.md 4). A record is what the stored facts amount to (`snapshot.ts`): its status is written nowhere.
 */
export class RedisStore implements RequestStore {
  readonly #commands: RedisConnection;
  readonly #channels: WakeChannels;
  readonly #keys: Keys;
  readonly #log: Logger;
  readonly #ownerGraceMs: number;
  readonly #own = new OwnRequests();
  readonly leases: Leases;
  readonly grants: GrantStore;
  /** The clock that judges deadlines, for owners to tell when they have passed. */
  readonly clock: ServerClock;
  /** As it was at the start. */
  readonly server: ServerFacts;
  readonly #operations: Operations;
  readonly #opening: Opening;
  readonly #posting: Posting;
  readonly #drafts: Drafts;

  constructor({ commands, channels, keys, clock, log, ownerGraceMs, server }: RedisStoreParts) {
    this.server = server;
    this.#ownerGraceMs = ownerGraceMs;
    this.#commands = commands;
    this.#channels = channels;
    this.#keys = keys;
    this.clock = clock;
    this.#log = log;
    this.leases = new RedisLeases(commands, keys);
    this.grants = new RedisGrants({ commands, keys, clock, log });
    this.#operations = new Operations(commands, log, (record) => this.#own.see(record));
    const cancel = (requestId: string) => this.close(requestId, { kind: 'cancelled' });
    this.#opening = new Opening({ commands, operations: this.#operations, own: this.#own, keys, log, cancel });
    this.#posting = new Posting(commands, this.#operations, keys);
    this.#drafts = new Drafts(commands, keys);
  }

  async open(request: NewRequest): Promise<StoreResult> {
    return this.#opening.open(request);
  }

  async read(requestId: string): Promise<RequestRecord | undefined> {
    return this.#operations.readOne(requestId);
  }

  async listUnfinished(): Promise<readonly RequestRecord[]> {
    const ids = await this.#commands.run((redis) => redis.zrange(this.#keys.unfinished, 0, '-1'), { changes: false });
    const records: RequestRecord[] = [];
    for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
      const read = await this.#operations.read(ids.slice(at, at + READ_AT_ONCE), (damage) =>
        this.#log.error({ error: sentenceOf(damage) }, 'a stored request cannot be read'),
      );
      for (const record of read) if (record !== undefined && record.status !== 'ended') records.push(record);
    }
    return records;
  }

  async claim(requestId: string, { ballot, ...verdict }: Claim): Promise<StoreResult> {
    const content = await this.#operations.content(requestId);
    if (content === undefined) return { code: 'not_found' };
    const { decision, actor, interactionId } = verdict;
    const picks = isOffered(content.record, decision) ? picksOf(content.record, decision) : [];
    const row: Partial<AuditRow> = rowsOf('claimed', { ...content.record, verdict: { ...verdict, at: 0 } }, 0);
    const who: Partial<AuditRow> = { ...by(actor), interactionId };
    return this.#operations.once(
      requestId,
      (redis) =>
        redis.claimRequest(
          this.#keys.request(requestId, 'verdict'),
          ...[requestId, content.digest, interactionId, picks.join(' '), JSON.stringify(verdict)],
          ...[membersOf(who), row.outcome ?? '', `,${membersOf({ picks })}`, ballot === undefined ? '' : `${ballot}`],
        ),
      (record) => record.verdict?.interactionId === interactionId,
      // Never sent twice: whoever clicked may have another answer by now.
      (record) => refusalToClaim(record, this.clock.now()),
    );
  }

  async vote(requestId: string, cast: CastVote): Promise<StoreResult> {
    const content = await this.#operations.content(requestId);
    if (content === undefined) return { code: 'not_found' };
    const { vote, kept, replaces } = cast;
    const { decision, interactionId } = vote;
    const [pick = ''] = isOffered(content.record, decision) ? picksOf(content.record, decision) : [];
    const rows = rowsOfVote(content.record, cast, 0).map((row) => membersOf(row));
    return this.#operations.once(
      requestId,
      (redis) =>
        redis.voteRequest(
          this.#keys.request(requestId, 'votes'),
          ...[requestId, content.digest, interactionId, pick, replaces, JSON.stringify([...kept, vote])],
          ...[rows.at(-1) ?? '', ...rows.slice(0, -1)],
        ),
      (record) => record.ballot?.cast.some((one) => one.interactionId === interactionId) === true,
      (record) => refusalToClaim(record, this.clock.now()),
    );
  }

  async confirm(requestId: string): Promise<StoreResult> {
    return this.#operations.atLeastOnce(
      requestId,
      (redis) => redis.confirmRequest(...ownersKeys(this.#keys, requestId), requestId),
      (record) => record.verdict !== undefined && isDeepStrictEqual(record.outcome, outcomeOfVerdict(record)),
    );
  }

  async close(requestId: string, outcome: ClosingOutcome): Promise<StoreResult> {
    const fault = faultOf(outcome);
    const members = fault === undefined ? '' : `${membersOf(fault)},`;
    const [kind, json] = [outcome.kind, JSON.stringify(outcome)];
    return this.#operations.atLeastOnce(
      requestId,
      (redis) => redis.closeRequest(...ownersKeys(this.#keys, requestId), requestId, kind, json, members),
      (record) => isDeepStrictEqual(record.outcome, outcome),
    );
  }

  async recordPosting(requestId: string, place: Place, lease?: PostingLease): Promise<PostingTurn> {
    return this.#posting.take(requestId, place, lease);
  }

  async recordThreadPosting(sessionId: string, place: Place, lease: PostingLease): Promise<PostingTurn> {
    return this.#posting.takeThread(sessionId, place, lease);
  }

  async recordThread(sessionId: string, place: Place, thread: string): Promise<void> {
    await this.#posting.thread(sessionId, place, thread);
  }

  async recordCard(requestId: string, card: CardRef): Promise<StoreResult> {
    return this.#posting.card(requestId, card);
  }

  async recordPostFailure(requestId: string, failure: PostFailure): Promise<StoreResult> {
    return this.#posting.failure(requestId, failure);
  }

  async giveUpPost(requestId: string, place: Pick<CardRef, 'platform' | 'channel'>): Promise<void> {
    await this.#posting.giveUp(requestId, place);
  }

  async recordSettled(requestId: string, card: CardRef): Promise<void> {
    await this.#posting.settled(requestId, card);
  }

  async recordRefusedClick(requestId: string, click: RefusedClick): Promise<void> {
    const row = membersOf(clickRefused(requestId, undefined, click, 0));
    const key = this.#keys.request(requestId, 'refused');
    const { interactionId } = click.claim;
    await this.#operations.note(requestId, (redis) =>
      redis.refuseClick(key, requestId, interactionId, row, REFUSAL_REMEMBERED_MS),
    );
  }

  async readDraft(requestId: string): Promise<StoredDraft | undefined> {
    return this.#drafts.read(requestId);
  }

  async writeDraft(requestId: string, body: string, replaces: number): Promise<boolean> {
    return this.#drafts.write(requestId, body, replaces);
  }

  async listWork(): Promise<readonly string[]> {
    return this.#commands.run((redis) => redis.zrange(this.#keys.work, 0, `${MOST_WORK - 1}`), { changes: false });
  }

  async rest(requestId: string, status: Status): Promise<void> {
    await this.#commands.run((redis) => redis.restRequest(requestId, status), { changes: false });
  }

  async sweep(): Promise<readonly string[]> {
    const swept: string[] = [];
    for (;;) {
      const ids = await this.#operations.sweepOnce(this.#commands.readyForMs >= this.#ownerGraceMs);
      if (ids.length === 0) return swept;
      swept.push(...ids);
    }
  }

  async watchOwner(ownerId: string, wake: (requestId: string) => void): Promise<Unsubscribe> {
    return this.#channels.add(this.#keys.ownerChannel(ownerId), wake, async () => this.#own.of(ownerId));
  }

  async watchRequests(wake: (requestId: string) => void): Promise<Unsubscribe> {
    return this.#channels.add(this.#keys.requestsChannel, wake, () => this.listWork());
  }

  /** What gateways have not done yet, for the metrics. */
  async backlog(): Promise<Backlog> {
    const counted = this.#commands.run((redis) => redis.countWork(this.#keys.seal, MOST_COUNTED), { changes: false });
    return backlogOf(await counted);
  }

  /** Seals the audit from here, when it is this process's turn. Whoever makes it starts and stops it. */
  auditSealer(options: AuditSealerOptions): AuditSealer {
    return new AuditSealer({ commands: this.#commands, keys: this.#keys, clock: this.clock, log: this.#log }, options);
  }

  /** How far the audit is sealed; reads only. */
  async auditState(): Promise<AuditState> {
    return readAuditState(this.#commands, this.#keys);
  }

  /** A row of a gateway's start: by which rules it lets people decide, and which key it signs with. */
  async recordPolicy(policy: { readonly gatewayId: string; readonly digest: string; readonly keyId: string }) {
    const row = JSON.stringify({ at: this.clock.now(), event: 'policy_set', ...policy });
    // Written twice, when an answer was lost, it says the same.
    await this.#commands.run((redis) => redis.xadd(this.#keys.audit, '*', 'row', row), { changes: false });
  }

  /** Drops the connections. What is in Redis stays. */
  stop(): void {
    this.clock.stop();
    this.#channels.close();
    this.#commands.close();
  }
}
