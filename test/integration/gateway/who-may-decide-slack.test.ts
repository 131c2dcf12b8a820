import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/core/policy/people.ts';
import type { AddUser } from '../../doubles/slack/types.ts';
import { refusedClick, resolveAt, type Waiting, waiting } from '../../support/decision-desk.ts';
import { type EmbeddedSlack, embeddedOnSlack } from '../../support/embedded-slack.ts';
import { writeOf } from '../../support/proposals.ts';
import { SESSION } from '../../support/requests.ts';

const GROUP = 'S0ONCALL001';
const REQUESTER = 'U0REQUESTER';

/** Each listed by every list there is, as far as they can be: what refuses them is what they are. */
const PEOPLE: readonly (readonly [who: string, spec: AddUser, expected: Refusal | 'allowed'])[] = [
  ['an approver', { id: 'U0APPROVER1' }, 'allowed'],
  ['a member of a listed user group', { id: 'U0INGROUP01' }, 'allowed'],
  ['the requester, though listed', { id: REQUESTER }, 'requester'],
  ['a member of the channel only', { id: 'U0MEMBER001' }, 'not_listed'],
  ['somebody who has left the group since the card was posted', { id: 'U0LEFTGROUP' }, 'not_listed'],
  ['a guest, though listed', { id: 'U0GUEST0001', is_restricted: true }, 'guest'],
  ['a guest in the group', { id: 'U0GUEST0002', is_ultra_restricted: true, is_restricted: true }, 'guest'],
  ['a stranger of a shared channel', { id: 'U0STRANGER1', is_stranger: true }, 'stranger'],
  ['a stranger in the group', { id: 'U0STRANGER2', team_id: 'T0OTHER0001' }, 'stranger'],
  ['a bot, though listed', { id: 'U0BOT000001', is_bot: true }, 'bot'],
  ['a deactivated account, though listed', { id: 'U0GONE00001', deleted: true }, 'deactivated'],
];
const LISTED = ['U0APPROVER1', REQUESTER, 'U0GUEST0001', 'U0STRANGER1', 'U0BOT000001', 'U0GONE00001'];
const GROUPED = ['U0INGROUP01', 'U0LEFTGROUP', 'U0GUEST0002', 'U0STRANGER2'];

let stage: EmbeddedSlack;
let open: Waiting | undefined;
/** A submission of the form, as an approver's client made it. */
let submitted: { readonly requestId: string; readonly payload: string };
let submissions = 0;

beforeAll(async () => {
  stage = await embeddedOnSlack({
    rateLimits: false,
    owner: {
      session: { ...SESSION, requester: `slack:${REQUESTER}` },
      approvers: () => ({ slackUsers: LISTED, slackGroups: [GROUP], localUsers: [userInfo().username] }),
    },
  });
  const { workspace } = stage.slack;
  for (const [, spec] of PEOPLE) workspace.join(stage.channel, workspace.addUser({ name: `${spec.id}`, ...spec }).id);
  workspace.addUserGroup({ id: GROUP, handle: 'oncall', users: GROUPED });
  const { requestId } = await proposal();
  const approver = stage.slack.user('U0APPROVER1');
  await approver.click({ channel: stage.channel, label: 'Deny with note…' }).settled;
  await stage.slack.until('U0APPROVER1', stage.channel, (screen) => screen.modals.length > 0);
  approver.type({ block: 'note' }, 'Not today.');
  const { payload } = approver.submit();
  submitted = { requestId, payload: JSON.stringify(payload) };
  expect((await open?.outcome)?.kind).toBe('denied');
  open = undefined;
});

afterAll(async () => {
  open?.withdraw();
  await open?.outcome;
  await stage[Symbol.asyncDispose]();
});

/** The proposal that waits, on its card: a refused attempt leaves it as it is. */
async function proposal(): Promise<Waiting & { readonly ts: string }> {
  open ??= await waiting(stage.embedded, writeOf());
  const { requestId } = open;
  const { ts } = await stage.card('WRITE', ({ controls }) => controls.some(({ value }) => value?.includes(requestId)));
  return { ...open, ts };
}

