import { expect, test } from 'vitest';
import { DISCORD } from '../../../../adapters/discord/limits.ts';
import { type CardAction, opensModal, parseToken, tokenOf } from '../../../../adapters/discord/parse.ts';
import { newRandomId } from '../../../../src/core/ids.ts';

const ACTIONS: readonly CardAction[] = [
  { kind: 'option', index: 8 },
  ...(['pick', 'skip', 'decline', 'answer', 'note', 'other', 'steps', 'send'] as const).map((kind) => ({ kind })),
  ...(['pick', 'other', 'note', 'skip', 'go'] as const).map(
    (what) => ({ kind: 'step', question: 3, what }) satisfies CardAction,
  ),
];

test.each(ACTIONS)('a custom id says what it is for: %o', (action) => {
  const requestId = newRandomId();
  const customId = tokenOf(requestId, action);
  expect(customId.length).toBeLessThanOrEqual(DISCORD.customId);
  expect(parseToken(customId)).toEqual({ kind: 'ours', requestId, action });
});

test('the custom id alone says whether a click opens a modal', () => {
  const opening = ACTIONS.filter(opensModal).map((action) => ('what' in action ? action.what : action.kind));
  expect(opening).toEqual(['answer', 'note', 'other', 'other', 'note']);
});

test.each([
  ['another bot’s', 'vote.1.r1.o0', 'foreign'],
  ['empty', '', 'foreign'],
  ['a later version’s', 'handraise.2.r1.o0', 'older'],
  ['an unknown action’s', 'handraise.1.r1.fly', 'older'],
  ['a step without a question’s', 'handraise.1.r1.s.pick', 'older'],
  ['a forged one with a path', 'handraise.1.../../x.o0', 'older'],
])('%s custom id is not ours', (_, customId, kind) => {
  expect(parseToken(customId)).toEqual({ kind });
});
