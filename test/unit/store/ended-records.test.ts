import { describe, expect, it } from 'vitest';
import { transition } from '../../../src/core/lifecycle.ts';
import type { CardRef, RequestRecord } from '../../../src/core/request.ts';
import { EndedRecords, KEEP_ENDED_MS, MOST_TEXT, MOST_WITHOUT_CARD } from '../../../src/store/ended-records.ts';
import { ANA, batchIn, batchOf, question, recordOf } from '../../support/requests.ts';

const CARD: CardRef = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' };

describe('ended records', () => {
  it('are forgotten after the longest wait and seven days, the oldest first', () => {
    const records = new EndedRecords();
    records.set(answered('r1', 0, { cards: [CARD] }));
    records.set(answered('r2', 10, { cards: [CARD] }));
    records.forgetBefore(KEEP_ENDED_MS - 1);
    expect(records.size).toBe(2);
    records.forgetBefore(KEEP_ENDED_MS);
    expect(records.get('r1')).toBeUndefined();
    expect(records.get('r2')).toBeDefined();
  });

  it('without a card are kept up to a number, since nobody can click on them', () => {
    const records = new EndedRecords();
    for (let index = 0; index <= MOST_WITHOUT_CARD; index += 1) records.set(answered(`r${index}`, index));
    expect(records.size).toBe(MOST_WITHOUT_CARD);
    expect(records.get('r0')).toBeUndefined();
    expect(records.get('r1')).toBeDefined();
  });

  it('with a card are kept whatever their number', () => {
    const records = new EndedRecords();
    const count = 3 * MOST_WITHOUT_CARD;
    for (let index = 0; index < count; index += 1) records.set(answered(`r${index}`, index, { cards: [CARD] }));
    expect(records.size).toBe(count);
    expect(records.get('r0')?.verdict?.actor.name).toBe('Ana');
  });

  it('stay when their card is recorded late', () => {
    const records = new EndedRecords();
    records.set(answered('late', 0));
    records.set(answered('late', 0, { cards: [CARD] }));
    for (let index = 0; index <= MOST_WITHOUT_CARD; index += 1) records.set(answered(`r${index}`, index));
    expect(records.get('late')?.cards).toEqual([CARD]);
  });

  it('lose their texts, the oldest first, beyond a size, and still say who decided what and when', () => {
    const records = new EndedRecords();
    const long = 'x'.repeat(MOST_TEXT / 16);
    const count = 40;
    for (let index = 0; index < count; index += 1) {
      records.set(answered(`r${index}`, index, { cards: [CARD] }, long));
    }
    const oldest = records.get('r0');
    expect(oldest).toMatchObject({
      requestId: 'r0',
      status: 'ended',
      outcome: { kind: 'answered', sheet: [] },
      by: 'operator',
      endedAt: 0,
      verdict: { actor: ANA, interactionId: 'click-r0', decision: { kind: 'answers', sheet: [] } },
      cards: [CARD],
      batch: { questions: [] },
      view: { questions: [] },
    });
    expect(JSON.stringify(oldest)).not.toContain('xxx');
    expect(batchIn(records.get(`r${count - 1}`)).questions[0]?.question).toBe(long);
    const kept = Array.from({ length: count }, (_, index) => JSON.stringify(records.get(`r${index}`)).length);
    expect(kept.reduce((sum, size) => sum + size, 0)).toBeLessThan(1.1 * MOST_TEXT);
  });

  it('keep the texts of the newest whatever its size, because its card is about to be settled', () => {
    const records = new EndedRecords();
    const long = 'x'.repeat(MOST_TEXT);
    records.set(answered('r1', 0, { cards: [CARD] }, long));
    expect(batchIn(records.get('r1')).questions[0]?.question).toBe(long);
  });
});

function answered(requestId: string, at: number, more: Partial<RequestRecord> = {}, text = 'Which?'): RequestRecord {
  const verdict = {
    decision: { kind: 'answers', sheet: [{ status: 'answered', labels: ['A'] }] },
    actor: ANA,
    interactionId: `click-${requestId}`,
    at,
  } as const;
  let record = recordOf(requestId, batchOf(question(text, ['A', 'B'])), at);
  for (const event of [
    { type: 'show', at },
    { type: 'claim', verdict },
    { type: 'confirm', at },
  ] as const) {
    const moved = transition(record, event);
    if (!moved.ok) throw new Error(moved.refusal);
    record = moved.record;
  }
  return { ...record, ...more } as RequestRecord;
}
