import { expect, test } from 'vitest';
import { type CardAction, parseToken, tokenOf } from '../../../../adapters/slack/parse.ts';
import { newRandomId } from '../../../../src/core/ids.ts';

test.each<CardAction>([
  { kind: 'option', index: 0 },
  { kind: 'option', index: 8 },
  { kind: 'skip' },
  { kind: 'decline' },
  { kind: 'answer' },
  { kind: 'note' },
  { kind: 'other' },
])('reads back the token of %o, which is at most 100 characters long', (action) => {
  const requestId = newRandomId();
  const { actionId, value } = tokenOf(requestId, action);
  expect(parseToken(actionId, value)).toEqual({ kind: 'ours', requestId, action });
  expect(Math.max(actionId.length, value.length)).toBeLessThanOrEqual(100);
});

test.each<[string, string | undefined, string]>([
  ['handraise.o0', '2.request-1.o0', 'a later version'],
  ['handraise.o0', 'request-1', 'an earlier version'],
  ['handraise.o0', '1.request-1.skip', 'two that do not belong together'],
  ['handraise.skip', '1.request-1.o0', 'two that do not belong together'],
  ['handraise.launch', '1.request-1.launch', 'an action that does not exist'],
  ['handraise.o0', '1.request 1.o0', 'a damaged request'],
  ['handraise.o100', '1.request-1.o100', 'an option out of all bounds'],
  ['handraise.o0', undefined, 'a button without a value'],
])('does not act on %s with %s: %s', (actionId, value) => {
  expect(parseToken(actionId, value)).toEqual({ kind: 'older' });
});

test('knows buttons that are not ours', () => {
  expect(parseToken('approve', '1.request-1.o0')).toEqual({ kind: 'foreign' });
  expect(parseToken('', undefined)).toEqual({ kind: 'foreign' });
});
