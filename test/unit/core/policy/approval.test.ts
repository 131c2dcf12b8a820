import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../../src/core/actor.ts';
import {
  approversFor,
  classOf,
  quorumFor,
  refusalAsRequester,
  refusalToApprove,
} from '../../../../src/core/policy/approval.ts';
import { personOf } from '../../../../src/core/policy/identities.ts';
import { groupsToAsk } from '../../../../src/core/policy/people.ts';
import { ANA, BEN } from '../../../support/requests.ts';

const ON_DISCORD: Actor = { ...ANA, platform: 'discord', workspaceId: '9', userId: '2' };
const PEOPLE = [{ slack: 'U1', discord: '2' }];

describe('who may approve', () => {
  it('is one list for everything, or one for each class', () => {
    expect(approversFor('*', 'external')).toBe('*');
    expect(approversFor({ slackUsers: ['U1'] }, 'external')).toEqual({ slackUsers: ['U1'] });
    const each = { write: { slackUsers: ['U1'] }, external: {} };
    expect(approversFor(each, 'write')).toEqual({ slackUsers: ['U1'] });
    expect(approversFor(each, 'external')).toEqual({});
  });

  it('sets only steps apart that reach outside', () => {
    expect((['read', 'write', 'unknown', 'external'] as const).map(classOf)).toEqual([
      'write',
      'write',
      'write',
      'external',
    ]);
    expect(quorumFor({}, 'external')).toBe(1);
    expect(quorumFor({ quorum: { write: 1, external: 2 } }, 'external')).toBe(2);
  });

  it('are those of a user group, once it is known who is in it', () => {
    const rule = { slackGroups: ['S1'] };
    expect(refusalToApprove(ANA, rule)).toBe('not_listed');
    expect(refusalToApprove({ ...ANA, groups: new Set(['S2']) }, rule)).toBe('not_listed');
    expect(refusalToApprove({ ...ANA, groups: new Set(['S1']) }, rule)).toBeUndefined();
    expect(refusalToApprove({ ...ANA, groups: new Set(['S1']), standing: 'guest' }, rule)).toBe('guest');
    expect(refusalToApprove({ ...ON_DISCORD, groups: new Set(['S1']) }, rule)).toBe('not_listed');
  });

  it('costs no look into a group where the rest of the rule decides', () => {
    const rule = { slackUsers: ['U1'], slackGroups: ['S1'] };
    expect(groupsToAsk(ANA, rule)).toEqual([]);
    expect(groupsToAsk(BEN, rule)).toEqual(['S1']);
    expect(groupsToAsk({ ...BEN, standing: 'guest' }, rule)).toEqual([]);
    expect(groupsToAsk(ON_DISCORD, rule)).toEqual([]);
    expect(groupsToAsk(BEN, '*')).toEqual([]);
  });
});

describe('whoever started the run', () => {
  it('does not decide on its steps, under none of their ids, unless the binding lets them', () => {
    expect(refusalAsRequester(ANA, {}, 'slack:U1')).toBe('requester');
    expect(refusalAsRequester(ANA, { requester: 'allowed' }, 'slack:U1')).toBeUndefined();
    expect(refusalAsRequester(BEN, {}, 'slack:U1')).toBeUndefined();
    expect(refusalAsRequester(ON_DISCORD, {}, 'slack:U1')).toBeUndefined();
    expect(refusalAsRequester(ON_DISCORD, {}, 'slack:U1', PEOPLE)).toBe('requester');
    expect(refusalAsRequester(ANA, {}, 'discord:2', PEOPLE)).toBe('requester');
  });

  it('is nobody where nobody is named', () => {
    expect(refusalAsRequester(ANA, {}, undefined)).toBeUndefined();
  });
});

describe('one person', () => {
  it('is one under all linked ids, and an id by itself where none is', () => {
    expect(personOf(ON_DISCORD, PEOPLE)).toBe(personOf(ANA, PEOPLE));
    expect(personOf(ON_DISCORD)).not.toBe(personOf(ANA));
    expect(personOf({ platform: 'local', userId: '2' }, PEOPLE)).toBe('local:2');
  });
});
