import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/core/policy/people.ts';
import type { Guild } from '../../doubles/discord/types.ts';
import { refusedClick, resolveAt, type Waiting, waiting } from '../../support/decision-desk.ts';
import { type EmbeddedDiscord, embeddedOnDiscord } from '../../support/embedded-discord.ts';
import { writeOf } from '../../support/proposals.ts';
import { SESSION } from '../../support/requests.ts';

const ROLE = '900000000000000001';
const ids = {
  approver: '800000000000000001',
  inRole: '800000000000000002',
  requester: '800000000000000003',
  member: '800000000000000004',
  lostRole: '800000000000000005',
  guest: '800000000000000006',
  left: '800000000000000007',
  elsewhere: '800000000000000008',
  bot: '800000000000000009',
} as const;

const PEOPLE: readonly (readonly [who: string, id: string, expected: Refusal | 'allowed'])[] = [
  ['an approver', ids.approver, 'allowed'],
  ['a member with a listed role', ids.inRole, 'allowed'],
  ['the requester under their other id, though listed', ids.requester, 'requester'],
  ['a member of the server only', ids.member, 'not_listed'],
  ['somebody whose role was taken away since the card was posted', ids.lostRole, 'not_listed'],
  ['a guest, who has not passed the screening, though listed', ids.guest, 'guest'],
  ['somebody who has left the server, though listed', ids.left, 'stranger'],
  ['a member of another server, though listed and with the role’s id there', ids.elsewhere, 'stranger'],
  ['a bot, though listed', ids.bot, 'bot'],
];

let stage: EmbeddedDiscord;
let elsewhere: Guild;
let open: Waiting | undefined;

beforeAll(async () => {
  stage = await embeddedOnDiscord({
    rateLimits: false,
    owner: {
      session: { ...SESSION, requester: 'slack:U0REQUESTER' },
      approvers: () => ({
        discordUsers: [ids.approver, ids.requester, ids.guest, ids.left, ids.elsewhere, ids.bot],
        discordRoles: [ROLE],
        localUsers: [userInfo().username],
      }),
      more: { people: [{ slack: 'U0REQUESTER', discord: ids.requester }] },
    },
  });
  const { guild } = stage.discord;
  guild.addRole({ id: ROLE, name: 'oncall' });
  for (const [name, id] of Object.entries(ids)) {
    if (id === ids.elsewhere) continue;
    guild.addMember({ id, name, bot: id === ids.bot, pending: id === ids.guest, roles: rolesOf(id) });
  }
  elsewhere = stage.discord.addGuild({ name: 'Elsewhere' });
  elsewhere.addRole({ id: ROLE, name: 'oncall' });
  elsewhere.addMember({ id: ids.elsewhere, name: 'elsewhere', roles: [ROLE] });
  guild.remove(ids.left);
});

afterAll(async () => {
  open?.withdraw();
  await open?.outcome;
  await stage[Symbol.asyncDispose]();
});

function rolesOf(id: string): string[] {
  return id === ids.inRole || id === ids.lostRole || id === ids.guest ? [ROLE] : [];
}

/** The proposal that waits, on its card: a refused attempt leaves it as it is. */
async function proposal(): Promise<Waiting & { readonly channel: string; readonly message: string }> {
  open ??= await waiting(stage.embedded, writeOf());
  const { requestId } = open;
  const isIts = ({ customId }: { customId: string }) => customId.includes(requestId);
  const { id: message } = await stage.card('WRITE', ({ controls }) => controls.some(isIts));
  return { ...open, channel: await stage.thread(), message };
}

/** The role is taken away while the card hangs there. */
async function cardFor(user: string) {
  if (user === ids.lostRole) stage.discord.guild.giveRole(user, ROLE);
  const card = await proposal();
  if (user === ids.lostRole) stage.discord.guild.takeRole(user, ROLE);
  return card;
}

/** What Discord says of who is not in the server: another one, or none. */
function elsewhereOf(user: string) {
  if (user === ids.left) return { guild_id: undefined, member: undefined, user: { id: user, username: 'left' } };
  if (user !== ids.elsewhere) return {};
  const member = { user: { id: user, username: 'elsewhere' }, roles: [ROLE] };
  return { guild_id: elsewhere.id, member, user: undefined };
}

async function refused(user: string, requestId: string, reason: string): Promise<void> {
  expect(await refusedClick(stage.stateDirectory, requestId, user)).toMatchObject({ reason, source: 'discord' });
  expect(await stage.told(stage.ana)).toEqual([]);
  if (user !== ids.left && user !== ids.elsewhere) {
    await expect.poll(async () => (await stage.told(user)).length, { timeout: 20_000 }).toBeGreaterThan(0);
  }
  expect((await proposal()).requestId).toBe(requestId);
}

describe.each(PEOPLE)('%s', (_, user, expected) => {
  it(`presses a button: ${expected}`, async () => {
    const { requestId, outcome, channel, message } = await cardFor(user);
    const customId = `handraise.1.${requestId}.deny`;
    stage.discord.deliver.action({ user, channel, message, customId, override: elsewhereOf(user) });
    if (expected !== 'allowed') return refused(user, requestId, expected);
    expect(await outcome).toEqual({ kind: 'denied' });
    open = undefined;
  });

  it(`opens a form: ${expected}`, async () => {
    const { requestId, channel, message } = await cardFor(user);
    const customId = `handraise.1.${requestId}.denynote`;
    const pressed = stage.discord.deliver.action({ user, channel, message, customId, override: elsewhereOf(user) });
    // 9 opens a modal, 4 is a private message.
    expect(await pressed.settled).toMatchObject({ kind: 'acked', type: expected === 'allowed' ? 9 : 4 });
    if (expected !== 'allowed') await refused(user, requestId, expected);
    else stage.discord.user(user).closeModal();
  });

  it(`sends a form that was opened for an approver: ${expected}`, async () => {
    const { requestId, outcome, channel, message } = await cardFor(user);
    const customId = `handraise.1.${requestId}.denynote`;
    const fields = { note: 'Not today.' };
    const override = elsewhereOf(user);
    stage.discord.deliver.submission({ user, channel, message, customId, fields, override });
    if (expected !== 'allowed') return refused(user, requestId, expected);
    expect(await outcome).toEqual({ kind: 'denied', note: 'Not today.' });
    open = undefined;
  });
});

describe('a user of the machine', () => {
  it('decides with `resolve` where they are listed', async () => {
    const { requestId, outcome } = await proposal();
    expect(await resolveAt(stage.stateDirectory, requestId, { options: ['deny'] })).toMatchObject({ code: 'resolved' });
    expect(await outcome).toEqual({ kind: 'denied' });
    open = undefined;
  });
});