/** Takes the one out of the group who is to lose it while the card hangs there, and puts them back for the next card. */
async function cardFor(user: string) {
  const group = stage.slack.workspace.addUserGroup({ id: GROUP, handle: 'oncall', users: GROUPED });
  const card = await proposal();
  if (user === 'U0LEFTGROUP') group.users.delete(user);
  return card;
}

async function refused(user: string, requestId: string, reason: string, told: number): Promise<void> {
  expect(await refusedClick(stage.stateDirectory, requestId, user)).toMatchObject({ reason, source: 'slack' });
  await expect.poll(() => stage.told(user).length, { timeout: 20_000 }).toBe(told + 1);
  // Nobody else sees it, and the card is as it was.
  for (const other of [stage.ana, stage.ben]) expect(stage.told(other)).toEqual([]);
  expect((await proposal()).requestId).toBe(requestId);
}

describe.each(PEOPLE)('%s', (_, { id: user = '' }, expected) => {
  it(`presses a button: ${expected}`, async () => {
    const { requestId, ts, outcome } = await cardFor(user);
    const told = stage.told(user).length;
    press(user, ts, requestId, 'deny');
    if (expected !== 'allowed') return refused(user, requestId, expected, told);
    expect(await outcome).toEqual({ kind: 'denied' });
    open = undefined;
  });

  it(`opens a form: ${expected}`, async () => {
    const { requestId, ts } = await cardFor(user);
    const told = stage.told(user).length;
    press(user, ts, requestId, 'denynote');
    if (expected !== 'allowed') {
      await refused(user, requestId, expected, told);
      expect(stage.slack.screen(user, stage.channel).modals).toEqual([]);
      return;
    }
    await stage.slack.until(user, stage.channel, (screen) => screen.modals.length > 0);
    stage.slack.user(user).closeModal('all');
  });

  it(`sends a form that was opened for an approver: ${expected}`, async () => {
    const { requestId, outcome } = await cardFor(user);
    const told = stage.told(user).length;
    await submit(user, requestId);
    if (expected !== 'allowed') return refused(user, requestId, expected, told);
    expect(await outcome).toEqual({ kind: 'denied', note: 'Not today.' });
    open = undefined;
  });
});

describe('a user of the machine', () => {
  it('decides with `resolve` where they are listed', async () => {
    const { requestId, outcome } = await proposal();
    expect(await resolveAt(stage.stateDirectory, requestId, { options: ['turn'] })).toMatchObject({ code: 'resolved' });
    expect(await outcome).toEqual({ kind: 'granted', scope: 'turn' });
    open = undefined;
  });
});

describe('a user group that cannot be looked up', () => {
  it('lets nobody in, and says so in private', async () => {
    const { requestId } = await cardFor('U0INGROUP01');
    const told = stage.told('U0INGROUP01').length;
    stage.slack.faults.api('usergroups.users.list', { kind: 'error', error: 'internal_error', times: 5 });
    // What was known a moment ago must not help either: a refusal by the form would need only that.
    await submit('U0INGROUP01', requestId);
    await refused('U0INGROUP01', requestId, 'unverified', told);
    expect(stage.told('U0INGROUP01').at(-1)).toMatch(/could not check with Slack who you are/);
  });
});

function press(user: string, ts: string, requestId: string, name: 'deny' | 'denynote') {
  const [actionId, value] = [`handraise.${name}`, `1.${requestId}.${name}`];
  stage.slack.deliver.action({ user, channel: stage.channel, ts, actionId, value });
}

async function submit(user: string, requestId: string): Promise<void> {
  submissions += 1;
  const payload = JSON.parse(submitted.payload.replaceAll(submitted.requestId, requestId));
  const { id: viewId } = payload.view;
  const { team_id: teamId } = stage.slack.workspace.addUser({ ...PEOPLE.find(([, { id }]) => id === user)?.[1] });
  const forged = { ...payload, user: { id: user, name: user, team_id: teamId } };
  forged.view = { ...forged.view, id: `${viewId}${submissions}`, hash: `${submissions}` };
  await stage.slack.deliver.envelope('interactive', forged).settled;
}
