import { expect, test } from 'vitest';
import { actorOf } from '../../../../adapters/discord/identity.ts';
import { type Interaction, interaction, timeOf } from '../../../../adapters/discord/payload.ts';

const user = { id: '2', username: 'ana', global_name: 'Ana Global' };
const click = (more: Record<string, unknown>): Interaction =>
  interaction.parse({
    type: 3,
    id: '1577156632947720192',
    application_id: '9',
    token: 't',
    guild_id: '1',
    data: { custom_id: 'x' },
    ...more,
  });

test.each([
  ['a member', { member: { user, roles: ['5'] } }, 'member'],
  ['a bot', { member: { user: { ...user, bot: true }, roles: [] } }, 'bot'],
  ['a guest', { member: { user, roles: [], flags: 1 << 4 } }, 'guest'],
  ['somebody who has not accepted the rules', { member: { user, roles: [], pending: true } }, 'guest'],
  ['somebody in a direct message', { guild_id: null, user }, 'stranger'],
  ['nobody', { guild_id: null }, 'unverified'],
])('%s has that standing', (_, more, standing) => {
  expect(actorOf(click(more)).standing).toBe(standing);
});

test('guild, roles and the name seen in it come from the interaction', () => {
  expect(actorOf(click({ member: { user, nick: 'Ani', roles: ['5', '6'] } }))).toEqual({
    platform: 'discord',
    workspaceId: '1',
    userId: '2',
    name: 'Ani',
    standing: 'member',
    roles: ['5', '6'],
  });
  expect(actorOf(click({ member: { user, roles: [] } })).name).toBe('Ana Global');
});

test('an id tells when Discord made it', () => {
  expect(new Date(timeOf('175928847299117063')).toISOString()).toBe('2016-04-30T11:18:25.796Z');
});
