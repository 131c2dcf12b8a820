import { describe, expect, it } from 'vitest';
import { Work } from '../../../src/gateway/work.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { recordingLog } from '../../support/recording-log.ts';

function setUp() {
  const clock = createFakeClock();
  const log = recordingLog();
  return { clock, log, work: new Work(clock, log) };
}

/** Resolves once everything that was due has run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('background work', () => {
  it('runs a job again after it was asked for during its run, and only once more', async () => {
    const { work } = setUp();
    let runs = 0;
    const gate = deferred();
    work.start('a', async () => {
      runs += 1;
      if (runs === 1) await gate.promise;
    });
    work.start('a', async () => undefined);
    work.start('a', async () => undefined);
    gate.resolve();
    await settled();
    expect(runs).toBe(2);
  });

  it('keeps the jobs of a lane in order, one at a time', async () => {
    const { work } = setUp();
    const seen: string[] = [];
    const job = (name: string) => async () => {
      seen.push(`${name} begins`);
      await settled();
      seen.push(`${name} ends`);
      return undefined;
    };
    work.enqueue('lane', '1', job('1'));
    work.enqueue('lane', '2', job('2'));
    await work.drain(1_000);
    expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
  });

  it('tries a job again after the pause it asked for, and counts its failures', async () => {
    const { work, clock } = setUp();
    const tries: number[] = [];
    work.enqueue('lane', 'post', async (failures) => {
      tries.push(failures);
      return failures < 2 ? 500 : undefined;
    });
    await settled();
    expect(tries).toEqual([0]);
    clock.advance(499);
    await settled();
    expect(tries).toEqual([0]);
    clock.advance(1);
    await settled();
    clock.advance(500);
    await settled();
    expect(tries).toEqual([0, 1, 2]);
  });

  it('ends the pauses between tries when it is in a hurry', async () => {
    const { work } = setUp();
    const tries: number[] = [];
    work.enqueue('lane', 'post', async (failures) => {
      tries.push(failures);
      return failures === 0 ? 30_000 : undefined;
    });
    await settled();
    work.hurry();
    await settled();
    expect(tries).toEqual([0, 1]);
  });

  it('survives a job that throws, says so, and goes on with the lane', async () => {
    const { work, log } = setUp();
    let ran = false;
    work.enqueue('lane', 'bad', async () => Promise.reject(new Error('boom')));
    work.enqueue('lane', 'good', async () => {
      ran = true;
      return undefined;
    });
    await settled();
    expect(ran).toBe(true);
    expect(log.lines.map((line) => line.message)).toEqual(['a background job failed']);
  });

  it('drains when everything is over, and gives up after the grace', async () => {
    const { work, clock } = setUp();
    work.enqueue('lane', 'never', async () => 1_000_000);
    await settled();
    const drained = work.drain(3_000);
    clock.advance(3_000);
    await drained;
  });
});

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
