import { describe, expect, it } from 'vitest';
import { ANA } from '../../support/requests.ts';
import { eachGrantTest, grantIn, grantOf, type MakeGrants, turnOf, useBy } from './harness.ts';

export function grantUses(makeGrants: MakeGrants): void {
  describe('uses', () => {
    const harness = eachGrantTest(makeGrants);

    it('keeps what was granted to the letter, by whom and when', async () => {
      const { grants, now } = harness();
      const odd = grantOf('r1', {
        workspace: '/home/ánä/"api"\u2028',
        endsAt: now() + 1_000,
        by: { ...ANA, roles: ['1'] },
      });
      const result = await grants.grant(odd);
      expect(result).toEqual({ code: 'done', grant: { ...odd, grantedAt: now(), uses: 0 } });
      expect(await grants.read('r1')).toEqual(result.grant);
      expect(await grants.read('r2')).toBeUndefined();
    });

    it('grants a request once: the same again changes nothing, anything else is refused', async () => {
      const { grants, auditRows } = harness();
      const first = await grants.grant(grantOf('r1'));
      expect(await grants.grant(grantOf('r1'))).toEqual({ code: 'repeated', grant: first.grant });
      const wider = await grants.grant(turnOf('r1'));
      expect(wider).toEqual({ code: 'not_allowed', grant: first.grant });
      expect(await auditRows()).toHaveLength(1);
    });

    it('lets one of 50 concurrent calls have an action, for each of 20 grants at once', async () => {
      const { grants, auditRows } = harness();
      const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
      for (const id of ids) await grants.grant(grantOf(id));
      const attempts = ids.flatMap((id) =>
        Array.from({ length: 50 }, (_, call) => ({ id, callId: `${id} call ${call}` })),
      );
      const results = await Promise.all(
        attempts.map(async ({ id, callId }) => ({ id, callId, result: await grants.use(id, useBy(callId)) })),
      );
      const rows = await auditRows();
      for (const id of ids) {
        const own = results.filter((one) => one.id === id);
        const served = own.filter(({ result }) => result.code === 'done');
        expect(served).toHaveLength(1);
        expect(grantIn(await grants.use(id, useBy('later')))).toMatchObject({
          uses: 1,
          usedBy: served[0]?.callId,
          ended: { why: 'used' },
        });
        const others = own.filter(({ result }) => result.code !== 'done');
        expect(new Set(others.map(({ result }) => result.code))).toEqual(new Set(['already_resolved']));
        expect(rows.filter(({ requestId, event }) => requestId === id && event === 'grant_used')).toHaveLength(1);
      }
      expect(await grants.listActive()).toEqual([]);
    });

    it('serves the same call again when it did not hear that it was served, and counts it once', async () => {
      const { grants, auditRows } = harness();
      for (const granted of [grantOf('r1'), turnOf('r2')]) {
        await grants.grant(granted);
        const first = await grants.use(granted.requestId, useBy('call-1'));
        const rows = (await auditRows()).length;
        expect(await grants.use(granted.requestId, useBy('call-1'))).toEqual({ code: 'repeated', grant: first.grant });
        expect(await auditRows()).toHaveLength(rows);
      }
      expect((await grants.use('r1', useBy('call-2'))).code).toBe('already_resolved');
      expect((await grants.use('r2', useBy('call-2'))).grant?.uses).toBe(2);
    });

    it('lets a turn or a session be used by any number of calls', async () => {
      const { grants } = harness();
      await grants.grant(turnOf('r1'));
      await grants.grant(grantOf('r2', { scope: 'session', covers: 'same-digest' }));
      for (const id of ['r1', 'r2']) {
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, call) => grants.use(id, useBy(`${id} ${call}`))),
        );
        expect(results.map(({ code }) => code)).toEqual(results.map(() => 'done'));
        expect((await grants.read(id))?.uses).toBe(20);
      }
    });

    it('knows no grant that was never given', async () => {
      const { grants, auditRows } = harness();
      expect(await grants.use('r1', useBy('call-1'))).toEqual({ code: 'not_found' });
      expect(await grants.end('r1', 'turn_ended')).toEqual({ code: 'not_found' });
      expect(await auditRows()).toEqual([]);
    });

    it('lists what is good now, of one session or of all, by when it was granted', async () => {
      const { grants, advance, now } = harness();
      await grants.grant(turnOf('b', { endsAt: now() + 5_000 }));
      await advance(1);
      await grants.grant(turnOf('c', { sessionId: 'session-2' }));
      await grants.grant(turnOf('a'));
      const ids = async (sessionId?: string) => (await grants.listActive(sessionId)).map(({ requestId }) => requestId);
      expect(await ids()).toEqual(['b', 'a', 'c']);
      expect(await ids('session-1')).toEqual(['b', 'a']);
      expect(await ids('session-3')).toEqual([]);
      await grants.end('a', 'turn_ended');
      expect(await ids('session-1')).toEqual(['b']);
      await advance(5_000);
      expect(await ids()).toEqual(['c']);
    });

    it('salts each session’s digests alike for everybody who asks', async () => {
      const { grants } = harness();
      const salts = await Promise.all(Array.from({ length: 10 }, () => grants.salt('session-1')));
      expect(new Set(salts).size).toBe(1);
      expect(salts[0]?.length).toBeGreaterThanOrEqual(22);
      expect(await grants.salt('session-2')).not.toBe(salts[0]);
    });
  });
}
