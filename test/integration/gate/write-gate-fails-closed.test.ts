import { describe, expect, it } from 'vitest';
import type { GrantStore } from '../../../src/core/ports/grant-store.ts';
import { arrived, bash, grant, stagesPerTest, writing } from '../../support/write-gate.ts';

const aStage = stagesPerTest();

describe('the write gate fails closed', () => {
  it.each(['salt', 'listActive', 'grant', 'use'] as const)(
    'when the store of grants cannot be reached (%s)',
    async (part) => {
      const stage = await aStage({
        around: (grants): GrantStore => ({
          ...grants,
          [part]: async () => {
            throw new Error('Redis cannot be reached');
          },
        }),
      });
      const checking = stage.check(writing(stage.path('a.txt')));
      if (part === 'grant' || part === 'use') {
        const [card] = await stage.cards(1);
        await stage.decide(card?.requestId ?? '', grant('turn'));
        expect((await checking).behavior).toBe('deny');
        expect((await stage.store.read(card?.requestId ?? ''))?.outcome?.kind).toBe('indeterminate');
      }
      expect(await arrived(checking)).toMatchObject({
        behavior: 'deny',
        kind: 'not_recorded',
        message: expect.stringContaining('not a refusal'),
      });
      expect(stage.events).toMatchObject([{ granted: false, by: 'system' }]);
      expect(await stage.active()).toEqual([]);
    },
  );

  it('when the audit of grants cannot be written', async () => {
    const stage = await aStage();
    const checking = stage.check(writing(stage.path('a.txt')));
    const [card] = await stage.cards(1);
    stage.kept.auditFails = true;
    await stage.decide(card?.requestId ?? '', grant('turn'));
    expect(await arrived(checking)).toMatchObject({ kind: 'not_recorded' });
    stage.kept.auditFails = false;
    expect(await stage.active()).toEqual([]);
  });

  it('when the step cannot be judged', async () => {
    const stage = await aStage({
      classify: () => () => {
        throw new Error('it gave up');
      },
    });
    expect(await arrived(stage.check(bash('ls')))).toMatchObject({ kind: 'not_understood' });
    const plain = await aStage();
    for (const input of [undefined, { command: () => 'ls' }, { command: 'touch a', n: Number.NaN }, 1n]) {
      expect(await arrived(plain.check({ tool: 'Bash', input }))).toMatchObject({ kind: 'not_understood' });
    }
  });

  it('when a step is too large for a person to review', async () => {
    const stage = await aStage();
    expect(await arrived(stage.check(writing(stage.path('a.txt'), 'x'.repeat(530_000))))).toMatchObject({
      kind: 'too_large',
    });
  });

  it('when the prompter throws, or says something that is no decision on a step', async () => {
    const throwing = await aStage({
      prompter: {
        propose: async () => {
          throw new Error('no store');
        },
      },
    });
    expect(await arrived(throwing.check(writing(throwing.path('a.txt'))))).toMatchObject({ kind: 'not_recorded' });
    const result = { delivered: async () => undefined, lost: async () => undefined };
    for (const outcome of [{ kind: 'declined' }, { kind: 'answered', sheet: [] }, { kind: 'indeterminate' }] as const) {
      const stage = await aStage({ prompter: { propose: async () => ({ outcome, ...result }) } });
      expect(await arrived(stage.check(writing(stage.path('a.txt'))))).toMatchObject({ kind: 'indeterminate' });
    }
  });

  it('when a scope is granted that was not offered', async () => {
    const result = { delivered: async () => undefined, lost: async () => undefined };
    const outcome = { kind: 'granted', scope: 'session' } as const;
    const stage = await aStage({ prompter: { propose: async () => ({ outcome, ...result }) } });
    expect(await arrived(stage.check(bash('git push')))).toMatchObject({ kind: 'indeterminate' });
    expect(await stage.active()).toEqual([]);
  });
});
