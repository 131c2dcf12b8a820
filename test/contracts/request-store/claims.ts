import { describe, expect, it } from 'vitest';
import { questionView } from '../../../src/prompt/card-view.ts';
import { ANA, BEN, batchOf, question, SESSION } from '../../support/requests.ts';
import { claimSigned, verify } from '../../support/verdict-keys.ts';
import { choose, claim, DECLINED, eachTest, type MakeStore, mustRead, recordIn, request, WAIT_MS } from './harness.ts';

export function claims(makeStore: MakeStore): void {
  describe('claims', () => {
    const harness = eachTest(makeStore);

    it('records who chose what, through which interaction and when', async () => {
      const { store, now } = harness();
      await store.open(request('r1'));
      const result = await store.claim('r1', claim(choose('SQLite'), { interactionId: 'click-a' }));
      expect(result.code).toBe('done');
      expect(recordIn(result)).toMatchObject({
        status: 'claimed',
        verdict: { decision: choose('SQLite'), actor: ANA, interactionId: 'click-a', at: now() },
      });
      expect(await store.read('r1')).toEqual(result.record);
    });

    it('keeps the signature to the letter, and what it was signed on', async () => {
      const { store } = harness();
      const odd = question('Wörds\u2028 and "quotes"?', ['\ud800', 'ключ', '😀']);
      const asked = request('r1', { batch: batchOf(odd), session: { ...SESSION, program: 'node review.mjs' } });
      await store.open({ ...asked, view: questionView('r1', asked.session, asked.batch) });
      const sheet = [{ status: 'answered', labels: ['😀'], notes: ' \n' }] as const;
      await claimSigned(store, 'r1', claim({ kind: 'answers', sheet }));
      const record = await mustRead(store, 'r1');
      if (record.verdict === undefined) throw new Error('nothing was claimed');
      expect(
        verify({ ...asked, view: questionView('r1', asked.session, asked.batch) }, record.verdict),
      ).toBeUndefined();
      await store.confirm('r1');
      expect((await mustRead(store, 'r1')).verdict).toEqual(record.verdict);
    });

    it('lets one of 50 concurrent claims win, for each of 40 requests at once', async () => {
      const { store, auditRows } = harness();
      const ids = Array.from({ length: 40 }, (_, index) => `r${index}`);
      for (const id of ids) await store.open(request(id, { sessionId: `session-${id}` }));
      const attempts = ids.flatMap((id) =>
        Array.from({ length: 50 }, (_, user) => ({ id, user, label: user % 2 === 0 ? 'Postgres' : 'SQLite' })),
      );
      const results = await Promise.all(
        attempts.map(async ({ id, user, label }) => {
          const made = claim(choose(label), { actor: { ...ANA, userId: `U${user}` } });
          return { id, made, result: await store.claim(id, made) };
        }),
      );
      const rows = await auditRows();
      for (const id of ids) {
        const own = results.filter((one) => one.id === id);
        const winners = own.filter((one) => one.result.code === 'done');
        expect(winners).toHaveLength(1);
        const verdict = (await mustRead(store, id)).verdict;
        expect(verdict).toMatchObject(winners[0]?.made ?? {});
        const losers = own.filter((one) => one.result.code !== 'done');
        expect(new Set(losers.map((one) => one.result.code))).toEqual(new Set(['resolution_in_progress']));
        expect(losers.every((one) => one.result.record?.verdict?.interactionId === verdict?.interactionId)).toBe(true);
        expect(rows.filter((row) => row.requestId === id && row.event === 'claimed')).toHaveLength(1);
      }
    });

    it('tells the second of two people whose answer is on its way, and after delivery that it was answered', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.claim('r1', claim(choose('Postgres')));
      const during = await store.claim('r1', claim(choose('SQLite'), { actor: BEN }));
      expect(during.code).toBe('resolution_in_progress');
      expect(during.record?.verdict?.actor).toEqual(ANA);
      await store.confirm('r1');
      const after = await store.claim('r1', claim(choose('SQLite'), { actor: BEN }));
      expect(after.code).toBe('already_resolved');
      expect(after.record).toMatchObject({ verdict: { actor: ANA }, outcome: { kind: 'answered' } });
    });

    it('takes the winning interaction again as a replay, before and after delivery, and changes nothing', async () => {
      const { store, auditRows } = harness();
      await store.open(request('r1'));
      const winning = claim();
      const first = recordIn(await store.claim('r1', winning));
      const rows = (await auditRows()).length;
      expect(await store.claim('r1', winning)).toEqual({ code: 'repeated', record: first });
      expect(await auditRows()).toHaveLength(rows);
      await store.confirm('r1');
      expect((await store.claim('r1', winning)).code).toBe('repeated');
      expect((await mustRead(store, 'r1')).status).toBe('ended');
    });

    it('takes a replayed interaction that had lost as lost again', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      const losing = claim(choose('SQLite'), { actor: BEN });
      await store.claim('r1', claim());
      await store.claim('r1', losing);
      expect((await store.claim('r1', losing)).code).toBe('resolution_in_progress');
    });

    it('refuses a claim on an id it never saw', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      expect(await store.claim('r2', claim())).toEqual({ code: 'not_found' });
      expect((await mustRead(store, 'r1')).status).toBe('open');
    });

    it.each([
      ['a label that is not on the card', choose('MySQL')],
      ['a label in other letters', choose('postgres')],
      [
        'two options of a single-select',
        { kind: 'answers', sheet: [{ status: 'answered', labels: ['Postgres', 'SQLite'] }] },
      ],
      [
        'an option and typed words of a single-select',
        { kind: 'answers', sheet: [{ status: 'answered', labels: ['Postgres'], other: 'or so' }] },
      ],
      ['an answer without any choice', { kind: 'answers', sheet: [{ status: 'answered', labels: [] }] }],
      [
        'a sheet for more questions than asked',
        { kind: 'answers', sheet: [{ status: 'skipped' }, { status: 'skipped' }] },
      ],
      ['a sheet for no question', { kind: 'answers', sheet: [] }],
    ] as const)('refuses %s and leaves the request open', async (_, decision) => {
      const { store } = harness();
      const before = recordIn(await store.open(request('r1')));
      expect(await store.claim('r1', claim(decision))).toEqual({ code: 'option_not_offered', record: before });
      expect((await store.claim('r1', claim())).code).toBe('done');
    });

    it.each([
      ['an option', choose('Postgres'), 'answered'],
      ['typed words', { kind: 'answers', sheet: [{ status: 'answered', labels: [], other: 'DuckDB' }] }, 'answered'],
      [
        'an option with a note',
        { kind: 'answers', sheet: [{ status: 'answered', labels: ['SQLite'], notes: 'for now' }] },
        'answered',
      ],
      ['skipping', { kind: 'answers', sheet: [{ status: 'skipped' }] }, 'skipped'],
      ['leaving it to the agent', DECLINED, 'declined'],
    ] as const)('takes %s', async (_, decision, outcome) => {
      const { store } = harness();
      await store.open(request('r1'));
      expect((await store.claim('r1', claim(decision))).code).toBe('done');
      expect(recordIn(await store.confirm('r1')).outcome?.kind).toBe(outcome);
    });

    it('takes several options, with typed words, where the question allows several', async () => {
      const { store } = harness();
      const batch = batchOf(
        question('Which languages?', ['Go', 'Rust', 'Yes, both'], { multiSelect: true }),
        question('Which year?', ['2025', '2026']),
      );
      await store.open(request('r1', { batch }));
      const sheet = [{ status: 'answered', labels: ['Go', 'Yes, both'], other: 'Zig' }, { status: 'skipped' }] as const;
      expect((await store.claim('r1', claim({ kind: 'answers', sheet }))).code).toBe('done');
      expect(recordIn(await store.confirm('r1')).outcome).toEqual({ kind: 'partially_answered', sheet });
    });

    it('refuses a claim at the deadline by its own clock, and takes one a millisecond earlier', async () => {
      const { store, advance } = harness();
      await store.open(request('r1', { sessionId: 'a' }));
      await store.open(request('r2', { sessionId: 'b' }));
      await advance(WAIT_MS - 1);
      expect((await store.claim('r1', claim())).code).toBe('done');
      await advance(1);
      const late = await store.claim('r2', claim());
      expect(late.code).toBe('deadline_passed');
      expect(late.record?.status).toBe('open');
    });

    it('refuses a claim on a request that still waits in the queue', async () => {
      const { store } = harness();
      await store.open(request('r1'));
      await store.open(request('r2'));
      expect((await store.claim('r2', claim())).code).toBe('not_shown');
      expect((await mustRead(store, 'r2')).status).toBe('queued');
    });

    it.each([
      ['cancelled', 'stale'],
      ['timed_out', 'deadline_passed'],
    ] as const)('lets either a claim or a close (%s) win when both come at once, never both', async (kind, loser) => {
      const { store } = harness();
      const outcome = kind === 'cancelled' ? { kind } : { kind, shown: true, waitedMs: WAIT_MS };
      for (let round = 0; round < 50; round += 1) {
        const id = `r${round}`;
        await store.open(request(id, { sessionId: `session-${round}` }));
        const calls = [() => store.claim(id, claim()), () => store.close(id, outcome)];
        const inOrder = round % 2 === 0 ? calls : calls.toReversed();
        const results = await Promise.all(inOrder.map((call) => call()));
        const [claimed, closed] = round % 2 === 0 ? results : results.toReversed();
        const record = await mustRead(store, id);
        if (claimed?.code === 'done') {
          expect(closed?.code).toBe('resolution_in_progress');
          expect(record.status).toBe('claimed');
        } else {
          expect([claimed?.code, closed?.code]).toEqual([loser, 'done']);
          expect(record).toMatchObject({ status: 'ended', outcome });
          expect(record.verdict).toBeUndefined();
        }
      }
    });
  });
}
