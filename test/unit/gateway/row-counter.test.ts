import { describe, expect, it } from 'vitest';
import type { RequestStore } from '../../../src/core/ports/request-store.ts';
import type { GatewayMeter } from '../../../src/gateway/gateway-meter.ts';
import { createRowCounter } from '../../../src/gateway/row-counter.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { ANA, batchOf, question, recordOf } from '../../support/requests.ts';

const DECIDED_AT = 1_000;

/** Writes down what is counted. The store knows one decided request, `known`, and fails for `broken`. */
function setUp() {
  const counted: unknown[] = [];
  const note =
    (name: string) =>
    (...values: readonly unknown[]) =>
      counted.push(values.length === 0 ? name : [name, ...values]);
  const meter: GatewayMeter = {
    asked: () => note('asked')(),
    cardPosted: () => note('posted')(),
    postFailed: () => note('failed')(),
    cardSettled: () => note('settled')(),
    claimed: () => note('claimed')(),
    clickRefused: note('refused'),
    delivered: note('delivered'),
    ended: note('ended'),
    acknowledged: note('acknowledged'),
    redisFailed: note('redis'),
  };
  const record = recordOf('known', batchOf(question('Which?', ['a', 'b'])), 0);
  const verdict = { decision: { kind: 'declined' }, actor: ANA, interactionId: 'c1', at: DECIDED_AT } as const;
  const store: Pick<RequestStore, 'read'> = {
    async read(requestId) {
      if (requestId === 'broken') throw new Error('Redis is away');
      return requestId === 'known' ? { ...record, verdict } : undefined;
    },
  };
  const log = recordingLog();
  const count = createRowCounter(meter, store, log);
  return { counted, log, count: (...rows: object[]) => count(rows.map((row) => JSON.stringify(row))), raw: count };
}

const row = (event: string, more: object = {}) => ({ at: DECIDED_AT, event, requestId: 'r1', ...more });

describe('counting audit rows', () => {
  it('takes the time from a decision to its delivery from their rows, in whatever batches they come', async () => {
    const { counted, count } = setUp();
    await count(row('claimed', { outcome: 'answered' }));
    await count(row('delivered', { at: DECIDED_AT + 40 }), row('ended', { outcome: 'answered' }));
    expect(counted).toEqual(['claimed', ['delivered', 40], ['ended', 'answered']]);
  });

  it('takes it from the record where another gateway counted the decision', async () => {
    const { counted, count } = setUp();
    await count({ ...row('delivered', { at: DECIDED_AT + 7 }), requestId: 'known' });
    expect(counted).toEqual([['delivered', 7]]);
  });

  it('counts the other rows when a record cannot be read, and says what is missing', async () => {
    const { counted, count, log } = setUp();
    await count({ ...row('delivered'), requestId: 'broken' }, row('asked'), row('ended', { outcome: 'timed_out' }));
    expect(counted).toEqual(['asked', ['ended', 'timed_out']]);
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { requestId: 'broken' } }]);
  });

  it('counts nothing of what no row of ours looks like, and invents no value of a label', async () => {
    const { counted, count, raw } = setUp();
    await raw(['not JSON', '7', 'null', '{"event":"__proto__"}', '{"at":"now","event":"asked","requestId":"r1"}']);
    await count(
      row('toString'),
      row('ended', { outcome: 'won' }),
      row('ended'),
      row('delivered', { at: 5 }),
      row('click_refused', { reason: 'because' }),
      row('click_refused', { reason: { deep: true } }),
      row('click_refused', { reason: 'not_listed' }),
    );
    expect(counted).toEqual([
      ['refused', 'other'],
      ['refused', 'other'],
      ['refused', 'not_listed'],
    ]);
  });
});
