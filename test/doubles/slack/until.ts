import { until as untilSeen } from '../until.ts';
import { drawScreen } from './draw.ts';
import { renderScreen } from './screen.ts';
import type { Screen } from './types.ts';
import type { World } from './world.ts';

/** Waits for something to be seen on this person's screen of a channel. */
export function until<T>(
  world: World,
  userId: string,
  channelId: string,
  see: (screen: Screen) => T | undefined | false | null,
  timeoutMs?: number,
): Promise<T> {
  return untilSeen(
    {
      screen: () => renderScreen(world, userId, channelId),
      draw: drawScreen,
      onChange: (changed) => world.events.on('change', changed),
    },
    see,
    timeoutMs,
  );
}
