import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newRecord, transition } from '../../../../src/core/lifecycle.ts';
import type { NewRequest, RequestRecord } from '../../../../src/core/request.ts';
import { recordOf, type Snapshot } from '../../../../src/store/redis/snapshot.ts';
import { ANA, batchIn, batchOf, question, requestOf } from '../../../support/requests.ts';

const AT = Date.UTC(2026, 7, 3, 10);
const REQUEST = requestOf('r1', batchOf(question('Which database?', ['Postgres', 'SQLite'])));
const VERDICT = {
  decision: { kind: 'answers', sheet: [{ status: 'answered', labels: ['SQLite'] }] },
  actor: ANA,
  interactionId: 'c1',
} as const;

function stored(request: NewRequest, more: Partial<Record<'shownAt' | 'verdict' | 'close', string>> = {}): Snapshot {
  const { shownAt = null, verdict = null, close = null } = more;
  return [
    [JSON.stringify(request), `${AT}`, shownAt],
    [verdict, verdict === null ? null : `${AT + 2}`],
    [close, close === null ? null : `${AT + 3}`],
    [],
    [],
    [null, null],
  ];
}

function moved(record: RequestRecord, event: Parameters<typeof transition>[1]): RequestRecord {
  const step = transition(record, event);
  if (!step.ok) throw new Error(step.refusal);
  return step.record;
}

describe('what Redis holds of a request', () => {
  it('amounts to the record that the lifecycle makes of it, at each step', () => {
    const queued = newRecord(REQUEST, AT);
    const open = moved(queued, { type: 'show', at: AT + 1 });
    const claimed = moved(open, { type: 'claim', verdict: { ...VERDICT, at: AT + 2 } });
    const shownAt = `${AT + 1}`;
    const verdict = JSON.stringify(VERDICT);
    expect(recordOf(stored(REQUEST))).toEqual(queued);
    expect(recordOf(stored(REQUEST, { shownAt }))).toEqual(open);
    expect(recordOf(stored(REQUEST, { shownAt, verdict }))).toEqual(claimed);
    expect(recordOf(stored(REQUEST, { shownAt, verdict, close: '' }))).toEqual(
      moved(claimed, { type: 'confirm', at: AT + 3 }),
    );
    expect(recordOf(stored(REQUEST, { close: '{"kind":"cancelled"}' }))).toEqual(
      moved(queued, { type: 'close', outcome: { kind: 'cancelled' }, at: AT + 3 }),
    );
  });

  it('comes back to the letter, whatever an agent wrote', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(fc.tuple(text, text, text, text), ([asked, one, two, label]) => {
        const batch = batchOf(question(asked, [one, `${two}!`, `${label}?`]));
        const request = requestOf('r1', batch);
        expect(batchIn(recordOf(stored(request)))).toEqual(batch);
        expect(recordOf(stored(request)).view).toEqual(request.view);
      }),
    );
  });

  it.each([
    ['on what was never shown', JSON.stringify(VERDICT), {}],
    [
      'for an option that was not offered',
      JSON.stringify({ ...VERDICT, decision: { kind: 'answers', sheet: [{ status: 'answered', labels: ['MySQL'] }] } }),
      { shownAt: `${AT}` },
    ],
    ['by nobody', '{"decision":{"kind":"declined"}}', { shownAt: `${AT}` }],
    ['with half a signature', JSON.stringify({ ...VERDICT, signature: { keyId: 'k' } }), { shownAt: `${AT}` }],
    ['that is no JSON', 'yes', { shownAt: `${AT}` }],
  ])('is claimed without a verdict, so that its owner can end it, where a verdict stands %s', (_, verdict, more) => {
    const record = recordOf(stored(REQUEST, { ...more, verdict }));
    expect(record).toMatchObject({ status: 'claimed' });
    expect(record.verdict).toBeUndefined();
    const close = JSON.stringify({ kind: 'indeterminate', reason: 'unreadable' });
    expect(recordOf(stored(REQUEST, { ...more, verdict, close })).outcome).toEqual(JSON.parse(close));
  });

  it('whose verdict has no time was not claimed by a gateway', () => {
    const [content, [verdict], ...rest] = stored(REQUEST, { shownAt: `${AT}`, verdict: JSON.stringify(VERDICT) });
    expect(recordOf([content, [verdict, 'soon'], ...rest])).not.toHaveProperty('verdict');
  });

  it.each([
    ['a confirmation without a verdict', stored(REQUEST, { shownAt: `${AT}`, close: '' })],
    ['an end that is none', stored(REQUEST, { close: '{"kind":"granted"}' })],
    ['no JSON', stored(REQUEST, { close: 'x' })],
  ])('is refused where it is damaged: %s', (_, snapshot) => {
    expect(() => recordOf(snapshot)).toThrow(expect.objectContaining({ code: 'store' }));
  });
});
