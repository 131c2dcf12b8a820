import { describe, expect, test } from 'vitest';
import {
  heldForMs,
  isOld,
  newDraft,
  readDraft,
  sheetOfDraft,
  taken,
  withEntry,
} from '../../../../adapters/discord/draft.ts';
import type { Actor } from '../../../../src/core/actor.ts';
import { question } from '../../../support/requests.ts';

const ANA: Actor = { platform: 'discord', workspaceId: '1', userId: '2', name: 'Ana', standing: 'member' };
const BEN: Actor = { ...ANA, userId: '3', name: 'Ben' };
const questions = [question('Which?', ['A', 'B']), question('What?', ['C', 'D'], { multiSelect: true })];
const step = (actor: Actor, id: number, at = id) => ({ actor, interactionId: String(id), at });
const begun = newDraft(questions, step(ANA, 1_000));
const pick = (picks: number[]) => () => ({ picks, skipped: false });

describe('a draft', () => {
  test('is held by whoever touched it last, for two idle minutes by Discord’s clock', () => {
    expect(heldForMs(begun, step(ANA, 2_000))).toBe(0);
    expect(heldForMs(begun, step(BEN, 61_000))).toBe(60_000);
    expect(heldForMs(begun, step(BEN, 121_000))).toBe(0);
    expect(taken(begun, step(BEN, 121_000)).holder.name).toBe('Ben');
  });

  test('takes no step that is older than its newest', () => {
    expect(isOld(begun, step(ANA, 1_000))).toBe(true);
    expect(isOld(begun, step(ANA, 999))).toBe(true);
    expect(isOld(begun, step(ANA, 1_001))).toBe(false);
  });

  test('that is empty, or holds a note without an answer, cannot be sent', () => {
    expect(sheetOfDraft(begun, questions, ANA)).toMatchObject({ complaint: expect.stringContaining('Nothing') });
    const noted = withEntry(begun, 1, step(ANA, 1), () => ({ picks: [], skipped: false, notes: 'n' }));
    expect(sheetOfDraft(noted, questions, ANA)).toMatchObject({ at: 1, complaint: expect.stringContaining('note') });
  });

  test('keeps the authors of answers that are not the sender’s', () => {
    const one = withEntry(begun, 0, step(ANA, 1), pick([1]));
    const both = withEntry(one, 1, step(BEN, 2), pick([0]));
    expect(sheetOfDraft(both, questions, BEN)).toEqual({
      sheet: [
        { status: 'answered', labels: ['B'], by: { userId: '2', name: 'Ana' } },
        { status: 'answered', labels: ['C'] },
      ],
    });
  });

  test('of another version is none', () => {
    expect(readDraft({ revision: 1, body: '{"v":2}' })).toBeUndefined();
    expect(readDraft({ revision: 1, body: 'no JSON' })).toBeUndefined();
    expect(readDraft({ revision: 1, body: JSON.stringify(begun) })).toEqual(begun);
  });
});
