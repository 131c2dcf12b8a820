import { describe, expect, it } from 'vitest';
import { dialControl } from '../../../../src/cli/control-client.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { offeredPicks } from '../../../../src/core/picks.ts';
import type { OperatorRule } from '../../../../src/core/policy/people.ts';
import type { Choice } from '../../../../src/core/wire/control.ts';
import { openControlStage } from '../../../support/control-socket.ts';
import { storeInMemory } from '../../../support/memory-store.ts';
import { ANA, asking, batchOf, question, requestOf } from '../../../support/requests.ts';

const BATCH = batchOf(question('Which database?', ['Postgres', 'SQLite']));
const SQLITE: Choice = { options: ['SQLite'] };

/** A memory store with one open request behind a control socket, and a client of it. */
async function setUp({
  operators = '*',
  confirms = true,
}: {
  operators?: OperatorRule | null;
  confirms?: boolean;
} = {}) {
  const made = storeInMemory();
  const stage = await openControlStage({ store: made.store, clock: systemClock, operators });
  if (confirms) {
    await made.store.watchOwner('owner-1', (requestId) => void made.store.confirm(requestId));
  }
  await made.store.open(requestOf('r1', BATCH, { pendingId: 'tool-1' }));
  const client = await dialControl(stage.control.path, undefined);
  return {
    ...made,
    stage,
    client,
    breakAudit: () => {
      made.auditFails = true;
    },
    refusedRows: () => made.rows.filter(({ event }) => event === 'click_refused'),
    resolve: (more: { requestId?: string; pendingId?: string; sessionId?: string; choice?: Choice } = {}) =>
      client.resolve({ requestId: 'r1', choice: SQLITE, ...more }),
    async [Symbol.asyncDispose]() {
      client.close();
      await stage[Symbol.asyncDispose]();
    },
  };
}

/** In the audit, under the name of this machine's user. */
const BY_USER = { source: 'cli', actor: { kind: 'os_user', platform: 'local' } };

