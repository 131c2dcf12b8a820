import { describe, expect, it } from 'vitest';
import type { Actor, Standing } from '../../../../src/core/actor.ts';
import { refusalToApprove } from '../../../../src/core/policy/approval.ts';
import { refusalFor } from '../../../../src/core/policy/people.ts';
import { ANA, BEN } from '../../../support/requests.ts';

const OTHERS: readonly Standing[] = ['guest', 'stranger', 'bot', 'deactivated', 'unverified'];

describe('who may answer', () => {
  it('is every full member where the rule is *', () => {
    expect(refusalFor(ANA, '*')).toBeUndefined();
  });

  it('is the listed users only where there is a list', () => {
    expect(refusalFor(ANA, { slackUsers: ['U1'] })).toBeUndefined();
    expect(refusalFor(BEN, { slackUsers: ['U1'] })).toBe('not_listed');
  });

  it('is nobody where the list is empty', () => {
    expect(refusalFor(ANA, { slackUsers: [] })).toBe('not_listed');
  });

  it('is on Discord the listed users, and whoever has a listed role at the click', () => {
    const cem: Actor = { ...ANA, platform: 'discord', workspaceId: '1', userId: '2', roles: ['5'] };
    expect(refusalFor(cem, { discordUsers: ['2'] })).toBeUndefined();
    expect(refusalFor(cem, { discordRoles: ['5'] })).toBeUndefined();
    // The guild's own id is the role of everybody in it.
    expect(refusalFor(cem, { discordRoles: ['1'] })).toBeUndefined();
    expect(refusalFor(cem, { discordRoles: ['6'], discordUsers: ['3'] })).toBe('not_listed');
    expect(refusalFor({ ...cem, userId: 'U1' }, { slackUsers: ['U1'] })).toBe('not_listed');
    expect(refusalFor(ANA, { discordUsers: [ANA.userId] })).toBe('not_listed');
  });

  it('goes by the id, never by the name', () => {
    const impostor: Actor = { ...BEN, name: 'U1' };
    expect(refusalFor(impostor, { slackUsers: ['U1', 'Ben'] })).toBe('not_listed');
  });

  it.each(OTHERS)('is no account of standing %s, also where it is listed or everybody is', (standing) => {
    expect(refusalFor({ ...ANA, standing }, '*')).toBe(standing);
    expect(refusalFor({ ...ANA, standing }, { slackUsers: ['U1'] })).toBe(standing);
  });

  it('admits the user of the machine where everybody may, and where they are listed by their own kind', () => {
    const local: Actor = { ...ANA, platform: 'local', workspaceId: 'build-1', userId: 'ana' };
    expect(refusalFor(local, '*')).toBeUndefined();
    expect(refusalFor(local, { localUsers: ['ana'] })).toBeUndefined();
    expect(refusalFor(local, { slackUsers: ['ana'] })).toBe('not_listed');
    expect(refusalFor({ ...ANA, userId: 'ana' }, { localUsers: ['ana'] })).toBe('not_listed');
    expect(refusalFor(local, {})).toBe('not_listed');
  });
});

describe('who may approve', () => {
  const local: Actor = { ...ANA, platform: 'local', workspaceId: 'laptop', userId: 'ana' };

  it('is nobody whom no list names', () => {
    expect(refusalToApprove(ANA, {})).toBe('not_listed');
    expect(refusalToApprove(ANA, { slackUsers: ['U1'] })).toBeUndefined();
    expect(refusalToApprove(BEN, { slackUsers: ['U1'] })).toBe('not_listed');
  });

  it('is every full member where * is written out, and no user of the machine who is not listed', () => {
    expect(refusalToApprove(ANA, '*')).toBeUndefined();
    expect(refusalToApprove({ ...ANA, standing: 'guest' }, '*')).toBe('guest');
    expect(refusalToApprove(local, '*')).toBe('not_listed');
    expect(refusalToApprove(local, { localUsers: ['ana'] })).toBeUndefined();
  });
});
