import { describe, expect, it } from 'vitest';
import { transition, withCard, withPostFailure } from '../../../src/core/lifecycle.ts';
import type { RequestRecord } from '../../../src/core/request.ts';
import { type Verdictless, whatIsDue } from '../../../src/prompt/due.ts';
import { batchOf, question, recordOf } from '../../support/requests.ts';

const T0 = 1_000_000;
const queued = recordOf('r1', batchOf(question('Which?', ['A', 'B'])), T0);
const shown = transition(queued, { type: 'show', at: T0 });
const open: RequestRecord = shown.ok ? shown.record : queued;
const posted = withCard(open, { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' });
const refused = withPostFailure(open, {
  platform: 'slack',
  channel: 'C1',
  reason: 'not in the channel',
  permanent: true,
});

const due = (record: RequestRecord, afterMs: number, more: { withdrawn?: boolean; surfaces?: number } = {}) =>
  whatIsDue(record as Verdictless, { now: T0 + afterMs, withdrawn: false, surfaces: 1, ...more });

describe('what an owner has to do with an undecided request', () => {
  it('waits for the deadline once a card is there', () => {
    expect(due(posted, 1_000)).toEqual({ inMs: 299_000 });
  });

  it('ends it as timed out at the deadline, to the millisecond', () => {
    expect(due(posted, 299_999)).toEqual({ inMs: 1 });
    expect(due(posted, 300_000)).toEqual({ outcome: { kind: 'timed_out', shown: true, waitedMs: 300_000 } });
  });

  it('gives up after 20 seconds without a card anywhere', () => {
    expect(due(open, 19_999)).toEqual({ inMs: 1 });
    expect(due(open, 20_000)).toMatchObject({ outcome: { kind: 'undeliverable' } });
  });

  it('gives up without a card at the deadline, where that comes before the 20 seconds', () => {
    expect(due({ ...open, deadline: T0 + 5_000 }, 4_999)).toEqual({ inMs: 1 });
    expect(due({ ...open, deadline: T0 + 5_000 }, 5_000)).toMatchObject({ outcome: { kind: 'undeliverable' } });
  });

  it('gives up at once when every surface refused for good, and names the reason', () => {
    expect(due(refused, 10)).toEqual({ outcome: { kind: 'undeliverable', reason: 'not in the channel' } });
  });

  it('keeps trying while another surface may still work', () => {
    expect(due(refused, 10, { surfaces: 2 })).toEqual({ inMs: 19_990 });
  });

  it('lets a queued request wait three times its wait, and says that it was never shown', () => {
    expect(due(queued, 300_000)).toEqual({ inMs: 600_000 });
    expect(due(queued, 900_000)).toEqual({ outcome: { kind: 'timed_out', shown: false, waitedMs: 900_000 } });
  });

  it('withdraws it when the asker is gone, whatever else is due', () => {
    expect(due(posted, 300_000, { withdrawn: true })).toEqual({ outcome: { kind: 'cancelled' } });
    expect(due(queued, 0, { withdrawn: true })).toEqual({ outcome: { kind: 'cancelled' } });
  });
});