describe('resolve', () => {
  it('answers the request as the user of this machine, and says so once the agent has it', async () => {
    await using made = await setUp();
    const { resolve, store, rows, stage } = made;
    expect(await resolve({ pendingId: 'tool-1', sessionId: 'session-1' })).toEqual({
      code: 'resolved',
      sentence: 'The agent has the answer.',
      sessionId: 'session-1',
      pendingId: 'tool-1',
      outcome: 'answered',
      picks: ['q0.o1'],
    });
    expect(stage.claimed).toEqual(['r1']);
    expect((await store.read('r1'))?.verdict).toMatchObject({
      decision: { kind: 'answers', sheet: [{ status: 'answered', labels: ['SQLite'] }] },
      actor: { platform: 'local', name: expect.stringMatching(/^.+@.+ \(command line\)$/), standing: 'member' },
      interactionId: expect.stringMatching(/^cli-/),
    });
    expect(rows.find(({ event }) => event === 'claimed')).toMatchObject({ ...BY_USER, picks: ['q0.o1'] });
  });

  it('says recorded, not resolved, when the agent has not confirmed within 5 s', async () => {
    const { store, clock } = storeInMemory();
    await using stage = await openControlStage({ store, clock });
    await store.open(requestOf('r1', BATCH));
    const client = await dialControl(stage.control.path, undefined);
    const resolving = client.resolve({ requestId: 'r1', choice: SQLITE });
    await expect.poll(async () => (await store.read('r1'))?.status).toBe('claimed');
    await clock.walk(6_000);
    expect(await resolving).toMatchObject({ code: 'recorded', picks: ['q0.o1'] });
    client.close();
  });

  it('says delivery_failed when the answer is known not to have arrived', async () => {
    await using made = await setUp({ confirms: false });
    const { resolve, store } = made;
    await store.watchOwner('owner-1', (requestId) => void store.close(requestId, { kind: 'indeterminate' }));
    expect(await resolve()).toMatchObject({ code: 'delivery_failed', sentence: expect.stringContaining('confirmed') });
  });

  it('task_or_session_not_found: a session that is another one, or that no binding is for, sounds the same', async () => {
    await using made = await setUp();
    const other = await made.resolve({ sessionId: 'session-2' });
    await using unbound = await setUp({ operators: null });
    expect(await unbound.resolve()).toEqual(other);
    expect(other.code).toBe('session_not_found');
    expect((await made.store.read('r1'))?.status).toBe('open');
    expect(made.refusedRows()).toMatchObject([{ ...BY_USER, reason: 'session_not_found', requestId: 'r1' }]);
    expect(unbound.refusedRows()).toMatchObject([{ ...BY_USER, reason: 'no_binding', requestId: 'r1' }]);
  });

  it('permission_not_found: an unknown request, and one whose pending id is another one', async () => {
    await using made = await setUp();
    const { resolve, refusedRows, store } = made;
    expect(await resolve({ requestId: 'forged' })).toMatchObject({ code: 'not_found' });
    expect(await resolve({ pendingId: 'tool-2' })).toMatchObject({ code: 'not_found' });
    expect(refusedRows()).toMatchObject([{ requestId: 'forged' }, { requestId: 'r1', reason: 'not_found' }]);
    expect((await store.read('r1'))?.status).toBe('open');
  });

  it('permission_not_found: a request that still waits in line is named as such', async () => {
    await using made = await setUp();
    await made.store.open(requestOf('r2', BATCH));
    expect(await made.resolve({ requestId: 'r2' })).toMatchObject({ code: 'not_shown' });
  });

  it('permission_stale: a generation that was replaced, withdrawn or has timed out; the new one is untouched', async () => {
    await using made = await setUp();
    const { resolve, store, clock } = made;
    await store.open(requestOf('r2', BATCH, { pendingId: 'tool-1' }));
    expect(await resolve()).toMatchObject({ code: 'stale', sentence: expect.stringContaining('replaced') });
    expect((await store.read('r2'))?.status).toBe('open');
    await store.close('r2', { kind: 'cancelled' });
    expect(await resolve({ requestId: 'r2' })).toMatchObject({
      code: 'stale',
      sentence: expect.stringContaining('withdrawn'),
    });
    await store.open(requestOf('r3', BATCH));
    clock.advance(300_000);
    expect(await resolve({ requestId: 'r3' })).toMatchObject({ code: 'deadline_passed' });
  });

  it('permission_already_resolved: who was first is said, also to a replay of one’s own', async () => {
    await using made = await setUp();
    const { resolve, store, refusedRows } = made;
    await store.claim('r1', {
      decision: { kind: 'answers', sheet: [{ status: 'answered', labels: ['Postgres'] }] },
      actor: ANA,
      interactionId: 'c1',
    });
    expect(await resolve()).toMatchObject({
      code: 'already_resolved',
      sentence: expect.stringContaining('Already answered by Ana'),
    });
    await store.open(requestOf('r2', BATCH));
    expect(await resolve({ requestId: 'r2' })).toMatchObject({ code: 'resolved' });
    expect(await resolve({ requestId: 'r2' })).toMatchObject({
      code: 'already_resolved',
      sentence: expect.stringContaining('(command line)'),
    });
    expect(refusedRows().map(({ reason }) => reason)).toEqual(['already_resolved', 'already_resolved']);
  });

  it('of an ended request is audited as what was chosen, whether or not that fits a question', async () => {
    await using made = await setUp();
    await made.resolve();
    expect(await made.resolve()).toMatchObject({ code: 'already_resolved' });
    const misfit: Choice = { answers: { 'Which cache?': 'Redis' } };
    expect(await made.resolve({ choice: misfit })).toMatchObject({ code: 'already_resolved' });
    expect(made.refusedRows().map(({ picks }) => picks)).toEqual([['q0.o1'], ['q?.sheet']]);
  });

  it('permission_resolution_in_progress: another answer is on its way', async () => {
    await using made = await setUp({ confirms: false });
    await made.store.claim('r1', { decision: { kind: 'declined' }, actor: ANA, interactionId: 'c1' });
    expect(await made.resolve()).toMatchObject({
      code: 'resolution_in_progress',
      sentence: expect.stringContaining('left to the agent by Ana'),
    });
  });

  it('permission_option_not_offered: nothing is claimed, and what was tried is in the audit', async () => {
    await using made = await setUp();
    const { resolve, store, refusedRows } = made;
    expect(await resolve({ choice: { options: ['MySQL'] } })).toMatchObject({ code: 'option_not_offered' });
    expect((await store.read('r1'))?.status).toBe('open');
    const [row] = refusedRows();
    expect(row).toMatchObject({ ...BY_USER, reason: 'option_not_offered', picks: ['q0.o?'] });
    expect(offeredPicks(asking(BATCH))).not.toContain(row?.picks?.[0]);
  });

  it('permission_audit_failed: nothing is claimed or delivered, and it works once the audit is mended', async () => {
    await using made = await setUp();
    made.breakAudit();
    expect(await made.resolve()).toMatchObject({ code: 'audit_failed' });
    expect((await made.store.read('r1'))?.status).toBe('open');
  });

  it('permission_delivery_failed: an answer was recorded before, and its agent is gone', async () => {
    await using made = await setUp({ confirms: false });
    await made.store.close('r1', { kind: 'owner_lost' });
    expect(await made.resolve()).toMatchObject({ code: 'delivery_failed' });
  });

  it('is refused where the binding lists people of a chat, and to nobody who is listed as a user of this machine', async () => {
    await using chat = await setUp({ operators: { slackUsers: ['U1', process.env['USER'] ?? 'root'] } });
    expect(await chat.resolve()).toMatchObject({ code: 'refused', reason: 'not_listed' });
    expect(chat.refusedRows()).toMatchObject([{ ...BY_USER, reason: 'not_listed', picks: ['q0.o1'] }]);
    const user = String(chat.refusedRows()[0]?.actor?.userId);
    await using listed = await setUp({ operators: { slackUsers: ['U1'], localUsers: [user] } });
    expect(await listed.resolve()).toMatchObject({ code: 'resolved' });
  });

  it('is refused before an option is looked at: who may not answer is not told what is offered', async () => {
    await using made = await setUp({ operators: { slackUsers: ['U1'] } });
    expect(await made.resolve({ choice: { options: ['MySQL'] } })).toMatchObject({ code: 'refused' });
  });

  it('that fits no question is told what to change, and is audited', async () => {
    await using made = await setUp();
    expect(await made.resolve({ choice: { answers: { 'Which cache?': 'Redis' } } })).toMatchObject({
      code: 'invalid_answers',
      sentence: expect.stringContaining('no question reads "Which cache?"'),
    });
    expect(made.refusedRows()).toMatchObject([{ reason: 'invalid_answers' }]);
  });

  it('by what takes itself for an agent’s process is refused and audited, whatever the policy', async () => {
    await using made = await setUp();
    const inside = await dialControl(made.stage.control.path, 'the environment is that of an agent');
    expect(await inside.resolve({ requestId: 'r1', choice: SQLITE })).toMatchObject({
      code: 'refused',
      reason: 'agent_tree',
    });
    await expect(inside.pending()).rejects.toMatchObject({ code: 'refused' });
    inside.close();
    expect(made.refusedRows()).toMatchObject([{ ...BY_USER, reason: 'agent_tree' }]);
    expect((await made.store.read('r1'))?.status).toBe('open');
  });
});

