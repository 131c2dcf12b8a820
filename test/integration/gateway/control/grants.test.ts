import { userInfo } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { type ControlClient, dialControl } from '../../../../src/cli/control-client.ts';
import type { OperatorRule } from '../../../../src/core/policy/people.ts';
import { turnOf } from '../../../contracts/grant-store/harness.ts';
import { type ControlStage, openControlStage } from '../../../support/control-socket.ts';
import { grantsInMemory } from '../../../support/memory-grants.ts';
import { storeInMemory } from '../../../support/memory-store.ts';
import { proposalRequestOf, writeOf } from '../../../support/proposals.ts';

const ME: OperatorRule = { localUsers: [userInfo().username] };

const opened: { stage: ControlStage; client: ControlClient }[] = [];
afterEach(async () => {
  for (const { stage, client } of opened.splice(0)) {
    client.close();
    await stage[Symbol.asyncDispose]();
  }
});

/** A control socket over memory stores, with a proposal `r1` and the grant that came of it. */
async function setUp({ approvers = ME, inside }: { approvers?: OperatorRule; inside?: string } = {}) {
  const { store, clock, rows } = storeInMemory();
  const kept = grantsInMemory(clock);
  await store.open(proposalRequestOf('r1', writeOf()));
  await kept.grants.grant(turnOf('r1', { endsAt: clock.now() + 5_000 }));
  const stage = await openControlStage({ store, clock, approvers, grants: kept.grants });
  const client = await dialControl(stage.control.path, inside);
  opened.push({ stage, client });
  return { store, clock, rows, kept, stage, client };
}

describe('grants over the control socket', () => {
  it('are listed while they are good: what for, by whom, until when', async () => {
    const { client, clock } = await setUp();
    const at = clock.now();
    expect(await client.grants()).toEqual([
      {
        requestId: 'r1',
        scope: 'turn',
        covers: 'workspace-writes',
        sessionId: 'session-1',
        workspace: '/home/ana/api',
        grantedAt: new Date(at).toISOString(),
        by: 'Ana',
        endsAt: new Date(at + 5_000).toISOString(),
        uses: 0,
      },
    ]);
    await clock.walk(5_000);
    expect(await client.grants()).toEqual([]);
  });

  it('are taken back by an approver of this machine, whose card is then drawn anew', async () => {
    const { client, kept, stage } = await setUp();
    expect(await client.revoke('r1')).toMatchObject({
      code: 'revoked',
      sentence: expect.stringContaining('Taken back'),
    });
    expect(await client.grants()).toEqual([]);
    expect(stage.redrawn).toEqual(['r1']);
    expect(kept.rows.at(-1)).toMatchObject({
      event: 'grant_revoked',
      requestId: 'r1',
      source: 'cli',
      actor: { kind: 'os_user', platform: 'local' },
    });
    expect(await client.revoke('r1')).toMatchObject({ code: 'revoked' });
  });

  it('that are over, or never were, are told as such', async () => {
    const { client, kept } = await setUp();
    await kept.grants.end('r1', 'turn_ended');
    expect(await client.revoke('r1')).toMatchObject({ code: 'over' });
    expect(await client.revoke('r2')).toMatchObject({ code: 'not_found' });
  });

  it('stay with whoever is not among the approvers, which is audited', async () => {
    for (const approvers of ['*', {}, { slackUsers: ['U1'] }] as const) {
      const { client, kept, rows } = await setUp({ approvers });
      expect(await client.revoke('r1')).toMatchObject({ code: 'refused' });
      expect(await kept.grants.listActive()).toHaveLength(1);
      expect(rows.at(-1)).toMatchObject({ event: 'click_refused', reason: 'not_listed', source: 'cli' });
    }
  });

  it('are neither listed nor taken back from within an agent, which is audited', async () => {
    const { client, kept, rows } = await setUp({ inside: 'it says so' });
    await expect(client.grants()).rejects.toMatchObject({ code: 'refused' });
    expect(await client.revoke('r1')).toMatchObject({ code: 'refused' });
    expect(await kept.grants.listActive()).toHaveLength(1);
    expect(rows.at(-1)).toMatchObject({ event: 'click_refused', reason: 'agent_tree' });
  });

  it('that cannot be taken back because of the audit are still good, and that is said', async () => {
    const { client, kept } = await setUp();
    kept.auditFails = true;
    expect(await client.revoke('r1')).toMatchObject({ code: 'audit_failed' });
    expect(await kept.grants.listActive()).toHaveLength(1);
  });
});
