import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/core/actor.ts';
import type { AuditRow } from '../../../src/core/ports/audit-sink.ts';
import type { RequestStore, StoreResult } from '../../../src/core/ports/request-store.ts';
import type { CardRef, PostFailure } from '../../../src/core/request.ts';
import { ANA, BEN } from '../../support/requests.ts';
import { choose, claim, eachTest, type MakeStore, mustRead, request, WAIT_MS } from './harness.ts';

const CARD: CardRef = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' };
const FAILURE: PostFailure = { platform: 'slack', channel: 'C2', reason: 'not_in_channel', permanent: true };

/** A user of this machine, who answers through the control socket. */
const LOCAL: Actor = {
  platform: 'local',
  workspaceId: 'build-1',
  userId: 'ana',
  name: 'ana@build-1 (command line)',
  standing: 'member',
};

/**
 * Which of our rows holds what a permission resolution's audit record is expected to hold, and where in it. Ours is one
 * row an event: when it was selected is the claim's, when it was final is the end's, and so is what came of it.
 */
const RESOLUTION = {
  claim_id: ['claimed', 'interactionId'],
  actor_user_id: ['claimed', 'actor.userId'],
  actor_kind: ['claimed', 'actor.kind'],
  source: ['claimed', 'source'],
  request_id: ['claimed', 'requestId'],
  pending_id: ['claimed', 'pendingId'],
  option_id: ['claimed', 'picks'],
  option_kind: ['claimed', 'outcome'],
  selected_at: ['claimed', 'at'],
  finalized_at: ['ended', 'at'],
  result: ['ended', 'outcome'],
} as const satisfies Record<string, readonly [AuditRow['event'], string]>;

/** Each operation that answers with a code: what has to be there first, and the operation. */
const OPERATIONS: readonly {
  name: string;
  prepare: (store: RequestStore) => Promise<unknown>;
  act: (store: RequestStore) => Promise<StoreResult>;
}[] = [
  {
    name: 'open, with its queue and what it supersedes',
    prepare: async (store) => {
      await store.open(request('r1', { pendingId: 'tool-1' }));
      await store.open(request('r2'));
    },
    act: (store) => store.open(request('r3', { pendingId: 'tool-1' })),
  },
  {
    name: 'claim',
    prepare: (store) => store.open(request('r1')),
    act: (store) => store.claim('r1', claim()),
  },
  {
    name: 'confirm, with the next of the queue',
    prepare: async (store) => {
      await store.open(request('r1'));
      await store.open(request('r2'));
      await store.claim('r1', claim());
    },
    act: (store) => store.confirm('r1'),
  },
  {
    name: 'close, with the next of the queue',
    prepare: async (store) => {
      await store.open(request('r1'));
      await store.open(request('r2'));
    },
    act: (store) => store.close('r1', { kind: 'cancelled' }),
  },
  {
    name: 'recordCard',
    prepare: (store) => store.open(request('r1')),
    act: (store) => store.recordCard('r1', CARD),
  },
  {
    name: 'recordPostFailure',
    prepare: (store) => store.open(request('r1')),
    act: (store) => store.recordPostFailure('r1', FAILURE),
  },
];

