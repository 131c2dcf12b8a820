import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/core/outcomes.ts';
import type { Gate } from '../../../src/core/ports/gate.ts';
import type { AskContext } from '../../../src/core/ports/prompter.ts';
import type { AnswerSheet } from '../../../src/core/questions/answers.ts';
import type { QuestionBatch } from '../../../src/core/questions/contract.ts';
import { PlanApproval } from '../../../src/gate/plan-approval.ts';
import { recordingLog } from '../../support/recording-log.ts';

const PLAN = '1. Read the code\n2. <script> tags stay as they are\n3. Write the cache';
const CALL = { tool: 'ExitPlanMode', input: { plan: PLAN }, toolUseId: 'toolu_1' };
const FACTS = { cwd: '/w', sessionId: 's', turnId: 't' };

/** A gate behind it that must not be reached, and people who end the question that way. */
function planGate(outcome: Outcome | Error) {
  const asked: { batch: QuestionBatch; context: AskContext }[] = [];
  const fates: string[] = [];
  const inner = new Proxy({} as Gate, {
    get: (_, name) => () => {
      throw new Error(`the gate behind was asked to ${String(name)}`);
    },
  });
  const ask = async (batch: QuestionBatch, context: AskContext) => {
    asked.push({ batch, context });
    if (outcome instanceof Error) throw outcome;
    return {
      outcome,
      delivered: async () => void fates.push('delivered'),
      lost: async (why: string) => void fates.push(why),
    };
  };
  const gate = new PlanApproval(inner, { prompter: { ask }, log: recordingLog() });
  return { asked, fates, check: (call = CALL, facts = FACTS) => gate.check(call, facts, { signal: NEVER }) };
}

const NEVER = new AbortController().signal;
const answered = (answer: Partial<Extract<AnswerSheet[number], { status: 'answered' }>>): Outcome => ({
  kind: 'answered',
  sheet: [{ status: 'answered', labels: [], ...answer }],
});

describe('a plan', () => {
  it('is put to the operators as a question with all of it, and starts when one of them picks that', async () => {
    const { asked, fates, check } = planGate(answered({ labels: ['Start'] }));
    const decision = await check();
    expect(decision).toMatchObject({ behavior: 'allow', input: { plan: PLAN } });
    const { batch, context } = asked[0] ?? {};
    expect(batch?.questions).toMatchObject([
      { options: [{ label: 'Start', preview: PLAN }, { label: 'Keep planning' }] },
    ]);
    expect(context).toMatchObject({ pendingId: 'toolu_1' });
    await decision.delivered();
    expect(fates).toEqual(['delivered']);
  });

  it('says which sub-agent made it', async () => {
    const { asked, check } = planGate(answered({ labels: ['Start'] }));
    await check(CALL, { ...FACTS, agentId: 'a1', agentType: 'Plan' } as typeof FACTS);
    expect(asked[0]?.context.subAgent).toEqual({ id: 'a1', type: 'Plan' });
  });

  it.each<[string, Outcome, RegExp]>([
    [
      'a person wants more planning',
      answered({ labels: ['Keep planning'], notes: 'Use Redis.' }),
      /keep planning.*Use Redis\./s,
    ],
    ['a person writes what should change', answered({ other: 'Start' }), /keep planning.*They say:\nStart/s],
    ['a person picks both in some way', answered({ labels: ['Start'], other: 'but not step 3' }), /but not step 3/],
    ['it is skipped', { kind: 'skipped', sheet: [{ status: 'skipped' }] }, /keep planning/],
    ['it is left to the agent', { kind: 'declined' }, /does not start it/],
    ['nobody can be asked', { kind: 'no_channel' }, /Nobody can be asked/],
    ['nobody answers', { kind: 'timed_out', shown: true, waitedMs: 300_000 }, /not a refusal by a person/],
    ['it cannot be posted', { kind: 'undeliverable', reason: 'Slack is away' }, /Slack is away/],
    ['it is withdrawn', { kind: 'cancelled' }, /withdrawn/],
    ['the record is not believed', { kind: 'indeterminate' }, /not certain/],
  ])('does not start when %s, and the agent is told', async (_, outcome, says) => {
    const decision = await planGate(outcome).check();
    expect(decision).toMatchObject({ behavior: 'deny', message: expect.stringMatching(says) });
    expect(decision).toMatchObject({ message: expect.stringContaining('still in plan mode') });
  });

  it('does not start when asking fails, nor when there is no plan in the call', async () => {
    expect(await planGate(new Error('boom')).check()).toMatchObject({ behavior: 'deny', kind: 'not_understood' });
    const { asked, check } = planGate(answered({ labels: ['Start'] }));
    for (const input of [{}, { plan: ' ' }, { plan: 3 }, null] as { plan: string }[])
      expect(await check({ ...CALL, input })).toMatchObject({
        behavior: 'deny',
        message: expect.stringContaining('no plan'),
      });
    expect(asked).toEqual([]);
  });
});
