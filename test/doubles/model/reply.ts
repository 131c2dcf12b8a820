import type { ServerResponse } from 'node:http';
import type { MessagesBody } from './request.ts';
import type { Reply } from './script.ts';

const USAGE = { input_tokens: 1, output_tokens: 1 };

/** Sends `reply` in the shape the request asked for. `id` makes message and tool-use ids unique on this server. */
export function sendReply(response: ServerResponse, body: MessagesBody, reply: Reply, id: number): void {
  if (reply.kind === 'error') {
    sendError(response, reply.status, reply.message);
    return;
  }
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: contentOf(reply, id),
    stop_reason: reply.calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: USAGE,
  };
  if (body.stream) streamMessage(response, message);
  else sendJson(response, 200, message);
}

export function sendError(response: ServerResponse, status: number, message: string): void {
  // The client retries 429 and 5xx for minutes unless it is told not to.
  response.setHeader('x-should-retry', 'false');
  sendJson(response, status, { type: 'error', error: { type: ERROR_TYPES[status] ?? 'api_error', message } });
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

type Content = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown };

function contentOf(reply: Extract<Reply, { kind: 'message' }>, id: number): Content[] {
  const text: Content[] = reply.text ? [{ type: 'text', text: reply.text }] : [];
  return text.concat(
    reply.calls.map(({ name, input }, index) => ({ type: 'tool_use', id: `toolu_${id}_${index}`, name, input })),
  );
}

function streamMessage(
  response: ServerResponse,
  message: { content: Content[]; stop_reason: string; usage: object },
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (event: { type: string }) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const start = { type: 'message_start', message: { ...message, content: [], stop_reason: null } };
  send(start);
  for (const [index, block] of message.content.entries()) {
    const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
    const opening = { type: 'content_block_start', index, content_block: empty };
    send(opening);
    for (const delta of deltasOf(block)) {
      const part = { type: 'content_block_delta', index, delta };
      send(part);
    }
    const closing = { type: 'content_block_stop', index };
    send(closing);
  }
  const end = {
    type: 'message_delta',
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: message.usage,
  };
  send(end);
  send({ type: 'message_stop' });
  response.end();
}

/** Two pieces each, because the real API never promises that a block comes whole. */
function deltasOf(block: Content): object[] {
  const whole = block.type === 'text' ? block.text : JSON.stringify(block.input);
  // Counted in code points: a surrogate pair cut in two would arrive as two replacement characters.
  const points = [...whole];
  const half = Math.ceil(points.length / 2);
  return [points.slice(0, half).join(''), points.slice(half).join('')].map((part) =>
    block.type === 'text' ? { type: 'text_delta', text: part } : { type: 'input_json_delta', partial_json: part },
  );
}
