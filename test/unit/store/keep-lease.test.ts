import { describe, expect, it } from 'vitest';
import { keepLease } from '../../../src/store/keep-lease.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { recordingLog } from '../../support/recording-log.ts';

describe('a kept lease', () => {
  it('is taken at once and renewed before it runs out, until it is stopped', async () => {
    const clock = createFakeClock();
    const held: number[] = [];
    const hold = async (forMs: number) => void held.push(clock.now() + forMs);
    const lease = await keepLease({ hold, forMs: 9_000, what: 'owner', clock, log: recordingLog() });
    const until = held[0] ?? 0;
    await clock.walk(9_000);
    expect(held).toEqual([until, until + 3_000, until + 6_000, until + 9_000]);
    await lease.stop();
    await clock.walk(60_000);
    expect(held).toHaveLength(4);
    expect(clock.pending()).toEqual([]);
  });

  it('that cannot be taken at first is nobody’s', async () => {
    const clock = createFakeClock();
    const hold = () => Promise.reject(new Error('no Redis'));
    const taking = keepLease({ hold, forMs: 9_000, what: 'owner', clock, log: recordingLog() });
    await expect(taking).rejects.toThrow('no Redis');
    expect(clock.pending()).toEqual([]);
  });

  it('survives renewals that fail, says so, and tries again a second later', async () => {
    const clock = createFakeClock();
    const log = recordingLog();
    let tries = 0;
    const hold = async () => {
      tries += 1;
      if (tries === 2 || tries === 3) throw new Error('no Redis');
    };
    const lease = await keepLease({ hold, forMs: 9_000, what: 'owner', clock, log });
    await clock.walk(4_999);
    expect(tries).toBe(3);
    await clock.walk(1);
    expect(tries).toBe(4);
    await clock.walk(2_999);
    expect(tries).toBe(4);
    await clock.walk(1);
    expect(tries).toBe(5);
    expect(log.lines.map((line) => [line.message, line.fields['what']])).toEqual([
      ['a lease could not be renewed', 'owner'],
      ['a lease could not be renewed', 'owner'],
    ]);
    await lease.stop();
  });

  it('waits at its stop for the renewal that is under way', async () => {
    const clock = createFakeClock();
    let finish: () => void = () => undefined;
    let tries = 0;
    const hold = () => {
      tries += 1;
      return tries === 1
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            finish = resolve;
          });
    };
    const lease = await keepLease({ hold, forMs: 9_000, what: 'owner', clock, log: recordingLog() });
    await clock.walk(3_000);
    let isStopped = false;
    const stopping = lease.stop().then(() => {
      isStopped = true;
    });
    await Promise.resolve();
    expect(isStopped).toBe(false);
    finish();
    await stopping;
    expect(clock.pending()).toEqual([]);
  });
});
