import { describe, expect, it } from 'vitest';
import type { GrantStore } from '../../../src/core/ports/grant-store.ts';
import type { RequestRecord } from '../../../src/core/request.ts';
import { BEN } from '../../support/requests.ts';
import { arrived, bash, DENY, grant, proposalIn, stagesPerTest, writing } from '../../support/write-gate.ts';

const aStage = stagesPerTest();

/** The ids of open proposals by the file they would write. */
function idsByTarget(open: readonly RequestRecord[]): (path: string) => string {
  return (path) => open.find((card) => proposalIn(card).targets[0]?.path === path)?.requestId ?? 'none';
}

describe('a grant of the write gate', () => {
  it('answers other open proposals of the session with the grant that arrives, where it is good for them', async () => {
    const stage = await aStage();
    const first = stage.check(writing(stage.path('a.txt')));
    await stage.cards(1);
    const other = stage.check(writing(stage.path('b.txt')));
    await stage.cards(2);
    const elsewhere = stage.check(writing('/tmp/hr-elsewhere.txt'));
    const push = stage.check(bash('git push'));
    const of = idsByTarget(await stage.cards(4));
    await stage.decide(of(stage.path('a.txt')), grant('turn'));
    expect((await arrived(first)).behavior).toBe('allow');
    expect((await arrived(other)).behavior).toBe('allow');
    expect((await stage.store.read(of(stage.path('b.txt'))))?.outcome).toEqual({
      kind: 'cancelled',
      coveredBy: of(stage.path('a.txt')),
    });
    const left = await stage.cards(2);
    expect(left.map((card) => proposalIn(card).effect).sort()).toEqual(['external', 'write']);
    for (const { requestId } of left) await stage.decide(requestId, DENY);
    expect([(await arrived(elsewhere)).behavior, (await arrived(push)).behavior]).toEqual(['deny', 'deny']);
    expect(stage.events.map(({ by, granted }) => [by, granted])).toEqual([
      ['operator', true],
      ['active_scope', true],
      ['operator', false],
      ['operator', false],
    ]);
  });

  it('lets a person’s refusal stand that comes together with a grant for the other one', async () => {
    const stage = await aStage();
    const [first, other] = [stage.check(writing(stage.path('a.txt'))), stage.check(writing(stage.path('b.txt')))];
    const open = await stage.cards(2);
    const of = idsByTarget(open);
    await Promise.all([
      stage.decide(of(stage.path('a.txt')), grant('turn')),
      stage.decide(of(stage.path('b.txt')), DENY),
    ]);
    expect((await arrived(first)).behavior).toBe('allow');
    expect((await arrived(other)).behavior).toBe('deny');
  });

  it('runs the same command with another description by the grant for exactly this one', async () => {
    const stage = await aStage();
    await stage.decided(bash('npm test', { description: 'Run the tests' }), grant('turn'));
    const again = await arrived(stage.check(bash('npm test', { description: 'Once more', timeout: 5_000 })));
    expect(again.behavior).toBe('allow');
    const other = stage.check(bash('npm test -- --watch'));
    const [card] = await stage.cards(1);
    await stage.decide(card?.requestId ?? '', DENY);
    expect((await arrived(other)).behavior).toBe('deny');
  });

  it('asks about an external step each time, whatever was granted before, and asks for a second look', async () => {
    const stage = await aStage();
    await stage.decided(writing(stage.path('a.txt')), grant('session'));
    for (const command of ['git push', 'git push', 'touch b && git push origin :main']) {
      const checking = stage.check(bash(command));
      const [card] = await stage.cards(1);
      expect(proposalIn(card)).toMatchObject({ effect: 'external', offers: [{ scope: 'action', confirm: true }] });
      await stage.decide(card?.requestId ?? '', grant('action'));
      expect((await arrived(checking)).behavior).toBe('allow');
    }
    expect((await stage.active()).map(({ scope }) => scope)).toEqual(['session']);
  });

  it('ends a turn’s grants with the turn, a session’s with the session, and both with their time', async () => {
    const stage = await aStage();
    await stage.decided(writing(stage.path('a.txt')), grant('turn'));
    await stage.gate.turnEnded('turn-1');
    expect(await stage.active()).toEqual([]);
    await stage.decided(writing(stage.path('a.txt')), grant('session'), { turnId: 'turn-2' });
    expect((await arrived(stage.check(writing(stage.path('b.txt')), { turnId: 'turn-3' }))).behavior).toBe('allow');
    await stage.gate.sessionEnded('session-1');
    expect(await stage.active()).toEqual([]);
    await stage.decided(writing(stage.path('a.txt')), grant('session'), { turnId: 'turn-4' });
    await stage.clock.walk(4 * 3_600_000);
    const late = stage.check(writing(stage.path('b.txt')), { turnId: 'turn-4' });
    const [card] = await stage.cards(1);
    await stage.decide(card?.requestId ?? '', DENY);
    expect((await arrived(late)).behavior).toBe('deny');
  });

  it('offers no turn for a call of a turn that has ended', async () => {
    const stage = await aStage();
    await stage.gate.turnEnded('turn-1');
    const checking = stage.check(writing(stage.path('a.txt')));
    const [card] = await stage.cards(1);
    expect(proposalIn(card).offers.map(({ scope }) => scope)).toEqual(['action', 'session']);
    await stage.decide(card?.requestId ?? '', DENY);
    await arrived(checking);
  });

  it('withdraws what is still proposed when its turn ends or the agent does not want it any more', async () => {
    const stage = await aStage();
    const agent = new AbortController();
    const [ofTurn, ofCall] = [
      stage.check(writing(stage.path('a.txt'))),
      stage.check(writing(stage.path('b.txt')), { turnId: 'turn-2' }, agent.signal),
    ];
    await stage.cards(2);
    await stage.gate.turnEnded('turn-1');
    expect(await arrived(ofTurn)).toMatchObject({ kind: 'cancelled' });
    agent.abort();
    expect(await arrived(ofCall)).toMatchObject({ kind: 'cancelled' });
    await stage.noCardIsOpen();
    expect(stage.events.map(({ by }) => by)).toEqual(['agent', 'agent']);
  });

  it('asks again once a grant is taken back, also for a call that was on its way', async () => {
    const taken: string[] = [];
    const stage = await aStage({
      around: (grants): GrantStore => ({
        ...grants,
        async use(requestId, use) {
          // Just before it is used.
          if (taken.includes(use.tool)) await grants.revoke(requestId, BEN);
          return grants.use(requestId, use);
        },
      }),
    });
    await stage.decided(writing(stage.path('a.txt')), grant('turn'));
    const [given] = await stage.active();
    await stage.gate.revoke(given?.requestId ?? '', BEN);
    const again = stage.check(writing(stage.path('b.txt')));
    const [card] = await stage.cards(1);
    taken.push('Write');
    await stage.decide(card?.requestId ?? '', grant('turn'));
    expect(await arrived(again)).toMatchObject({ kind: 'grant_over', message: expect.stringContaining('taken back') });
  });

  it('lets the agent keep nothing of a grant that did not reach it', async () => {
    const stage = await aStage();
    const checking = stage.check(writing(stage.path('a.txt')));
    const [card] = await stage.cards(1);
    await stage.decide(card?.requestId ?? '', grant('session'));
    await (await checking).lost('the socket closed');
    expect(await stage.active()).toEqual([]);
    expect(stage.events).toMatchObject([{ granted: false, outcome: 'indeterminate', by: 'system' }]);
    expect((await stage.store.read(card?.requestId ?? ''))?.outcome?.kind).toBe('indeterminate');
  });
});