describe('pending', () => {
  it('lists what has not ended, by creation, with the ids that resolve takes', async () => {
    await using made = await setUp();
    const { client, store, clock } = made;
    clock.advance(1_000);
    await store.open(requestOf('b2', BATCH));
    await store.open(requestOf('a2', BATCH, { session: { ...requestOf('x', BATCH).session, sessionId: 'other' } }));
    const { requests, total } = await client.pending();
    expect(total).toBe(3);
    expect(requests.map(({ requestId, status }) => [requestId, status])).toEqual([
      ['r1', 'open'],
      ['a2', 'open'],
      ['b2', 'queued'],
    ]);
    expect(requests[0]).toEqual({
      requestId: 'r1',
      pendingId: 'tool-1',
      status: 'open',
      sessionId: 'session-1',
      agent: 'claude-code',
      workspace: '/home/ana/api',
      branch: 'main',
      startedBy: 'ana@laptop',
      createdAt: '2026-08-03T10:00:00.000Z',
      deadline: '2026-08-03T10:05:00.000Z',
      questions: [
        {
          header: 'Choice',
          question: 'Which database?',
          multiSelect: false,
          options: [
            { id: 'q0.o0', label: 'Postgres', description: 'What Postgres means.' },
            { id: 'q0.o1', label: 'SQLite', description: 'What SQLite means.' },
          ],
        },
      ],
    });
    expect(requests[2]).not.toHaveProperty('deadline');
  });

  it('lists at most 100, and says how many there are', async () => {
    await using made = await setUp();
    for (let n = 0; n < 120; n += 1) await made.store.open(requestOf(`s${n}`, BATCH));
    const { requests, total } = await made.client.pending();
    expect([requests.length, total]).toEqual([100, 121]);
  });

  it('lists as many as fit where agents ask very long questions', async () => {
    await using made = await setUp();
    const long = batchOf(question('Q'.repeat(900_000), ['a', 'b']));
    for (let n = 0; n < 5; n += 1) await made.store.open(requestOf(`s${n}`, long));
    const { requests, total } = await made.client.pending();
    expect([requests.length, total]).toEqual([4, 6]);
  });
});
