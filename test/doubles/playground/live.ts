import type { ServerResponse } from 'node:http';
import type { Agents } from './agent-run.ts';
import { discordPane } from './discord-pane.ts';
import type { Person, PlaygroundWorkspace } from './workspace.ts';

/**
 * Keeps one page up to date by Server-Sent Events: `screen` is what the person sees on Slack, `discord` on Discord,
 * `agent` the agent's terminal, each whole and only when it changed. Ends with the response. Returns what ends the
 * response with everything that is due.
 */
export function sendLive(
  response: ServerResponse,
  person: Person,
  workspace: PlaygroundWorkspace,
  agent: Agents,
): () => void {
  const { slack, channel, discord } = workspace;
  const sent = new Map<string, string>();
  let due: NodeJS.Immediate | undefined;
  const send = (event: string, value: unknown): void => {
    const data = JSON.stringify(value);
    if (sent.get(event) === data) return;
    sent.set(event, data);
    response.write(`event: ${event}\ndata: ${data}\n\n`);
  };
  const sendAll = (): void => {
    due = undefined;
    send('screen', slack.screen(person.id, channel.id));
    send('discord', discordPane(workspace, person));
    send('agent', agent.screen);
  };
  // One operation changes several things; a page needs the end of it only.
  const changed = (): void => {
    due ??= setImmediate(sendAll);
  };
  const unsubscribe = [slack.on('change', changed), discord.on('change', changed), agent.onChange(changed)];
  response.on('close', () => {
    for (const stop of unsubscribe) stop();
    clearImmediate(due);
  });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  sendAll();
  return () => {
    sendAll();
    response.end();
  };
}
