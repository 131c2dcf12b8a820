import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Feed, type WaitOptions } from './feed.ts';
import { sendError, sendJson, sendReply } from './reply.ts';
import { describeRequest, type ModelRequest, messagesBody, readRequest } from './request.ts';
import { nextReply, type Script } from './script.ts';

export interface ModelServer extends AsyncDisposable {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** The only key the server accepts; made up for this server. */
  readonly apiKey: string;
  /** Every message request so far, in the order of arrival, recorded before its reply is decided. */
  readonly requests: readonly ModelRequest[];
  /** The `n`-th message request, from 1. */
  request(n: number, options?: WaitOptions): Promise<ModelRequest>;
  /** The first message request, past or future, for which `predicate` holds. */
  until(predicate: (request: ModelRequest) => boolean, options?: WaitOptions): Promise<ModelRequest>;
  /** Drops open connections. Rejects if the script failed or the client asked for something no model API has. */
  close(): Promise<void>;
}

/** A model behind the Anthropic Messages API on loopback, whose every turn `script` decides. */
export async function startModelServer({ script }: { script: Script }): Promise<ModelServer> {
  const apiKey = ['sk', 'made', 'up', Math.random().toString(36).slice(2)].join('-');
  const feed = new Feed<ModelRequest>('model requests', describeRequest);
  const failures: Error[] = [];
  const turns = new Map<string, number>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = `${request.method} ${new URL(request.url ?? '/', 'http://model').pathname}`;
    const raw = await text(request);
    // The CLI looks whether anyone is there before it sends a key.
    if (route === 'HEAD /') return void response.end();
    if (request.headers['x-api-key'] !== apiKey) return sendError(response, 401, 'invalid x-api-key');
    if (route === 'POST /v1/messages/count_tokens') return sendJson(response, 200, { input_tokens: raw.length });
    if (route !== 'POST /v1/messages') throw new Error(`no model API has ${route}`);

    const body = messagesBody.parse(JSON.parse(raw));
    const hungUp = new AbortController();
    response.once('close', () => hungUp.abort());
    const read = readRequest(body, request.headers, hungUp.signal);
    const conversation = JSON.stringify([read.sessionId, read.agentId]);
    const turn = (turns.get(conversation) ?? 0) + 1;
    turns.set(conversation, turn);
    const recorded: ModelRequest = { n: feed.items.length + 1, turn, ...read };
    feed.push(recorded);
    const reply = await nextReply(script, recorded);
    if (!response.destroyed) sendReply(response, body, reply, recorded.n);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((cause: unknown) => {
      // A client that hung up while sending is the client's affair; everything else is the test's.
      if (request.destroyed && !request.complete) return;
      const error = cause instanceof Error ? cause : new Error(String(cause));
      failures.push(error);
      feed.end(`the script failed: ${error.message}`);
      if (!response.headersSent) sendError(response, 400, error.message);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const close = async (): Promise<void> => {
    feed.end('the model server is closed');
    if (server.listening) {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    }
    if (failures.length > 0) throw new AggregateError(failures, `the model script failed: ${failures[0]?.message}`);
  };

  return {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    requests: feed.items,
    request: (n, options) => feed.until((request) => request.n === n, options),
    until: (predicate, options) => feed.until(predicate, options),
    close,
    [Symbol.asyncDispose]: close,
  };
}
