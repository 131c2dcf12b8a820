import { expect, test } from 'vitest';
import { standingOf } from '../../../../adapters/slack/identity.ts';

const home = { teamId: 'T1', botId: 'B1', botUserId: 'UBOT', webUrl: 'https://acme.slack.com/' };
const grid = { teamId: 'T1', enterpriseId: 'E1', botId: 'B1', botUserId: 'UBOT', webUrl: 'https://acme.slack.com/' };
const organisation = { enterpriseId: 'E1', botId: 'B1', botUserId: 'UBOT', webUrl: 'https://acme.slack.com/' };
const ana = { id: 'U1', team_id: 'T1' };

test.each([
  ['a full member', ana, 'member'],
  ['a guest of several channels', { ...ana, is_restricted: true }, 'guest'],
  ['a guest of one channel', { ...ana, is_restricted: true, is_ultra_restricted: true }, 'guest'],
  ['somebody of a shared channel', { ...ana, is_stranger: true }, 'stranger'],
  ['somebody of another team', { ...ana, team_id: 'T2' }, 'stranger'],
  ['somebody without a team', { id: 'U1' }, 'stranger'],
  ['a bot', { ...ana, is_bot: true }, 'bot'],
  ['a workflow', { ...ana, is_workflow_bot: true }, 'bot'],
  ['Slackbot', { ...ana, id: 'USLACKBOT' }, 'bot'],
  ['ourselves', { ...ana, id: 'UBOT' }, 'bot'],
  ['a deactivated account', { ...ana, deleted: true }, 'deactivated'],
  [
    'a deactivated bot of another team, stranger first',
    { ...ana, team_id: 'T2', is_bot: true, deleted: true },
    'stranger',
  ],
])('%s', (_, user, standing) => {
  expect(standingOf(user, home)).toBe(standing);
});

test('on Grid everybody of the enterprise is at home, whatever their team', () => {
  const wolf = { id: 'W1', team_id: 'T9', enterprise_user: { enterprise_id: 'E1' } };
  expect(standingOf(wolf, grid)).toBe('member');
  expect(standingOf(wolf, organisation)).toBe('member');
  expect(standingOf({ ...wolf, enterprise_user: { enterprise_id: 'E2' } }, grid)).toBe('stranger');
  expect(standingOf({ id: 'W1', team_id: 'T9' }, organisation)).toBe('stranger');
});
