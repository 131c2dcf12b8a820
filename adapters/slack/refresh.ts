import type { SocketModeClient } from '@slack/socket-mode';
import { sentenceOf } from '../../src/core/errors.ts';
import type { Logger } from '../../src/core/ports/logger.ts';

/**
 * The stock client closes at once when Slack announces a refresh, and loses what is on its way in either direction. Here
 * the announcement is only passed on: the replacement opens first, and Slack closes the old connection itself. A client
 * that lacks the inner event keeps its own way. Also catches what the client's handler throws on frames it does not know.
 */
export function keepOpenAtRefresh(client: SocketModeClient, log: Logger, onRefresh: (why: string) => void): void {
  const [stock] = client.listeners('ws_message');
  if (stock === undefined) return;
  client.removeListener('ws_message', stock);
  client.on('ws_message', (data: unknown, isBinary: unknown) => {
    const why = typeof data === 'string' ? refreshIn(data) : undefined;
    if (why !== undefined) {
      onRefresh(why);
      return;
    }
    Promise.resolve(stock(data, isBinary)).catch((error: unknown) => {
      log.warn({ error: sentenceOf(error) }, 'a frame from Slack could not be read');
    });
  });
}

function refreshIn(frame: string): string | undefined {
  if (!frame.includes('"disconnect"')) return undefined;
  try {
    const { type, reason } = JSON.parse(frame) as { type?: unknown; reason?: unknown };
    return type === 'disconnect' ? String(reason ?? 'unknown') : undefined;
  } catch {
    // Not ours to judge: the client ignores frames that are no JSON.
    return undefined;
  }
}
