import { describe, expect, it } from 'vitest';
import { approvableBy, grantTerms } from '../../../src/config/grant-terms.ts';
import type { Binding } from '../../../src/config/schema.ts';

const slack = { channel: 'C0123456789' };
const discord = { channel: '112233445566778899' };
const granting = (
  grants: Partial<NonNullable<Binding['grants']>>,
  on: Pick<Binding, 'slack' | 'discord'> = { slack },
) => ({
  ...on,
  grants: { approvers: {}, waitMs: 60_000, ...grants },
});
const TWO = { write: 2, external: 2 };
const PEOPLE = [{ slack: 'U01', discord: '223344556677889900' }];

describe('whether enough people may approve', () => {
  it.each([
    ['nobody is listed', granting({}), false, false],
    ['one is listed', granting({ approvers: { slackUsers: ['U01'] } }), true, true],
    ['everybody may', granting({ approvers: '*', quorum: TWO }), true, true],
    ['the listed one is on a platform without a card', granting({ approvers: { discordUsers: ['2'] } }), false, false],
    ['a group is listed, of whatever size', granting({ approvers: { slackGroups: ['S01'] }, quorum: TWO }), true, true],
    ['a role is listed where there is no card', granting({ approvers: { discordRoles: ['9'] } }), false, false],
    [
      'only what reaches outside has approvers',
      granting({ approvers: { write: {}, external: { slackUsers: ['U01'] } } }),
      false,
      true,
    ],
    ['it takes two and one is listed', granting({ approvers: { slackUsers: ['U01'] }, quorum: TWO }), false, false],
    [
      'it takes two for what reaches outside only',
      granting({ approvers: { slackUsers: ['U01'] }, quorum: { write: 1, external: 2 } }),
      true,
      false,
    ],
  ])('%s', (_, bound, write, external) => {
    expect(approvableBy(bound)).toEqual({ write, external });
  });

  it('counts one person with two ids once', () => {
    const approvers = { slackUsers: ['U01'], discordUsers: ['223344556677889900'] };
    const bound = granting({ approvers, quorum: TWO }, { slack, discord });
    expect(approvableBy(bound).write).toBe(true);
    expect(approvableBy(bound, PEOPLE).write).toBe(false);
  });

  it('leaves out whoever the run is for, under each of their ids, unless they may', () => {
    const bound = granting({ approvers: { slackUsers: ['U01'] } });
    expect(approvableBy(bound, [], 'slack:U01').write).toBe(false);
    expect(approvableBy(bound, PEOPLE, 'discord:223344556677889900').write).toBe(false);
    expect(approvableBy(bound, [], 'slack:U02').write).toBe(true);
    const allowed = granting({ approvers: { slackUsers: ['U01'] }, requester: 'allowed' });
    expect(approvableBy(allowed, [], 'slack:U01').write).toBe(true);
  });

  it('says who could change it, of each class by itself', () => {
    expect(grantTerms(1, { write: true, external: true })).toEqual({ waitMs: 1, nobody: {} });
    expect(grantTerms(1, { write: true, external: false }).nobody).toEqual({
      external: expect.stringContaining('grants.approvers.external'),
    });
    const none = grantTerms(1, { write: false, external: false }).nobody;
    expect(none).toEqual({ write: expect.stringContaining('grants.approvers'), external: none?.write });
  });
});
