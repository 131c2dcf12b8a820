import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';

const DAY = 86_400_000;

// Node's own timers are moved here, not the clock: it is what is being tested.
describe('the machine’s clock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('calls back once, after the delay', () => {
    let calls = 0;
    systemClock.after(1_000, () => (calls += 1));
    vi.advanceTimersByTime(999);
    expect(calls).toBe(0);
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(DAY);
    expect(calls).toBe(1);
  });

  it('waits longer than Node’s timers can', () => {
    let calls = 0;
    systemClock.after(60 * DAY, () => (calls += 1));
    vi.advanceTimersByTime(60 * DAY - 1);
    expect(calls).toBe(0);
    vi.advanceTimersByTime(1);
    expect(calls).toBe(1);
  });

  it('can be cancelled, also in the middle of a long wait, and twice', () => {
    let calls = 0;
    const cancel = systemClock.after(60 * DAY, () => (calls += 1));
    vi.advanceTimersByTime(30 * DAY);
    cancel();
    cancel();
    vi.advanceTimersByTime(60 * DAY);
    expect(calls).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes a delay below zero as none', () => {
    let calls = 0;
    systemClock.after(-5, () => (calls += 1));
    vi.advanceTimersByTime(0);
    expect(calls).toBe(1);
  });

  it('tells the time of the machine', () => {
    vi.setSystemTime(1_234_567);
    expect(systemClock.now()).toBe(1_234_567);
  });
});
