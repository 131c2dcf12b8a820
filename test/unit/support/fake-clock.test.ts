import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';

describe('the fake clock', () => {
  it('fires due timers in order of due time, then of creation, each at its own time', () => {
    const clock = createFakeClock(1_000);
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${clock.now()}`);
    clock.after(20, note('late'));
    clock.after(10, note('first'));
    clock.after(10, note('second'));
    clock.after(31, note('never'));
    clock.advance(30);
    expect(fired).toEqual(['first@1010', 'second@1010', 'late@1020']);
    expect(clock.now()).toBe(1_030);
    expect(clock.pending()).toEqual([1]);
  });

  it('fires a timer that a timer set within the same stretch', () => {
    const clock = createFakeClock(0);
    const fired: number[] = [];
    clock.after(5, () => clock.after(5, () => fired.push(clock.now())));
    clock.advance(10);
    expect(fired).toEqual([10]);
  });

  it('forgets a cancelled timer, and cancelling twice or late does nothing', () => {
    const clock = createFakeClock();
    let fired = 0;
    const cancel = clock.after(5, () => (fired += 1));
    const late = clock.after(1, () => (fired += 10));
    cancel();
    cancel();
    clock.advance(10);
    late();
    expect(fired).toBe(10);
    expect(clock.pending()).toEqual([]);
  });

  it('counts a negative delay as none', () => {
    const clock = createFakeClock();
    let fired = false;
    clock.after(-5, () => (fired = true));
    clock.advance(0);
    expect(fired).toBe(true);
  });

  it('lets promises go on between two timers when walked', async () => {
    const clock = createFakeClock(0);
    const seen: string[] = [];
    clock.after(1, () => void Promise.resolve().then(() => seen.push('promise')));
    clock.after(2, () => seen.push('timer'));
    await clock.walk(5);
    expect(seen).toEqual(['promise', 'timer']);
    expect(clock.now()).toBe(5);
  });
});
