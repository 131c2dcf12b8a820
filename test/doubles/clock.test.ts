import { expect, test } from 'vitest';
import { createClock } from './clock.ts';

test('a standing clock moves only when told, and fires in order', async () => {
  const clock = createClock({ flow: false, startAt: 1000 });
  const fired: [string, number][] = [];
  const note = (name: string) => () => fired.push([name, clock.now()]);
  clock.after(300, note('c'));
  clock.after(100, () => {
    note('a')();
    clock.after(100, note('b'));
  });
  const callOff = clock.after(50, note('never'));
  callOff();
  await clock.advance(99);
  expect(fired).toEqual([]);
  await clock.advance(500);
  expect(fired).toEqual([
    ['a', 1100],
    ['b', 1200],
    ['c', 1300],
  ]);
  expect(clock.now()).toBe(1599);
});

test('a flowing clock fires by itself, faster than real time when told', async () => {
  const clock = createClock({ speed: 1000 });
  const before = clock.now();
  await new Promise<void>((resolve) => {
    // Its own timer does not keep a process alive; this one does until it fires.
    const alive = setTimeout(() => undefined, 10_000);
    clock.after(20_000, () => {
      clearTimeout(alive);
      resolve();
    });
  });
  expect(clock.now() - before).toBeGreaterThanOrEqual(20_000);
  clock.close();
});

test('a flowing clock can be pushed forward', async () => {
  const clock = createClock();
  const fired: string[] = [];
  clock.after(60_000, () => fired.push('minute'));
  await clock.advance(60_000);
  expect(fired).toEqual(['minute']);
  clock.close();
});
