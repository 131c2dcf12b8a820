import { describe, expect, it } from 'vitest';
import type { GrantResult, GrantStore } from '../../../src/core/ports/grant-store.ts';
import { ANA, BEN } from '../../support/requests.ts';
import { eachGrantTest, grantOf, type MakeGrants, turnOf, useBy } from './harness.ts';

/** Each operation that answers with a code: what has to be there first, and the operation. */
const OPERATIONS: readonly {
  name: string;
  prepare: (grants: GrantStore) => Promise<unknown>;
  act: (grants: GrantStore) => Promise<GrantResult>;
}[] = [
  { name: 'grant', prepare: async () => undefined, act: (grants) => grants.grant(turnOf('r1')) },
  {
    name: 'use of an action',
    prepare: (grants) => grants.grant(grantOf('r1')),
    act: (grants) => grants.use('r1', useBy('call-1')),
  },
  {
    name: 'use of a turn',
    prepare: (grants) => grants.grant(turnOf('r1')),
    act: (grants) => grants.use('r1', useBy('call-1')),
  },
  {
    name: 'end',
    prepare: (grants) => grants.grant(turnOf('r1')),
    act: (grants) => grants.end('r1', 'turn_ended'),
  },
  { name: 'revoke', prepare: (grants) => grants.grant(turnOf('r1')), act: (grants) => grants.revoke('r1', ANA) },
];

export function grantAudit(makeGrants: MakeGrants): void {
  describe('audit', () => {
    const harness = eachGrantTest(makeGrants);

    it('has the life of grants in order: who allowed what, what ran by it, what ended it', async () => {
      const { grants, auditRows, now } = harness();
      const endsAt = now() + 1_000;
      await grants.grant(turnOf('r1', { endsAt }));
      await grants.use('r1', useBy('call-1', { tool: 'Bash', digest: 'd2' }));
      await grants.revoke('r1', BEN);
      await grants.grant(grantOf('r2', { sessionId: 'session-2', ownerId: 'owner-2' }));
      await grants.end('r2', 'drifted');
      await grants.liftRefusal('r3', ANA);
      const { name: _, ...ana } = ANA;
      const { name: __, ...ben } = BEN;
      const about = (requestId: string, session = 1) => ({
        at: now(),
        requestId,
        sessionId: `session-${session}`,
        ownerId: `owner-${session}`,
      });
      const what = { workspace: '/home/ana/api', turnId: 'turn-1' };
      const byAna = { source: 'slack', actor: { kind: 'chat_user', ...ana } };
      const byBen = { source: 'slack', actor: { kind: 'chat_user', ...ben } };
      expect(await auditRows()).toEqual([
        {
          ...about('r1'),
          event: 'granted',
          ...byAna,
          grant: { scope: 'turn', covers: 'workspace-writes', endsAt, ...what, digest: 'digest of r1' },
        },
        { ...about('r1'), event: 'grant_used', proposal: { tool: 'Bash', effect: 'write', digest: 'd2' } },
        { ...about('r1'), event: 'grant_revoked', ...byBen },
        {
          ...about('r2', 2),
          event: 'granted',
          ...byAna,
          grant: { scope: 'action', covers: 'this-call', ...what, digest: 'digest of r2' },
        },
        { ...about('r2', 2), event: 'grant_ended', reason: 'drifted' },
        { at: now(), event: 'refusal_lifted', requestId: 'r3', ...byAna },
      ]);
    });

    it('says that a grant ran out of time when somebody wants to use it', async () => {
      const { grants, auditRows, now, advance } = harness();
      await grants.grant(turnOf('r1', { endsAt: now() + 1_000 }));
      await advance(1_000);
      await grants.use('r1', useBy('call-1'));
      expect((await auditRows()).slice(1)).toMatchObject([{ event: 'grant_ended', reason: 'time_limit' }]);
    });

    it.each(OPERATIONS)('that cannot be written changes nothing: $name', async ({ prepare, act }) => {
      const { grants, auditRows, breakAudit, mendAudit } = harness();
      await prepare(grants);
      const [before, rows] = [await grants.read('r1'), await auditRows()];
      await breakAudit();
      expect(await act(grants)).toEqual({ code: 'audit_failed', ...(before === undefined ? {} : { grant: before }) });
      expect(await grants.read('r1')).toEqual(before);
      await mendAudit();
      expect(await auditRows()).toEqual(rows);
      expect((await act(grants)).code).toBe('done');
      expect(await auditRows()).toHaveLength(rows.length + 1);
    });

    it('that cannot be written keeps a refusal from being lifted', async () => {
      const { grants, breakAudit, mendAudit } = harness();
      await breakAudit();
      await expect(grants.liftRefusal('r1', ANA)).rejects.toMatchObject({ code: 'store' });
      await mendAudit();
      expect(await grants.isLifted('r1')).toBe(false);
    });
  });
}
