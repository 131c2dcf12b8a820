import { controlsIn, discordControlsIn } from './automatic-operator.ts';
import { discordPane } from './discord-pane.ts';
import type { PlaygroundWorkspace } from './workspace.ts';

/**
 * Waits until no card has a live button or says that it waits for its agent. Owners over Redis leave the drawing to the
 * gateway, so that the end of an agent is not yet the end of its cards. Resolves to whether it came to that in time.
 */
export function allSettled(workspace: PlaygroundWorkspace, withinMs: number): Promise<boolean> {
  const { slack, discord } = workspace;
  return new Promise((resolve) => {
    const end = (isSettled: boolean): void => {
      clearTimeout(timer);
      for (const stop of unsubscribe) stop();
      resolve(isSettled);
    };
    const look = (): void => {
      if (isSettledNow(workspace)) end(true);
    };
    const timer = setTimeout(() => end(false), withinMs);
    const unsubscribe = [slack.on('change', look), discord.on('change', look)];
    look();
  });
}

function isSettledNow(workspace: PlaygroundWorkspace): boolean {
  const { slack, channel, people } = workspace;
  const screen = slack.screen(people[0].id, channel.id);
  if (controlsIn(screen).length > 0 || discordControlsIn(workspace).length > 0) return false;
  return !JSON.stringify([screen.messages, discordPane(workspace, people[0])]).includes('waiting for the agent');
}
