import { describe, expect, it } from 'vitest';
import { ANA, BEN } from '../../support/requests.ts';
import { eachGrantTest, grantOf, type MakeGrants, turnOf, useBy } from './harness.ts';

const LIMIT_MS = 4 * 3_600_000;

export function grantEndings(makeGrants: MakeGrants): void {
  describe('endings', () => {
    const harness = eachGrantTest(makeGrants);

    it.each(['turn_ended', 'session_ended', 'workspace_changed', 'drifted', 'not_delivered', 'owner_stopped'] as const)(
      'serve nobody afterwards (%s)',
      async (why) => {
        const { grants, now } = harness();
        await grants.grant(turnOf('r1'));
        const result = await grants.end('r1', why);
        expect(result).toMatchObject({ code: 'done', grant: { ended: { why, at: now() } } });
        expect(await grants.use('r1', useBy('call-1'))).toEqual({ code: 'already_resolved', grant: result.grant });
        expect(await grants.end('r1', why)).toEqual({ code: 'repeated', grant: result.grant });
        expect((await grants.revoke('r1', ANA)).code).toBe('already_resolved');
        expect(await grants.read('r1')).toEqual(result.grant);
        expect(await grants.listActive()).toEqual([]);
      },
    );

    it('ends at its time limit by its own clock, and is good a millisecond earlier', async () => {
      const { grants, now, advance } = harness();
      const at = now();
      await grants.grant(turnOf('r1', { endsAt: at + LIMIT_MS }));
      await advance(LIMIT_MS - 1);
      expect((await grants.use('r1', useBy('call-1'))).code).toBe('done');
      await advance(1);
      expect(await grants.listActive()).toEqual([]);
      expect(await grants.use('r1', useBy('call-2'))).toMatchObject({
        code: 'already_resolved',
        grant: { uses: 1, ended: { why: 'time_limit', at: at + LIMIT_MS } },
      });
    });

    it('is taken back by a person, who is told apart from what ended it before', async () => {
      const { grants, now } = harness();
      await grants.grant(turnOf('r1'));
      const result = await grants.revoke('r1', BEN);
      expect(result).toMatchObject({ code: 'done', grant: { ended: { why: 'revoked', at: now(), by: BEN } } });
      expect(await grants.revoke('r1', ANA)).toEqual({ code: 'repeated', grant: result.grant });
      expect((await grants.use('r1', useBy('call-1'))).code).toBe('already_resolved');
      expect((await grants.end('r1', 'turn_ended')).code).toBe('already_resolved');
      expect(await grants.read('r1')).toEqual(result.grant);
      expect(await grants.listActive()).toEqual([]);
    });

    it('never becomes good when it was taken back before it was stored', async () => {
      const { grants } = harness();
      expect(await grants.revoke('r1', ANA)).toEqual({ code: 'not_found' });
      expect((await grants.grant(turnOf('r1'))).code).toBe('already_resolved');
      expect(await grants.use('r1', useBy('call-1'))).toEqual({ code: 'not_found' });
      expect(await grants.listActive()).toEqual([]);
    });

    it('lets either a use or a revocation come first when both come at once, never a use afterwards', async () => {
      const { grants } = harness();
      for (let round = 0; round < 40; round += 1) {
        const id = `r${round}`;
        await grants.grant(grantOf(id));
        const calls = [() => grants.use(id, useBy('call-1')), () => grants.revoke(id, ANA)];
        const results = await Promise.all((round % 2 === 0 ? calls : calls.toReversed()).map((call) => call()));
        const [used, revoked] = round % 2 === 0 ? results : results.toReversed();
        expect([used?.code, revoked?.code].sort()).toEqual(['already_resolved', 'done']);
        expect((await grants.use(id, useBy('call-2'))).code).toBe('already_resolved');
      }
    });

    it('does not serve the very call that it served, once it is taken back', async () => {
      const { grants } = harness();
      await grants.grant(turnOf('r1'));
      await grants.use('r1', useBy('call-1'));
      await grants.revoke('r1', ANA);
      expect((await grants.use('r1', useBy('call-1'))).code).toBe('already_resolved');
    });

    it('lifts a refusal once, for everybody who asks', async () => {
      const { grants, auditRows } = harness();
      expect(await grants.isLifted('r1')).toBe(false);
      await grants.liftRefusal('r1', ANA);
      await grants.liftRefusal('r1', BEN);
      expect(await grants.isLifted('r1')).toBe(true);
      expect(await grants.isLifted('r2')).toBe(false);
      expect((await auditRows()).filter(({ event }) => event === 'refusal_lifted')).toHaveLength(1);
    });
  });
}
