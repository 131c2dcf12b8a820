import { drawScreen } from './draw.ts';
import { renderScreen } from './screen.ts';
import type { Screen } from './types.ts';
import type { World } from './world.ts';

/** Waits for something to be seen on a screen; looks again at every change. */
export function until<T>(
  world: World,
  userId: string,
  channelId: string,
  see: (screen: Screen) => T | undefined | false | null,
  timeoutMs = 5000,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(deadline);
      off();
    };
    const check = () => {
      try {
        const found = see(renderScreen(world, userId, channelId));
        if (found === undefined || found === false || found === null) return;
        stop();
        resolve(found);
      } catch (error) {
        stop();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const deadline = setTimeout(() => {
      stop();
      const screen = drawScreen(renderScreen(world, userId, channelId));
      reject(new Error(`Not seen on the screen within ${timeoutMs} ms:\n${screen}`));
    }, timeoutMs);
    const off = world.events.on('change', check);
    check();
  });
}
