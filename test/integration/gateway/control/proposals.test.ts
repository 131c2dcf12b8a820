import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { dialControl } from '../../../../src/cli/control-client.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import type { OperatorRule } from '../../../../src/core/policy/people.ts';
import type { Choice } from '../../../../src/core/wire/control.ts';
import { openControlStage } from '../../../support/control-socket.ts';
import { storeInMemory } from '../../../support/memory-store.ts';
import { ONCE, proposalRequestOf, pushOf, TURN, writeOf } from '../../../support/proposals.ts';

const ME: OperatorRule = { localUsers: [userInfo().username] };

/** One open proposal behind a control socket, whose owner confirms what is decided. */
async function setUp(approvers: OperatorRule = ME, proposal = writeOf({ offers: [TURN, ONCE] })) {
  const made = storeInMemory();
  const stage = await openControlStage({ store: made.store, clock: systemClock, approvers });
  await made.store.watchOwner('owner-1', (requestId) => void made.store.confirm(requestId));
  await made.store.open(proposalRequestOf('p1', proposal, { pendingId: 'tool-1' }));
  const client = await dialControl(stage.control.path, undefined);
  return {
    ...made,
    client,
    resolve: (choice: Choice) => client.resolve({ requestId: 'p1', choice }),
    async [Symbol.asyncDispose]() {
      client.close();
      await stage[Symbol.asyncDispose]();
    },
  };
}

describe('a proposal at the command line', () => {
  it('is listed with what it would do and what may be granted', async () => {
    await using made = await setUp();
    const { requests } = await made.client.pending();
    expect(requests).toMatchObject([
      {
        requestId: 'p1',
        questions: [],
        proposal: {
          effect: 'write',
          text: 'touch src/a.ts',
          targets: ['/home/ana/api/src/a.ts'],
          options: [
            { id: 'turn', label: 'Allow for this turn' },
            { id: 'action', label: 'Allow once' },
            { id: 'deny', label: 'Deny' },
          ],
        },
      },
    ]);
  });

  it.each<[string, Extract<Choice, { options: unknown }>, object, string]>([
    ['allowed once', { options: ['action'] }, { kind: 'granted', scope: 'action' }, 'granted'],
    ['allowed for the turn', { options: ['turn'] }, { kind: 'granted', scope: 'turn' }, 'granted'],
    ['denied', { options: ['deny'] }, { kind: 'denied' }, 'denied'],
    ['denied with a note', { options: ['deny'], notes: 'Not now.' }, { kind: 'denied', note: 'Not now.' }, 'denied'],
  ])('is %s by one of its options', async (_, choice, decision, outcome) => {
    await using made = await setUp();
    expect(await made.resolve(choice)).toMatchObject({ code: 'resolved', outcome, picks: choice.options });
    expect((await made.store.read('p1'))?.verdict?.decision).toEqual(decision);
    expect(made.rows.find(({ event }) => event === 'claimed')).toMatchObject({ source: 'cli', outcome });
  });

  it.each<[string, Choice]>([
    ['an answer', { answers: { 'Which?': 'x' } }],
    ['two options', { options: ['turn', 'action'] }],
    ['own words', { options: [], other: 'yes' }],
    ['an option of a question', { options: ['q0.o0'] }],
    ['a note with an approval', { options: ['action'], notes: 'x' }],
    ['"skip"', { skip: true }],
    ['"decide without us"', { decline: true }],
  ])('takes no %s', async (_, choice) => {
    await using made = await setUp();
    expect(await made.resolve(choice)).toMatchObject({ code: 'invalid_answers' });
    expect((await made.store.read('p1'))?.status).toBe('open');
  });

  it('refuses a scope that it does not offer', async () => {
    await using made = await setUp(ME, pushOf());
    expect(await made.resolve({ options: ['session'] })).toMatchObject({ code: 'option_not_offered' });
    expect(await made.resolve({ options: ['action'] })).toMatchObject({ code: 'resolved' });
  });

  it.each<[string, OperatorRule]>([
    ['is not listed', { slackUsers: ['U1'] }],
    ['is not listed by name where everybody else may', '*'],
  ])('takes no decision of a user who %s', async (_, approvers) => {
    await using made = await setUp(approvers);
    expect(await made.resolve({ options: ['action'] })).toMatchObject({
      code: 'refused',
      reason: 'not_listed',
      sentence: expect.stringContaining('grants.approvers'),
    });
    expect((await made.store.read('p1'))?.status).toBe('open');
    expect(made.rows.find(({ event }) => event === 'click_refused')).toMatchObject({ reason: 'not_listed' });
  });
});