export function audit(makeStore: MakeStore): void {
  describe('audit', () => {
    const harness = eachTest(makeStore);

    it('has the life of a request in order: who, through what, when, and which options by name', async () => {
      const { store, auditRows, now } = harness();
      await store.open(request('r1', { pendingId: 'tool-1' }));
      await store.open(request('r2'));
      await store.recordCard('r1', CARD);
      await store.recordRefusedClick('r1', {
        claim: { actor: { ...BEN, standing: 'guest' }, interactionId: 'c0' },
        reason: 'guest',
        picks: ['q0.o0'],
      });
      await store.claim('r1', claim(choose('SQLite'), { interactionId: 'c1' }));
      await store.confirm('r1');
      await store.recordSettled('r1', CARD);
      const { name: _, ...ana } = ANA;
      const { name: __, ...ben } = BEN;
      const about = (requestId: string) => ({
        at: now(),
        requestId,
        ...(requestId === 'r1' ? { pendingId: 'tool-1' } : {}),
        sessionId: 'session-1',
        ownerId: 'owner-1',
      });
      const choice = {
        source: 'slack',
        actor: { kind: 'chat_user', ...ana },
        interactionId: 'c1',
        outcome: 'answered',
      };
      expect(await auditRows()).toEqual([
        { ...about('r1'), event: 'asked' },
        { ...about('r1'), event: 'shown' },
        { ...about('r2'), event: 'asked' },
        { ...about('r1'), event: 'card_posted', channel: 'C1', message: '1.1' },
        {
          ...about('r1'),
          event: 'click_refused',
          source: 'slack',
          actor: { kind: 'chat_user', ...ben, standing: 'guest' },
          interactionId: 'c0',
          picks: ['q0.o0'],
          reason: 'guest',
        },
        { ...about('r1'), event: 'claimed', ...choice, picks: ['q0.o1'] },
        { ...about('r1'), event: 'delivered', ...choice },
        { ...about('r1'), event: 'ended', ...choice },
        { ...about('r2'), event: 'shown' },
        { ...about('r1'), event: 'card_settled', channel: 'C1', message: '1.1' },
      ]);
    });

    it.each([
      { actor: ANA, source: 'slack', kind: 'chat_user' },
      { actor: LOCAL, source: 'cli', kind: 'os_user' },
    ])('says through what and as what kind of somebody they decided: $source', async ({ actor, source, kind }) => {
      const { store, auditRows } = harness();
      await store.open(request('r1', { pendingId: 'tool-1' }));
      await store.recordRefusedClick('r1', { claim: { actor, interactionId: 'c0' }, reason: 'not_listed' });
      await store.claim('r1', claim(choose('SQLite'), { actor, interactionId: 'c1' }));
      await store.confirm('r1');
      const decided = (await auditRows()).filter((row) => row.interactionId !== undefined);
      expect(decided.map(({ event }) => event)).toEqual(['click_refused', 'claimed', 'delivered', 'ended']);
      for (const row of decided) expect(row).toMatchObject({ source, actor: { kind, userId: actor.userId } });
      expect((await mustRead(store, 'r1')).verdict?.actor).toEqual(actor);
    });

    it('has one row of a refused click, however many gateways saw it, and one of each that follows', async () => {
      const { store, auditRows } = harness();
      await store.open(request('r1'));
      const refuse = (requestId: string, interactionId: string, reason = 'guest') =>
        store.recordRefusedClick(requestId, { claim: { actor: BEN, interactionId }, reason });
      await Promise.all([refuse('r1', 'c1'), refuse('r1', 'c1', 'not_listed'), refuse('r1', 'c2')]);
      await Promise.all([refuse('unknown', 'c1'), refuse('unknown', 'c1')]);
      const refused = (await auditRows()).filter(({ event }) => event === 'click_refused');
      expect(refused.map(({ requestId, interactionId }) => [requestId, interactionId]).sort()).toEqual([
        ['r1', 'c1'],
        ['r1', 'c2'],
        ['unknown', 'c1'],
      ]);
    });

    it('has every field of the audit record that other permission systems keep of a resolution', async () => {
      const { store, auditRows } = harness();
      await store.open(request('r1', { pendingId: 'tool-1' }));
      await store.claim('r1', claim(choose('SQLite'), { actor: LOCAL, interactionId: 'c1' }));
      await store.confirm('r1');
      const rows = await auditRows();
      const expected: Record<keyof typeof RESOLUTION, unknown> = {
        claim_id: 'c1',
        actor_user_id: LOCAL.userId,
        actor_kind: 'os_user',
        source: 'cli',
        request_id: 'r1',
        pending_id: 'tool-1',
        option_id: ['q0.o1'],
        option_kind: 'answered',
        selected_at: rows.find(({ event }) => event === 'claimed')?.at,
        finalized_at: rows.find(({ event }) => event === 'ended')?.at,
        result: 'answered',
      };
      const found = Object.fromEntries(
        Object.entries(RESOLUTION).map(([field, [event, member]]) => {
          const row = rows.find((candidate) => candidate.event === event);
          return [field, member.split('.').reduce<unknown>(memberOf, row)];
        }),
      );
      expect(found).toEqual(expected);
      expect(Object.values(found)).not.toContain(undefined);
      // One of ours for one of theirs.
      expect(new Set(Object.values(RESOLUTION).map(String)).size).toBe(Object.keys(RESOLUTION).length);
    });

    it('ends every request once, whatever ended it', async () => {
      const { store, auditRows } = harness();
      await store.open(request('r1', { pendingId: 'tool-1' }));
      await store.open(request('r2', { pendingId: 'tool-1' }));
      await store.close('r2', { kind: 'timed_out', shown: true, waitedMs: WAIT_MS });
      await store.close('r2', { kind: 'cancelled' });
      await store.open(request('r3'));
      await store.claim('r3', claim());
      await store.close('r3', { kind: 'indeterminate' });
      await store.confirm('r3');
      const ended = (await auditRows()).filter((row) => row.event === 'ended');
      expect(ended.map((row) => [row.requestId, row.outcome])).toEqual([
        ['r1', 'superseded'],
        ['r2', 'timed_out'],
        ['r3', 'indeterminate'],
      ]);
    });

    it('holds no text of the agent and none of the operator', async () => {
      const { store, auditRows } = harness();
      await store.open(request('r1'));
      await store.claim(
        'r1',
        claim({ kind: 'answers', sheet: [{ status: 'answered', labels: [], other: 'typed words', notes: 'a note' }] }),
      );
      await store.confirm('r1');
      const text = JSON.stringify(await auditRows());
      for (const secret of ['Which database', 'Postgres', 'typed words', 'a note', 'Ana'])
        expect(text).not.toContain(secret);
    });

    it('has refused clicks on unknown ids, too', async () => {
      const { store, auditRows, now } = harness();
      await store.recordRefusedClick('forged', { claim: { actor: ANA, interactionId: 'c1' }, reason: 'not_found' });
      expect(await auditRows()).toEqual([
        expect.objectContaining({ at: now(), event: 'click_refused', requestId: 'forged', reason: 'not_found' }),
      ]);
    });

    it.each(OPERATIONS)(
      'fails: $name answers audit_failed, changes nothing, and works once it is mended',
      async ({ prepare, act }) => {
        const { store, auditRows, breakAudit, mendAudit } = harness();
        await prepare(store);
        const state = () => Promise.all(['r1', 'r2', 'r3'].map((id) => store.read(id)));
        const [before, rows] = [await state(), await auditRows()];
        await breakAudit();
        const failed = await act(store);
        expect(failed.code).toBe('audit_failed');
        expect(await state()).toEqual(before);
        await mendAudit();
        expect(await auditRows()).toEqual(rows);
        expect((await act(store)).code).toBe('done');
        expect((await auditRows()).length).toBeGreaterThan(rows.length);
      },
    );

    it('fails during a claim: nobody has won, and somebody else can', async () => {
      const { store, breakAudit, mendAudit } = harness();
      await store.open(request('r1'));
      const mine = claim(choose('Postgres'));
      await breakAudit();
      const failed = await store.claim('r1', mine);
      expect(failed).toEqual({ code: 'audit_failed', record: await mustRead(store, 'r1') });
      await mendAudit();
      expect((await store.claim('r1', claim(choose('SQLite'), { actor: BEN }))).code).toBe('done');
      expect((await store.claim('r1', mine)).code).toBe('resolution_in_progress');
    });

    it('fails for what has no code to answer with: that throws', async () => {
      const { store, breakAudit, mendAudit, auditRows } = harness();
      await store.open(request('r1'));
      const rows: readonly AuditRow[] = await auditRows();
      await breakAudit();
      const click = { claim: { actor: ANA, interactionId: 'c1' }, reason: 'guest' };
      await expect(store.recordRefusedClick('r1', click)).rejects.toMatchObject({ code: 'store' });
      await expect(store.recordSettled('r1', CARD)).rejects.toMatchObject({ code: 'store' });
      await mendAudit();
      expect(await auditRows()).toEqual(rows);
    });
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
